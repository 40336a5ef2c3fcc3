import { analysePicture } from '@atelier/imaging/analysis/analyse_picture.ts';
import { ANALYSIS_FIELDS } from '@atelier/imaging/analysis/analysis_fields.ts';
import type { Given } from '@atelier/imaging/analysis/facts/given.ts';
import sharp from 'sharp';
import { expect, test } from 'vitest';
import { NOTHING_GIVEN } from '../../../tests/support/nothing_given.ts';
import { type ArtworkRecordInput, parseRecord } from '../artworks/records/record.ts';
import { createEnrichment } from './service.ts';

const RECORD: ArtworkRecordInput = {
  id: 'rijks_SK-X-1',
  museum: 'rijks',
  accession_number: 'SK-X-1',
  title: 'Still Life with\nCheese',
  artists: [{ name: 'Clara Peeters', role: 'painter', nationality: 'Flemish', born: 1588, died: null }],
  date: 'c. 1615',
  year_from: 1610,
  year_to: 1621,
  medium: 'oil on panel',
  classification: 'painting',
  description: 'A table with cheese, almonds and pretzels.',
  tags: ['cheese', 'almonds'],
  source_url: 'https://example.org/SK-X-1',
  rights: {
    status: 'public_domain',
    evidence: { field: 'dc:rights', value: 'https://creativecommons.org/publicdomain/mark/1.0/' },
    url: 'https://creativecommons.org/publicdomain/mark/1.0/',
  },
};

test('data of the museum is copied unchanged', async () => {
  const { sections } = await analysed(RECORD);
  const record = (value: unknown) => ({ value, basis: 'record', confidence: 0.95 });
  expect(sections.work).toMatchObject({
    title: record('Still Life with Cheese'),
    artist_name: record('Clara Peeters'),
    artist_life: record('Flemish, 1588–?'),
    date: record('c. 1615'),
    medium: record('oil on panel'),
    period: record('17th century'),
    classification: record('painting'),
    museum: record('Rijksmuseum'),
    object_number: record('SK-X-1'),
    licence: record('Public domain, https://creativecommons.org/publicdomain/mark/1.0/'),
    source_url: record('https://example.org/SK-X-1'),
  });
  expect(sections.description.subjects).toEqual(record(['cheese', 'almonds']));
  expect(sections.reading.cultural_context).toEqual(record('A table with cheese, almonds and pretzels.'));
});

test('fields that need a vision model are marked unseen, and museum descriptions are used verbatim', async () => {
  const { sections } = await analysed(RECORD);
  expect(sections.description).toMatchObject({
    alt_text: { value: expect.stringMatching(/^Needs eyes: /), basis: 'unseen', confidence: 0 },
    summary: { value: 'A table with cheese, almonds and pretzels.', basis: 'record' },
    keywords: { value: ['cheese', 'almonds'], basis: 'record' },
  });
  expect(sections.reading.symbolism).toMatchObject({ basis: 'unseen' });
});

test('a manually written record is not treated as museum data', async () => {
  const { sections } = await analysed({ ...RECORD, rights: { ...RECORD.rights, evidence: null } });
  expect(sections.work.licence?.value).toContain('no field of the museum data was read');
});

test('a nearly empty record yields no invented facts', async () => {
  const bare = { ...RECORD, artists: [], date: '', year_from: null, medium: '', tags: [], description: '' };
  const { sections } = await analysed(bare);
  const told = Object.entries(sections.work).filter(([, { value }]) => value !== 'not in the record');
  expect(told.map(([name]) => name).sort()).toEqual([
    'classification',
    'licence',
    'museum',
    'object_number',
    'source_url',
    'title',
  ]);
});

test.each([
  [1601, 1700, '17th century'],
  [1790, 1810, '18th century to 19th century'],
  [1, 12, '1st century'],
  [-430, -420, '5th century BC'],
  [2001, 2020, '21st century'],
])('the period from %i to %i is %s', async (year_from, year_to, period) => {
  const { sections } = await analysed({ ...RECORD, year_from, year_to });
  expect(sections.work.period?.value).toBe(period);
});

test('every field is listed in the field table', async () => {
  const { sections, factsCount } = await analysed(RECORD);
  const names = Object.entries(sections).flatMap(([section, facts]) =>
    Object.keys(facts).filter((name) => !Object.hasOwn(ANALYSIS_FIELDS[section as 'work'], name)),
  );
  expect(names).toEqual([]);
  expect(factsCount).toBeGreaterThan(60);
});

async function analysed(record: ArtworkRecordInput) {
  const picture = sharp({
    create: { width: 240, height: 180, channels: 3, background: '#503820' },
  }).composite([
    { input: { create: { width: 70, height: 50, channels: 3, background: '#e0c060' } }, left: 120, top: 90 },
  ]);
  const bytes = await picture.png().toBuffer();
  const pixels = { run: (_: string, input: { bytes: Uint8Array }) => analysePicture(input) };
  const image = { bytes, format: 'png', width: 240, height: 180 } as const;
  const work = { record: parseRecord(record), image };
  return createEnrichment({ pixels: pixels as never }).analyseWork(work, {
    signal: new AbortController().signal,
  });
}

test('a recognised image takes missing fields from the museum record', async () => {
  const { metadata, evidence, recognised } = await enriched({ title: 'My Cheese' });
  expect(recognised).toEqual({ id: 'rijks_SK-X-1', title: RECORD.title, source: 'Rijksmuseum' });
  expect(metadata).toMatchObject({
    title: 'My Cheese',
    artist_name: 'Clara Peeters',
    sections: { work: { date: { value: 'c. 1615', basis: 'record' } } },
  });
  expect(metadata).not.toHaveProperty('creation_year');
  expect(evidence).toMatchObject({ title: { basis: 'given' }, artist_name: { basis: 'record' } });
});

test('an artist named by the client is kept alongside the artist of the museum', async () => {
  const { metadata } = await enriched({ artist_name: 'A. Copyist' });
  expect(metadata).toMatchObject({
    artist_name: 'A. Copyist',
    artist_analysis: 'Museum record: Clara Peeters.',
  });
});

async function enriched(more: Partial<Given>) {
  const noise = Buffer.from(Array.from({ length: 64 * 64 * 3 }, (_, at) => (at * 7919) % 251));
  const bytes = await sharp(noise, { raw: { width: 64, height: 64, channels: 3 } })
    .png()
    .toBuffer();
  const pixels = { run: (_: string, input: { bytes: Uint8Array }) => analysePicture(input) };
  const recognise = async () => parseRecord(RECORD);
  const given: Given = { ...NOTHING_GIVEN, ...more };
  return createEnrichment({ pixels: pixels as never, recognise }).enrich(
    {
      image: { bytes, format: 'png', width: 64, height: 64 },
      tier: 'premium',
      engine: 'default',
      given,
      language: 'en',
      observations: { subject: 'a table' },
    },
    { signal: new AbortController().signal },
  );
}
