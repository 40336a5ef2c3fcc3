import { rm } from 'node:fs/promises';
import { SourceProblem } from '../readers/source_problem.ts';

/** A file or folder to import. */
export interface Found {
  /** File or folder on this machine. */
  readonly path: string;
  /** URL of the download. Absent: the file belongs to the operator and is left unchanged. */
  readonly source?: string | undefined;
  /** It existed already, so the museum was not asked again. */
  readonly isKept?: boolean | undefined;
}

/**
 * Imports a file. A download that cannot be read to its end is deleted, because every later import would fail
 * on it; if it existed before this call, it is downloaded again at once.
 * @throws SourceProblem that names the deleted file; and the errors of the import
 */
export async function importFetched<F extends Found, T extends { readonly report: { complete: boolean } }>(
  find: () => Promise<F>,
  importFound: (found: F) => Promise<T>,
  mayFetchAnew = true,
): Promise<T> {
  const found = await find();
  const isFetched = found.source !== undefined;
  try {
    const done = await importFound(found);
    if (done.report.complete || !isFetched) return done;
    await discard(found);
    if (!found.isKept || !mayFetchAnew) return done;
  } catch (error) {
    if (!(error instanceof Error) || error.name !== 'SourceProblem' || !isFetched) throw error;
    await discard(found);
    if (!found.isKept || !mayFetchAnew)
      throw new SourceProblem(`${error.message} ${found.path} was deleted; the next try fetches it anew.`, {
        cause: error,
      });
  }
  return importFetched(find, importFound, false);
}

const discard = ({ path }: Found): Promise<void> => rm(path, { recursive: true, force: true });
