import { basename, join } from 'node:path';
import { download } from './download.ts';
import { bytesOf, filesOf, type OfficialFile } from './model_entry.ts';
import type { Watch } from './types.ts';

interface Downloads extends Watch {
  /** Where what has arrived is kept. */
  readonly folder: string;
  readonly mirror?: string | undefined;
  readonly fetch: typeof fetch;
}

/**
 * All files of a network by their names, the one it begins with first. Each is checked as it arrives and kept (`partOf`) until all are used,
 * so that a later try asks for none twice.
 * @throws WeightsError where one cannot be had, or is not what was published
 */
export async function downloadAll(
  official: OfficialFile,
  { folder, mirror, fetch, signal, onProgress }: Downloads,
): Promise<Map<string, Uint8Array>> {
  const arrived = new Map<string, Uint8Array>();
  let before = 0;
  for (const expected of filesOf(official)) {
    const name = basename(expected.url);
    const bytes = await download({
      url: mirror ? `${mirror.replace(/\/+$/, '')}/${name}` : expected.url,
      part: partOf(folder, name),
      onProgress: (done) => onProgress(before + done, bytesOf(official)),
      ...{ expected, fetch, signal },
    });
    arrived.set(name, bytes);
    before += expected.bytes;
  }
  return arrived;
}

/** Where a file is kept while it arrives. */
export const partOf = (folder: string, file: string): string => join(folder, `${file}.part`);
