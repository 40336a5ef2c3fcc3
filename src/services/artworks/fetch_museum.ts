import { join } from 'node:path';
import type { MuseumName } from '../../museums.ts';
import { downloadSource } from './download_source.ts';
import { harvest } from './harvest.ts';
import { IMPORTERS } from './museums/index.ts';
import { SourceProblem } from './reading/source_problem.ts';

export interface Fetching {
  /** Files are kept in a folder of the museum here. */
  readonly folder: string;
  /** How many works will be taken; absent: all. A repository is read no further than that takes. */
  readonly worksMax?: number | undefined;
  readonly fetch: typeof fetch;
  readonly signal: AbortSignal;
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
  { folder, worksMax, fetch, signal, onProgress }: Fetching,
): Promise<{ path: string; source: string }> {
  const { published, reads } = IMPORTERS[museum];
  const own = join(folder, museum);
  if (!published) {
    throw new SourceProblem(
      `This museum publishes no file with all its works. Import one of your own: ${reads}.`,
    );
  }
  if ('repository' in published) {
    const pagesMax = worksMax === undefined ? undefined : Math.ceil((worksMax * SPARE) / RECORDS_A_PAGE);
    await harvest({
      url: published.repository,
      folder: own,
      pagesMax,
      fetch,
      signal,
      onProgress: (pages) => onProgress(pagesMax ? pages / pagesMax : 0, `page ${pages}`),
    });
    return { path: own, source: published.repository };
  }
  const { files } = published;
  let path = own;
  for (const [at, url] of files.entries()) {
    path = await downloadSource({
      url,
      folder: own,
      fetch,
      signal,
      onProgress: (done, all) =>
        onProgress(
          (at + (all ? done / all : 0)) / files.length,
          `${Math.floor(done / 1e6)} MB of file ${at + 1} of ${files.length}`,
        ),
    });
  }
  return {
    path: files.length > 1 ? own : path,
    source: files.length > 1 ? files[0]!.replace(/[^/]*$/, '') : files[0]!,
  };
}

/** Downloads one file somebody names. */
export const fetchFile = (
  url: string,
  museum: MuseumName,
  { folder, fetch, signal, onProgress }: Fetching,
): Promise<string> =>
  downloadSource({
    url,
    folder: join(folder, museum),
    fetch,
    signal,
    onProgress: (done, all) => onProgress(all ? done / all : 0, `${Math.floor(done / 1e6)} MB`),
  });
