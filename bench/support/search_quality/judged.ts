import type { ArtworkRecord } from '../../../src/features/artworks/records/record.ts';
import { fold } from '../../../src/features/artworks/search/fold.ts';

export const KINDS = [
  'number',
  'known work',
  'subject',
  'foreign word',
  'long sentence',
  'typing error',
  'name, date, medium',
  'style, school, period',
] as const;

/** A query with what would please whoever types it. Every part of `wanted` has to hold of a work. */
export interface Judged {
  readonly kind: (typeof KINDS)[number];
  readonly query: string;
  readonly wanted: Wanted;
}

export interface Wanted {
  readonly ids?: readonly string[];
  /** In title, other titles or subjects, folded. */
  readonly shown?: RegExp;
  /** In the names of makers, folded. */
  readonly maker?: RegExp;
  /** In kind and medium, folded. */
  readonly kind?: RegExp;
  /** In culture, the nationality of makers and subjects, folded. */
  readonly place?: RegExp;
  /** The work may come from these years, and from few others. */
  readonly years?: readonly [number, number];
}

/** Judges a record by what its museum wrote, never by what a search answered. */
export function pleases(record: ArtworkRecord, { ids, shown, maker, kind, place, years }: Wanted): boolean {
  if (ids && !ids.includes(record.id)) return false;
  const has = (form: RegExp | undefined, parts: readonly string[]) =>
    !form || form.test(fold(parts.join(' | ')));
  return (
    has(shown, [record.title, ...record.other_titles, ...record.tags]) &&
    has(
      maker,
      record.artists.map(({ name }) => name),
    ) &&
    has(kind, [record.classification, record.medium]) &&
    has(place, [record.culture, ...record.tags, ...record.artists.map(({ nationality }) => nationality)]) &&
    (!years || isFrom(record, years))
  );
}

/** At least half of the years a work may come from have to be among those asked for. */
function isFrom({ year_from, year_to }: ArtworkRecord, [from, to]: readonly [number, number]): boolean {
  if (year_from === null || year_to === null) return false;
  const shared = Math.min(year_to, to) - Math.max(year_from, from) + 1;
  return 2 * shared >= year_to - year_from + 1;
}
