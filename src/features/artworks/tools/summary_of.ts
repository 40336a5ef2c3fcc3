import { MUSEUMS } from '../museums/museums.ts';
import type { ArtworkRecord } from '../records/record.ts';
import { askedText, basisOf, type KnownWork } from './record_basis.ts';

/** The record in plain sentences; says what is not known rather than nothing. */
export function summaryOf(work: KnownWork): string {
  const { record } = work;
  const { title, date, medium, dimensions, culture, classification, department, credit_line } = record;
  const museum = MUSEUMS[record.museum];
  const sentences = [
    `"${title}" is ${classification ? `catalogued as ${classification.toLowerCase()}` : 'a work'}${date && `, dated ${date}`}.`,
    makerSentence(record),
    medium && `Medium: ${medium}.`,
    culture && `Its origin is given as ${culture}.`,
    dimensions && `It measures ${dimensions.slice(0, 300)}.`,
    record.tags.length > 0 && `Its subjects are given as ${record.tags.slice(0, 12).join(', ')}.`,
    `It is in ${museum.name}, ${museum.city}${department && ` (${department})`}${record.accession_number && `, under the number ${record.accession_number}`}.`,
    credit_line && `The museum credits it: ${credit_line}.`,
    basisOf(record) === 'starter_catalogue' && `All this was written down by hand; ${askedText(work)}.`,
  ];
  return sentences
    .filter(Boolean)
    .join(' ')
    .replace(/\.\.(?=\s|$)/g, '.');
}

function makerSentence({ artists }: ArtworkRecord): string {
  if (artists.length === 0) return 'Its maker is not known.';
  const people = artists.slice(0, 5).map(({ name, nationality, born, died }) => {
    const life = born !== null || died !== null ? `${born ?? '?'}–${died ?? ''}` : '';
    const about = [nationality, life].filter(Boolean).join(', ');
    return about ? `${name} (${about})` : name;
  });
  return `It is by ${people.join(', ')}.`;
}
