import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { basename, join } from 'node:path';
import { IMPORTERS } from '../museums/importers.ts';
import type { MuseumName } from '../museums/museums.ts';
import { SourceProblem } from '../readers/source_problem.ts';
import { downloadSource } from './download_source.ts';
import { harvest } from './harvest.ts';
import type { Found } from './import_fetched.ts';
import type { Retries } from './retry_passing.ts';

export interface Fetching extends Omit<Retries, 'onPause'> {
  /** Files are kept in a folder of the museum here. */
  readonly folder: string;
  /** How many works will be taken; absent: all. A repository is read no further than that takes. */
  readonly worksMax?: number | undefined;
  readonly fetch: typeof fetch;
  /** @throws where the disk has no room for so many bytes */
  readonly requireRoom?: ((bytes: number) => Promise<void>) | undefined;
  /** For a person: what is on its way. */
  onProgress(fraction: number, message: string): void;
}

/** Pages of a repository hold a few dozen records; not all of them are free and have a picture. */
const RECORDS_A_PAGE = 20;
const SPARE = 2;

/**
 * Fetches what a museum publishes. Answers where it lies and where it came from.
 * @throws SourceProblem where the museum publishes nothing in bulk, or cannot be reached
 */
export async function fetchMuseum(
  museum: MuseumName,
  { folder, worksMax, onProgress, ...rest }: Fetching,
): Promise<Required<Found>> {
  const { published, reads } = IMPORTERS[museum];
  const own = join(folder, museum);
  const how = { ...rest, onPause: pauseShown(onProgress) };
  const isKept = existsSync(own);
  if (!published) {
    throw new SourceProblem(
      `This museum publishes no file with all its works. Import one of your own: ${reads}.`,
    );
  }
  if ('repository' in published) {
    const pagesMax = worksMax === undefined ? undefined : Math.ceil((worksMax * SPARE) / RECORDS_A_PAGE);
    await harvest({
      ...how,
      url: published.repository,
      folder: own,
      pagesMax,
      onProgress: (pages) => onProgress(pagesMax ? pages / pagesMax : 0, `page ${pages}`),
    });
    return { path: own, source: published.repository, isKept };
  }
  const { files } = published;
  const place = folderOf(files);
  for (const [at, url] of files.entries()) {
    await downloadSource({
      ...how,
      url,
      path: join(own, url.slice(place.length)),
      onProgress: (done, all) =>
        onProgress(
          (at + (all ? done / all : 0)) / files.length,
          `${Math.floor(done / 1e6)} MB of file ${at + 1} of ${files.length}`,
        ),
    });
  }
  const [only] = files;
  return files.length > 1
    ? { path: own, source: place, isKept }
    : { path: join(own, basename(only!)), source: only!, isKept };
}

const pauseShown =
  (onProgress: Fetching['onProgress']): Retries['onPause'] =>
  ({ message }, pauseMs) =>
    onProgress(0, `trying again in ${Math.ceil(pauseMs / 1000)} s: ${message}`);

/** The address of the folder that holds all of them: files of different folders may have the same name. */
function folderOf(urls: readonly string[]): string {
  let place = urls[0]!.replace(/[^/]*$/, '');
  while (!urls.every((url) => url.startsWith(place))) place = place.replace(/[^/]*\/$/, '');
  return place;
}

/** Downloads one file somebody names, into a folder of its own: other addresses may end in the same name. */
export async function fetchFile(
  url: string,
  { folder, onProgress, worksMax: _, ...rest }: Fetching,
): Promise<Required<Found>> {
  const own = createHash('sha256').update(url).digest('hex').slice(0, 16);
  const path = join(folder, 'by_address', own, basename(new URL(url).pathname) || 'file');
  const isKept = existsSync(path);
  await downloadSource({
    ...{ ...rest, url, path },
    onPause: pauseShown(onProgress),
    onProgress: (done, all) => onProgress(all ? done / all : 0, `${Math.floor(done / 1e6)} MB`),
  });
  return { path, source: url, isKept };
}
