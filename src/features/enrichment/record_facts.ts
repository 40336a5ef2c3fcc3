import { capitalise, type Fact, type Facts } from '@atelier/imaging/analysis/write/facts.ts';
import { type Given, oneLine } from '@atelier/imaging/analysis/write/given.ts';
import { givenFacts } from '@atelier/imaging/analysis/write/write_sections.ts';
import { MUSEUMS } from '../artworks/museums/museums.ts';
import type { ArtworkRecord } from '../artworks/records/record.ts';

/** What the caller has left open, filled in from the record of the work that was recognised. */
export function completeGiven(given: Given, record: ArtworkRecord): Given {
  const { museum, ...known } = givenOf(record);
  const said = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== ''));
  return { ...known, ...said, ...(given.artist_name === '' && { museum }) } as Given;
}

/** Who says what a record says. What came with this program was written down by hand, without asking a museum. */
export const sourceOf = ({ museum, rights }: ArtworkRecord): string =>
  rights.evidence === null ? OWN_LIST : MUSEUMS[museum].name;

const OWN_LIST = 'the catalogue that came with this server';

/** The record as the writers of sentences take it: names, date and subjects, and who says so. */
export const givenOf = (record: ArtworkRecord): Given => ({
  title: record.title,
  artist_name: namesOf(record),
  copyright_holder: '',
  creation_year: record.date,
  content_type: /photograph/i.test(`${record.classification} ${record.medium}`) ? 'photo' : 'artwork',
  context: '',
  museum: { name: capitalise(sourceOf(record)), subjects: record.tags },
});

/**
 * Measured facts with those of the record, which stand as it has them and go before what was guessed.
 * What the caller has given goes before both.
 */
export function withRecord(facts: Facts, record: ArtworkRecord, given?: Given): Facts {
  const work: Facts['work'] = dropUnknown({
    title: fact(record.title),
    artist_name: fact(namesOf(record)),
    artist_life: fact(lifeOf(record)),
    date: fact(record.date),
    medium: fact(record.medium),
    dimensions: fact(record.dimensions),
    culture: fact(record.culture),
    period: fact(centuryOf(record)),
    classification: fact(record.classification),
    department: fact(record.department),
    museum: fact(MUSEUMS[record.museum].name),
    object_number: fact(record.accession_number),
    credit_line: fact(record.credit_line),
    licence: fact(licenceOf(record)),
    source_url: fact(record.source_url),
  });
  const subjects = record.tags.length > 0 ? { subjects: fact(record.tags) } : {};
  return {
    ...facts,
    work: { ...work, ...(given && givenFacts(given)) },
    description: { ...facts.description, ...dropUnknown(subjects) },
    reading: { ...facts.reading, ...dropUnknown({ cultural_context: fact(record.description) }) },
  };
}

function licenceOf({ rights: { status, evidence, url } }: ArtworkRecord): string {
  const words = `${status === 'cc0' ? 'CC0' : 'Public domain'}, ${url}`;
  return evidence === null
    ? `${words} (so listed with this server; no field of the museum's data was read)`
    : words;
}

const namesOf = ({ artists }: ArtworkRecord): string => artists.map(({ name }) => name).join('; ');

function lifeOf({ artists }: ArtworkRecord): string {
  const [first] = artists;
  if (!first) return '';
  const years =
    first.born === null && first.died === null ? '' : `${yearText(first.born)}–${yearText(first.died)}`;
  return [first.nationality, years].filter(Boolean).join(', ');
}

const yearText = (year: number | null): string =>
  year === null ? '?' : year < 0 ? `${-year} BC` : String(year);

/** "16th century", where the record has years; "16th to 17th century" across two. */
function centuryOf({ year_from: from, year_to: to }: ArtworkRecord): string {
  if (from === null || to === null) return '';
  const [first, last] = [centuryName(from), centuryName(to)];
  return first === last ? first : `${first} to ${last}`;
}

function centuryName(year: number): string {
  const count = Math.max(1, Math.ceil(Math.abs(year) / 100));
  const ending = { one: 'st', two: 'nd', few: 'rd', other: 'th', zero: 'th', many: 'th' }[
    ORDINAL.select(count)
  ];
  return `${count}${ending} century${year < 0 ? ' BC' : ''}`;
}

const ORDINAL = new Intl.PluralRules('en', { type: 'ordinal' });

function fact(value: string | readonly string[]): Fact | undefined {
  const clean = typeof value === 'string' ? oneLine(value) : value.map(oneLine).filter(Boolean);
  return clean.length > 0 ? { value: clean, basis: 'record', confidence: 0.95 } : undefined;
}

/** The facts that are known. */
export const dropUnknown = <T extends Record<string, Fact | undefined>>(facts: T) =>
  Object.fromEntries(Object.entries(facts).filter(([, each]) => each !== undefined)) as {
    [K in keyof T]?: Fact;
  };
