import { readdir, readFile, stat } from 'node:fs/promises';
import { extname, join } from 'node:path';
import type { Database } from '../../../core/database/types.ts';
import { AtelierError } from '../../../core/errors/atelier_error.ts';
import { ARTWORK_PICTURE_BYTES_MAX } from '../limits.ts';
import { MUSEUM_NAMES } from '../museums/museums.ts';
import type { ArtworkRecord } from '../records/record.ts';
import { readRecord } from '../records/record_store.ts';

/** Result of processing the files of a folder. */
export interface FolderReport {
  taken: number;
  /** Files whose name matches no work. */
  unknown: number;
  /** Files that could not be processed, by name. */
  bad: { file: string; problem: string }[];
}

interface TakeFolderOptions {
  readonly database: Database;
  readonly edition: number;
  readonly signal: AbortSignal;
  /**
   * Processes one image.
   * @throws AtelierError below 500 for an unsuitable image
   */
  take(work: ArtworkRecord, bytes: Uint8Array): Promise<void>;
  onProgress(done: number, all: number): void;
}

/**
 * Processes the images in a folder one after the other, each with its work. A file is named after its work:
 * "met_436535.jpg", or "met-436535-wheat-field.jpg".
 * @throws AtelierError busy, internal_error; an unsuitable file is only reported
 */
export async function processFolder(folder: string, wanted: TakeFolderOptions): Promise<FolderReport> {
  const { database, edition, signal, onProgress, take } = wanted;
  const files = (await readdir(folder)).filter((name) => /\.(jpe?g|png|webp|tiff?|avif|gif)$/i.test(name));
  const report: FolderReport = { taken: 0, unknown: 0, bad: [] };
  for (const [at, file] of files.sort().entries()) {
    signal.throwIfAborted();
    onProgress(at, files.length);
    const work = await workNamed(database, edition, file);
    if (work === undefined) {
      report.unknown += 1;
      continue;
    }
    try {
      const path = join(folder, file);
      const { size } = await stat(path);
      if (size > ARTWORK_PICTURE_BYTES_MAX)
        throw new AtelierError(
          'payload_too_large',
          `It has more than ${ARTWORK_PICTURE_BYTES_MAX / 1024 ** 2} MB.`,
        );
      await take(work, await readFile(path));
      report.taken += 1;
    } catch (error) {
      if (!(error instanceof AtelierError) || error.status >= 500) throw error;
      report.bad.push({ file, problem: error.message });
    }
  }
  return report;
}

/** Work numbers may contain hyphens, so the longest prefix of the name that is a work wins. */
async function workNamed(
  database: Database,
  edition: number,
  file: string,
): Promise<ArtworkRecord | undefined> {
  const name = file.slice(0, -extname(file).length);
  const museum = MUSEUM_NAMES.find((one) => name.startsWith(`${one}_`) || name.startsWith(`${one}-`));
  if (!museum) return undefined;
  const parts = name.slice(museum.length + 1).split('-');
  for (let length = parts.length; length > 0; length -= 1) {
    const id = `${museum}_${parts.slice(0, length).join('-')}`;
    const stored = await readRecord(database, edition, id);
    if (stored) return stored.record;
  }
  return undefined;
}
