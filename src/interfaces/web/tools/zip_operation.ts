import { makeZip } from 'client-zip';
import { z } from 'zod';
import { AtelierError } from '../../../core/errors/atelier_error.ts';
import { defineOperation } from '../../../features/definitions/operation.ts';
import type { Services } from '../../../features/services.ts';
import type { Studio } from '../types.ts';
import { visitOf } from '../visit_of.ts';
import { resultName, uniqueNames } from './file_names.ts';
import { SETTINGS_CHARACTERS_MAX } from './limits.ts';
import { idsIn, readRuns } from './read_runs.ts';
import type { Made } from './slug.ts';

/** Query of the downloads of a page with several runs. */
export const batchInput = z.object({
  run: z.string().max(1_000),
  /** Handles of the input images in the order of the runs, separated by spaces; they contain the file names. */
  image: z.string().max(SETTINGS_CHARACTERS_MAX).default(''),
});

/** Handles of a batch; empty if several runs share one image. */
export function imagesOf(image: string): readonly string[] {
  const handles = image.split(/\s+/).filter(Boolean);
  return handles.length > 1 ? handles : [];
}

/** The results of several runs as a streamed ZIP: at most one chunk is in memory. */
export const zipOperation = (studio: Studio) =>
  defineOperation({
    name: 'studio_results',
    methods: ['GET'],
    path: '/results.zip',
    tag: 'studio',
    summary: 'Results of several studio runs as a ZIP, named after their input images.',
    input: batchInput,
    answer: { file: 'application/zip', description: 'One file per run.' },
    isPrivate: true,
    limit: { name: 'studio-zips', calls: 60, perSeconds: 3600, by: 'address' },
    async run({ run, image }, { results }: Pick<Services, 'results'>, call) {
      const runs = await readRuns(await visitOf(studio, call), idsIn(run));
      const images = imagesOf(image);
      const files = runs.flatMap(({ job }, at) => {
        const made = (job?.result ?? {}) as Made;
        const tool = `${job?.tool}_${at + 1}`;
        return made.result ? [{ name: resultName(tool, made, images[at]), handle: made.result }] : [];
      });
      if (files.length === 0)
        throw new AtelierError('result_not_found', 'None of these runs has a file to download.');
      const names = uniqueNames(files.map(({ name }) => name));
      return {
        contentType: 'application/zip',
        headers: {
          'Content-Disposition': 'attachment; filename="results.zip"',
          'Cache-Control': 'private, no-store',
        },
        chunks: () =>
          zipped(
            files.map(({ handle }, at) => ({ name: names[at]!, handle })),
            results,
          ),
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
