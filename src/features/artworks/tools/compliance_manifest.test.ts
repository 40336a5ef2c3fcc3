import { expect, test } from 'vitest';
import type { Edition } from '../releases/edition_store.ts';
import type { Statistics } from '../types.ts';
import { ab2013Manifest, complianceManifest, euAiActManifest } from './compliance_manifest.ts';
import { croissantCard } from './croissant_card.ts';
import { factsOf } from './manifest_facts.ts';

/** The batch tests cover whole manifests; these tests cover the figures. */

const group = {
  museum: 'met',
  status: 'cc0',
  field: 'Is Public Domain',
  works: 75,
  pictures: 50,
  withoutMaker: 25,
  withoutDate: 0,
  withoutMedium: 0,
  withoutDescription: 75,
  yearFrom: -500,
  yearTo: 1900,
  seenFirst: '2026-01-02',
  seenLast: '2026-03-04',
  bytes: 123_456,
};
const statistics = (rights: object[], terms: object[] = []) =>
  ({ rights, imports: [], withdrawals: [], terms, starterOnly: [], live: [] }) as unknown as Statistics;
const starter = {
  ...group,
  museum: 'paris',
  status: 'public_domain',
  field: null,
  works: 25,
  pictures: 0,
  seenFirst: null,
  seenLast: null,
};
const facts = factsOf(statistics([group, starter]));
const written = {
  name: 'Open Museums',
  generatedAt: '2026-01-01T00:00:00.000Z',
  url: 'https://a.test',
  cardUrl: 'https://a.test/card',
};

test('shares are computed over all works, with evidence separate from status', () => {
  expect(facts).toMatchObject({
    works: 100,
    publicDomainPercent: 100,
    evidencedPercent: 75,
    years: { from: -500, to: 1900 },
  });
  expect(facts.gaps).toContain('50 works (50 %) have no image');
  expect(facts.gaps).toContain(
    '25 works (25 %) are from the starter catalogue: written by hand, without asking their museum',
  );
  expect(facts.gaps).toContain('no data of Rijksmuseum is in this snapshot');
  expect(facts.basis).toEqual({ imported: 75, starter: 25 });
});

test('all twelve items are answered, two of them as known only to the developer', () => {
  const { disclosures, sources } = ab2013Manifest(facts, written);
  expect(disclosures.map(({ item }) => item)).toEqual(
    Array.from({ length: 12 }, (_, at) => `3111(a)(${at + 1})`),
  );
  expect(disclosures.filter(({ computed }) => !computed).map(({ item }) => item)).toEqual([
    '3111(a)(2)',
    '3111(a)(11)',
  ]);
  expect(sources).toEqual([
    'The Metropolitan Museum of Art',
    'Paris Musées (25 from the starter catalogue, written by hand)',
  ]);
});

test('computed items link to the card as evidence and developer items do not', () => {
  const { disclosures } = ab2013Manifest(facts, written);
  const links = disclosures.map(({ evidence_url }) => evidence_url);
  expect([links[0], links[1], links[10]]).toEqual(['https://a.test/card', null, null]);
});

test('a fetched terms page has a hash and an unfetched one is listed as a gap', () => {
  const [first, last] = [new Date(0), new Date(86_400_000)];
  const { policy_url: url } = facts.museums[0]!;
  const page = { museum: 'met', url, sha256: 'ab', firstSeenAt: first, lastSeenAt: last };
  const read = factsOf(statistics([group], [page]));
  expect(read.museums[0]!.terms).toEqual({
    sha256: 'ab',
    first_seen_at: '1970-01-01T00:00:00.000Z',
    last_seen_at: '1970-01-02T00:00:00.000Z',
  });
  expect(read.gaps.join()).not.toContain('terms of The Metropolitan');
  // A page whose URL has changed since says nothing about the new one.
  const moved = factsOf(statistics([group], [{ ...page, url: 'https://a.test/old' }]));
  expect(moved.museums[0]!.terms).toBeNull();
  expect(moved.gaps).toContain('the terms page of The Metropolitan Museum of Art was not read');
});

