import type { ArtworkRecord } from '../record.ts';
import { fold } from './fold.ts';
import type { ParsedQuery } from './parse_query.ts';
import type { Hit } from './search_store.ts';

const CLASSES: Record<string, string> = { A: 'title', B: 'artist' };
/** Endings differ: this much of a word has to be the same. */
const STEM = 4;

/** Which fields a work was found by, in words: "title, medium". */
export function whyOf({ record, classes }: Hit, { groups, years }: ParsedQuery): string {
  const wanted = groups.flat();
  const fields = [...classes].map((letter) => CLASSES[letter] ?? aboutField(record, wanted));
  const dated = years ? ['date'] : [];
  const found = [...new Set([...fields, ...dated])];
  if (fields.length > 0 || groups.length === 0) return found.join(', ');
  return [...mentions(record, wanted), ...dated].join(', ') || 'several fields';
}

/** Weight class C holds several fields. */
function aboutField(record: ArtworkRecord, wanted: readonly string[]): string {
  const fields = {
    medium: record.medium,
    classification: record.classification,
    subject: record.tags.join(' '),
    culture: record.culture,
  };
  return Object.entries(fields).find(([, value]) => has(value, wanted))?.[0] ?? 'subject';
}

/** No class alone had all words: names every field that has one of them. */
function mentions(record: ArtworkRecord, wanted: readonly string[]): string[] {
  const fields = {
    title: [record.title, ...record.other_titles].join(' '),
    artist: record.artists.map(({ name }) => name).join(' '),
    medium: record.medium,
    classification: record.classification,
    subject: record.tags.join(' '),
    culture: record.culture,
    description: record.description,
  };
  return Object.entries(fields)
    .filter(([, value]) => has(value, wanted))
    .map(([name]) => name);
}

function has(value: string, wanted: readonly string[]): boolean {
  const text = ` ${fold(value)}`;
  return wanted.some((word) => text.includes(` ${word.slice(0, Math.max(STEM, word.length - 2))}`));
}
