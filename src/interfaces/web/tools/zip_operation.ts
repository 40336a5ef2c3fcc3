import { makeZip } from 'client-zip';
import { z } from 'zod';
import { AtelierError } from '../../../core/errors/atelier_error.ts';
import { defineOperation } from '../../../features/definitions/operation.ts';
import type { Services } from '../../../features/services.ts';
import type { Studio } from '../types.ts';
import { visitOf } from '../visit_of.ts';
import { idsIn, readRuns } from './read_runs.ts';
import { fileName } from './result_html.ts';
import type { Made } from './slug.ts';

/** The results of several runs in one file, made while it is sent: no more than one piece of one result is in memory. */
export const zipOperation = (studio: Studio) =>
  defineOperation({
    name: 'studio_results',
    methods: ['GET'],
    path: '/results.zip',
    tag: 'studio',
    summary: 'The results of several runs of the studio as a ZIP.',
    input: z.object({ run: z.string().max(1_000) }),
    answer: { file: 'application/zip', description: 'A file a run, as it was made.' },
    isPrivate: true,
    limit: { name: 'studio-zips', calls: 60, perSeconds: 3600, by: 'address' },
    async run({ run }, { results }: Pick<Services, 'results'>, call) {
      const runs = await readRuns(await visitOf(studio, call), idsIn(run));
      const files = runs.flatMap(({ job }, at) => {
        const made = (job?.result ?? {}) as Made;
        return job && made.result
          ? [{ name: fileName(`${job.tool}_${at + 1}`, made), handle: made.result }]
          : [];
      });
      if (files.length === 0)
        throw new AtelierError('result_not_found', 'None of these runs has a file for you to take along.');
      return {
        contentType: 'application/zip',
        headers: {
          'Content-Disposition': 'attachment; filename="results.zip"',
          'Cache-Control': 'private, no-store',
        },
        chunks: () => zipped(files, results),
      };
    },
  });

async function* zipped(
  files: readonly { name: string; handle: string }[],
  results: Services['results'],
): AsyncGenerator<Uint8Array> {
  async function* entries() {
    for (const { name, handle } of files) {
      const { blob } = await results.stream(handle.replace(/^result:/, ''));
      yield { name, size: blob.size, input: blob.stream() };
    }
  }
  yield* makeZip(entries()) as ReadableStream<Uint8Array>;
}
