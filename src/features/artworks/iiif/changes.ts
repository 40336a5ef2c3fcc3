import type { Change, EditionChanges } from './change_store.ts';

export const DISCOVERY_CONTEXT = 'http://iiif.io/api/discovery/1/context.json';

/** A stretch of the changes of one edition; `name` is the end of its address. */
export interface ChangePage {
  readonly name: string;
  readonly edition: EditionChanges;
  readonly offset: number;
  /** How many changes stand before it, in the whole list. */
  readonly startIndex: number;
}

/** The pages of some editions, the oldest changes first. A page never holds changes of two editions, so it stays as it is. */
export function pagesOf(editions: readonly EditionChanges[], pageChanges: number): ChangePage[] {
  let before = 0;
  return editions.flatMap((edition) => {
    const pages = Array.from({ length: Math.ceil(edition.changes / pageChanges) }, (_, at) => ({
      name: `${edition.edition}-${at + 1}`,
      edition,
      offset: at * pageChanges,
      startIndex: before + at * pageChanges,
    }));
    before += edition.changes;
    return pages;
  });
}

interface Addresses {
  manifest(id: string): string;
  /** The list of pages, or one. */
  changes(page?: string): string;
}

/** The list of pages (Change Discovery 1.0, 3.1). */
export function changeCollection(pages: readonly ChangePage[], addresses: Addresses): object {
  const last = pages.at(-1);
  return {
    '@context': DISCOVERY_CONTEXT,
    ...{ id: addresses.changes(), type: 'OrderedCollection' },
    totalItems: pages.reduce(
      (most, { startIndex, edition, offset }) => Math.max(most, startIndex - offset + edition.changes),
      0,
    ),
    ...(pages[0] && last && { first: pageAt(pages[0], addresses), last: pageAt(last, addresses) }),
  };
}

/** One page, its changes in the order they were published (3.2). */
export function changePage(
  page: ChangePage,
  changes: readonly Change[],
  { pages, addresses }: { pages: readonly ChangePage[]; addresses: Addresses },
): object {
  const at = pages.findIndex(({ name }) => name === page.name);
  const [prev, next] = [pages[at - 1], pages[at + 1]];
  return {
    '@context': DISCOVERY_CONTEXT,
    ...{ id: addresses.changes(page.name), type: 'OrderedCollectionPage' },
    partOf: { id: addresses.changes(), type: 'OrderedCollection' },
    startIndex: page.startIndex,
    ...(prev && { prev: pageAt(prev, addresses) }),
    ...(next && { next: pageAt(next, addresses) }),
    orderedItems: changes.map(({ id, kind }) => ({
      type: kind,
      object: { id: addresses.manifest(id), type: 'Manifest' },
      endTime: page.edition.publishedAt.toISOString(),
    })),
  };
}

const pageAt = ({ name }: ChangePage, addresses: Addresses) => ({
  id: addresses.changes(name),
  type: 'OrderedCollectionPage',
});
