import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { openDataset } from '../../src/features/artworks/open_dataset.ts';
import type { ImportOptions } from '../../src/features/artworks/releases/import_works.ts';

/** Imports works of the Metropolitan Museum, in its own format, through a file in the folder. */
export async function importMetWorks(
  dataset: Pick<Awaited<ReturnType<typeof openDataset>>, 'import'>,
  folder: string,
  works: readonly object[],
): Promise<void> {
  const path = join(folder, 'works.jsonl');
  writeFileSync(path, works.map((work) => JSON.stringify(work)).join('\n'));
  const signal = new AbortController().signal;
  await dataset.import({ museum: 'met', path, signal, onProgress() {}, mayLose: async () => true });
}

/** Options of `importWorks` for generated records. */
export const testImport = (signal: AbortSignal): ImportOptions => ({
  museum: 'met',
  source: 'test',
  now: () => new Date(),
  signal,
  onProgress() {},
  mayLose: async () => true,
});