test('several files of one museum are listed separately and counted together', () => {
  const file = (source: string, day: string, more: object) => ({
    museum: 'met',
    source,
    publishedAt: new Date(day),
    report: { rows: 10, left_out: { 'not free': 2 }, bad: 1, complete: true, ...more },
  });
  const imports = [
    file('all.csv', '2026-01-02', {}),
    file('more.csv', '2026-05-06', { part: true, left_out: { 'not free': 3, late: 1 } }),
  ];
  const [met] = factsOf({ ...statistics([group]), imports } as unknown as Statistics).museums;
  expect(met).toMatchObject({
    source: 'all.csv; more.csv',
    last_read: '2026-05-06',
    bad_rows: 2,
    left_out: { 'not free': 5, late: 1 },
  });
  expect(met!.sources.map(({ source, is_part }) => [source, is_part])).toEqual([
    ['all.csv', false],
    ['more.csv', true],
  ]);
});

test('works fetched individually are listed outside the snapshot', () => {
  const live = [
    { museum: 'met', works: 3, read: 3, pictures: 3, refused: 0, first: '2026-02-01', last: '2026-02-09' },
  ];
  const asked = factsOf({ ...statistics([starter]), live } as unknown as Statistics);
  expect([asked.works, asked.basis.imported]).toEqual([25, 0]);
  expect(JSON.stringify(ab2013Manifest(asked, written).disclosures[9])).toContain(
    'In addition to the snapshot, 3 works were fetched on demand from the APIs of their museums, from 2026-02-01 to 2026-02-09',
  );
});

test('the template states the languages and size of the dataset', () => {
  const { sections } = euAiActManifest(facts, written).template;
  expect(sections['1.3 modalities and size']).toContain('less than 1 million');
  expect(sections['1.3 modalities and size']).toContain('Languages: English.');
  const french = euAiActManifest(factsOf(statistics([group, { ...group, museum: 'paris' }])), written);
  expect(french.template.sections['1.3 modalities and size']).toContain('Languages: English, French.');
});

/** Statements that hold only for works read at a museum. */
const OF_READ_WORKS =
  /museum states|field and value|imported (data|records)|museums publish|museums' own|[Rr]ead from|HTML removed|edited by museums/;

test('works of the starter catalogue are not described as read from museum data', () => {
  const byHand = factsOf(statistics([starter]));
  const edition = { number: 1, digest: 'ab', publishedAt: new Date(0) } as Edition;
  const card = croissantCard(
    { edition, facts: byHand, url: 'https://a.test', withdrawn: 0 },
    { bytes: 1, sha256: 'ab' },
  );
  const { '@context': _, recordSet: __, ...words } = card;
  const said = [ab2013Manifest(byHand, written), euAiActManifest(byHand, written), words];
  expect(JSON.stringify(said).replace('No imported record', '')).not.toMatch(OF_READ_WORKS);
  expect(said.every((one) => JSON.stringify(one).includes('written by hand'))).toBe(true);
  expect(card).not.toHaveProperty('rai:dataCollectionTimeframe');
  expect(byHand.museums.find(({ museum }) => museum === 'paris')).toMatchObject({
    works: 25,
    starter_works: 25,
    first_read: null,
    last_read: null,
    source: null,
    data_licence: expect.stringContaining('Apache-2.0'),
  });
});

test('a dataset of imported works does not mention the starter catalogue', () => {
  const read = factsOf(statistics([group]));
  const said = JSON.stringify([ab2013Manifest(read, written), euAiActManifest(read, written)]);
  expect(said).not.toMatch(/starter catalogue|by hand/);
  expect(said).toContain("75 works are included because a field of their museum's own data states");
});

test('an empty dataset has a manifest', () => {
  const empty = factsOf(statistics([]));
  expect(ab2013Manifest(empty, written)).toMatchObject({ total_works: 0, public_domain_pct: 0, sources: [] });
  expect(complianceManifest.price.kind).toBe('free');
});
