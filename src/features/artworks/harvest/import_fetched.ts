import { rm } from 'node:fs/promises';
import { SourceProblem } from '../readers/source_problem.ts';

/** What is to be imported. */
export interface Found {
  /** File or folder on this machine. */
  readonly path: string;
  /** Address of the download. Absent: the file belongs to the operator and is left unchanged. */
  readonly source?: string | undefined;
  /** It was here already, and the museum was not asked for it again. */
  readonly isKept?: boolean | undefined;
}

/**
 * Imports what is found. What was fetched and cannot be read to its end is deleted, or every later try would find it here and fail on it again; where it
 * had been here before, it is fetched anew at once.
 * @throws SourceProblem saying that it was deleted; and what the import throws
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
