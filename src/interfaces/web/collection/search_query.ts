import { z } from 'zod';
import { SIMILARITY_CRITERIA } from '../../../features/artworks/limits.ts';
import { colorsIn } from '../../../features/artworks/tools/color_field.ts';
import { ASKED_CHARACTERS_MAX, WORKS_A_PAGE, WORKS_REACHED_MAX, WORKS_SORTED_MAX } from './limits.ts';

const text = z.string().trim().max(ASKED_CHARACTERS_MAX).default('');

export const ORDERS = { best: 'Best match', oldest: 'Oldest first', newest: 'Newest first' } as const;

/** Search query, with the field names of search_artworks. Empty: unset. */
export const searchQueryFields = z.object({
  query: text,
  colors: text,
  museum: text,
  medium: text,
  century: text,
  licence: text,
  has_image: text,
  year_from: text,
  year_to: text,
  min_px: text,
  height_cm: text,
  width_cm: text,
  area: text,
  like: text,
  /** Aspect of similarity; ignored without `like`. */
  like_by: z
    .enum(['', ...SIMILARITY_CRITERIA])
    .catch('')
    .default(''),
  order: z
    .enum(Object.keys(ORDERS) as [keyof typeof ORDERS, ...(keyof typeof ORDERS)[]])
    .catch('best')
    .default('best'),
  /** Works before the first one shown. */
  from: z.coerce
    .number()
    .int()
    .min(0)
    .max(WORKS_REACHED_MAX - 1)
    .catch(0)
    .default(0),
});

export type SearchQuery = z.output<typeof searchQueryFields>;

/** Filter fields in display order. */
export const FILTERS = [
  'colors',
  'museum',
  'medium',
  'century',
  'licence',
  'has_image',
  'year_from',
  'year_to',
  'min_px',
  'height_cm',
  'width_cm',
  'area',
  'like',
] as const satisfies readonly (keyof SearchQuery)[];
export type FilterField = (typeof FILTERS)[number];

/** URL of the collection with changed fields, starting at the first page. */
export function addressOf(asked: SearchQuery, changes: Partial<SearchQuery> = {}): string {
  const { order, from, ...rest } = { ...asked, from: 0, ...changes };
  if (rest.like === '') rest.like_by = '';
  const query = new URLSearchParams(Object.entries(rest).filter(([, value]) => value !== ''));
  if (order !== 'best') query.set('order', order);
  if (from > 0) query.set('from', String(from));
  return query.size > 0 ? `/collection?${query}` : '/collection';
}

/** The same search on the map, which has neither pages nor an order. */
export const mapAddressOf = (asked: SearchQuery, changes: Partial<SearchQuery> = {}): string =>
  addressOf({ ...asked, order: 'best' }, { ...changes, from: 0 }).replace('/collection', '/collection/map');

export const colorsOf = ({ colors }: Pick<SearchQuery, 'colors'>): readonly string[] => {
  const read = colorsIn(colors);
  return Array.isArray(read) ? (read as string[]).map((color) => color.trim()) : [];
};

/** Input of search_artworks. An empty query lists all public-domain works. */
export function searchInputOf(
  { order, from: _, query, like, like_by, ...narrowed }: SearchQuery,
  { limit, offset }: { readonly limit: number; readonly offset: number },
): Record<string, unknown> {
  const part = { limit, ...(offset > 0 && { offset }) };
  const sent = Object.entries({ ...narrowed, ...likenessOf({ like, like_by }) }).filter(
    ([, value]) => value !== '',
  );
  if (query === '' && sent.length === 0) return { query, licence: 'public_domain', ...part };
  return {
    query,
    ...Object.fromEntries(sent.map(([field, value]) => [field, typedValue(field, value)])),
    ...part,
  };
}

const WORK = /^artwork:(\S+)$/;

/** With an aspect, works are compared by id, so their image need not be stored. */
function likenessOf({ like, like_by }: Pick<SearchQuery, 'like' | 'like_by'>): Record<string, string> {
  const [, id] = WORK.exec(like) ?? [];
  if (like === '' || like_by === '') return { like };
  return id === undefined ? { like, like_by } : { like_work: id, like_by };
}

/** Converts URL text to numbers, lists and booleans. */
function typedValue(field: string, value: string): unknown {
  if (field === 'has_image') return value === 'true';
  if (['year_from', 'year_to', 'min_px', 'century'].includes(field) && /^-?\d{1,6}$/.test(value))
    return Number(value);
  return field === 'colors' ? colorsOf({ colors: value }) : value;
}

/** Number of results reachable by paging. */
export const reachOf = ({ order }: Pick<SearchQuery, 'order'>): number =>
  order === 'best' ? WORKS_REACHED_MAX : WORKS_SORTED_MAX;

/** Offsets of the previous and next page. */
export const pagesAround = (
  { from, order }: Pick<SearchQuery, 'from' | 'order'>,
  total: number,
): { previous?: number; next?: number } => ({
  ...(from > 0 && { previous: Math.max(0, from - WORKS_A_PAGE) }),
  ...(from + WORKS_A_PAGE < Math.min(total, reachOf({ order })) && { next: from + WORKS_A_PAGE }),
});
