import { defineOperation } from '../../../features/definitions/operation.ts';
import type { Studio } from '../types.ts';
import { visitOf } from '../visit_of.ts';
import { imageName, resultName, uniqueNames } from './file_names.ts';
import { idsIn, isUnsuccessful, type Run, readRuns } from './read_runs.ts';
import { reasonOf, secondsOf } from './runs_html.ts';
import type { Made } from './slug.ts';
import { batchInput, imagesOf } from './zip_operation.ts';

const COLUMNS = [
  'image',
  'state',
  'reason',
  'result',
  'width',
  'height',
  'bytes',
  'seconds',
  'credits',
  'url',
] as const;

/** The runs of a page as CSV (RFC 4180). */
export const tableOperation = (studio: Studio) =>
  defineOperation({
    name: 'studio_table',
    methods: ['GET'],
    path: '/results.csv',
    tag: 'studio',
    summary: 'Several studio runs as CSV: names, states, reasons, sizes, durations and costs.',
    input: batchInput,
    answer: { file: 'text/csv', description: 'One row per run.' },
    isPrivate: true,
    limit: { name: 'studio-tables', calls: 600, perSeconds: 3600, by: 'address' },
    async run({ run, image }, _services, call) {
      const runs = await readRuns(await visitOf(studio, call), idsIn(run));
      const images = imagesOf(image);
      return {
        bytes: tableOf(runs, images),
        contentType: 'text/csv; charset=utf-8',
        headers: {
          'Content-Disposition': 'attachment; filename="results.csv"',
          'Cache-Control': 'private, no-store',
        },
      };
    },
  });

/** @param images handles, in the order of the runs */
export function tableOf(runs: readonly Run[], images: readonly string[]): string {
  const names = uniqueNames(
    runs.map(({ job }, at) => resultName(`${job?.tool}_${at + 1}`, (job?.result ?? {}) as Made, images[at])),
  );
  const rows = runs.map((run, at) => {
    const made = (run.job?.result ?? {}) as Made;
    return [
      (images[at] && imageName(images[at])) || `Image ${at + 1}`,
      run.job?.state ?? (run.refused ? 'refused' : 'unknown'),
      isUnsuccessful(run) ? reasonOf(run) : '',
      made.result ? names[at] : '',
      made.width,
      made.height,
      made.size_bytes,
      run.job && secondsOf(run.job),
      run.job?.credits.charged,
      made.result_url,
    ];
  });
  // Excel reads UTF-8 only with a byte order mark.
  return `\uFEFF${[COLUMNS, ...rows].map((row) => row.map(cell).join(',')).join('\r\n')}\r\n`;
}

/** Spreadsheets evaluate cells that begin like a formula (CWE-1236); an apostrophe makes them text. */
function cell(value: unknown): string {
  const text = String(value ?? '');
  const safe = typeof value === 'string' && /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
