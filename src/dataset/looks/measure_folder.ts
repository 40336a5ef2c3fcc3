import { readdir, readFile, stat } from 'node:fs/promises';
import { extname, join } from 'node:path';
import type { Database } from '../../database/contract.ts';
import { AtelierError } from '../../errors/atelier_error.ts';
import { ARTWORK_PICTURE_BYTES_MAX } from '../limits.ts';
import { MUSEUM_NAMES } from '../museums/museums.ts';
import { readRecord } from '../records/record_store.ts';
import { FROM_FILE } from './look_store.ts';
import type { Looks } from './looks.ts';

/** What became of the files of a folder. */
export interface MeasureReport {
  measured: number;
  /** Files whose name is of no work that is here. */
  unknown: number;
  /** Files that are no pictures, by name. */
  bad: { file: string; problem: string }[];
}

interface Wanted {
  readonly database: Database;
  readonly looks: Pick<Looks, 'keep'>;
  readonly edition: number;
  readonly signal: AbortSignal;
  onProgress(done: number, all: number): void;
}

/**
 * Measures what pictures in a folder look like, so that their works are found by colour and likeness. A file is named after its
 * work: "met_436535.jpg", also "met-436535-wheat-field.jpg". The pictures themselves are not kept.
 * @throws AtelierError busy, internal_error: not for a file that is no picture
 */
export async function measureFolder(folder: string, wanted: Wanted): Promise<MeasureReport> {
  const { database, looks, edition, signal, onProgress } = wanted;
  const files = (await readdir(folder)).filter((name) => /\.(jpe?g|png|webp|tiff?|avif|gif)$/i.test(name));
  const report: MeasureReport = { measured: 0, unknown: 0, bad: [] };
  for (const [at, file] of files.sort().entries()) {
    signal.throwIfAborted();
    onProgress(at, files.length);
    const id = await workNamed(database, edition, file);
    if (id === undefined) {
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
      await looks.keep(id, FROM_FILE, await readFile(path), signal);
      report.measured += 1;
    } catch (error) {
      if (!(error instanceof AtelierError) || error.status >= 500) throw error;
      report.bad.push({ file, problem: error.message });
    }
  }
  return report;
}

/** Numbers of works have hyphens too, so the longest beginning of the name that is a work counts. */
async function workNamed(database: Database, edition: number, file: string): Promise<string | undefined> {
  const name = file.slice(0, -extname(file).length);
  const museum = MUSEUM_NAMES.find((one) => name.startsWith(`${one}_`) || name.startsWith(`${one}-`));
  if (!museum) return undefined;
  const parts = name.slice(museum.length + 1).split('-');
  for (let length = parts.length; length > 0; length -= 1) {
    const id = `${museum}_${parts.slice(0, length).join('-')}`;
    if (await readRecord(database, edition, id)) return id;
  }
  return undefined;
}
