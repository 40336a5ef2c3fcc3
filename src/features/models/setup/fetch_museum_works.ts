import { type MuseumName, PULLED_SHARE } from '../../artworks/museums/museums.ts';
import type { OpenedDataset } from '../../artworks/open_dataset.ts';
import type { Watch } from './types.ts';

/** Fetches a museum's share of works, imports it and reads its page of terms; says what came of it. @throws Error */
export async function fetchMuseumWorks(
  dataset: Pick<OpenedDataset, 'fetchMuseum' | 'fetchTerms' | 'importFetched'>,
  museum: MuseumName,
  { signal, onProgress }: Watch,
): Promise<string> {
  const worksMax = PULLED_SHARE;
  const { report, edition } = await dataset.importFetched(
    () => dataset.fetchMuseum(museum, { worksMax, signal, onProgress }),
    {
      ...{ museum, worksMax, signal },
      onProgress: ({ rows, added }) =>
        onProgress(Math.min(1, added / worksMax), `${rows} rows read, ${added} works`),
    },
  );
  const works = report.added + report.changed + report.unchanged;
  // A page that cannot be read is said to be missing in the manifest; the works are here all the same.
  const terms = await dataset.fetchTerms(museum, signal).catch((error: Error) => {
    if (error.name !== 'SourceProblem') throw error;
    return undefined;
  });
  return `${works} works, edition ${edition.number}${terms ? '' : '; its page of terms could not be read'}`;
}
