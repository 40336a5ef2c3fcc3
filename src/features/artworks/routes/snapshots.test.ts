import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { dataciteProblems } from '../../../../tests/support/datacite_rules.ts';
import { openTestApp, type TestApp } from '../../../../tests/support/open_test_app.ts';
import { roCrateProblems } from '../../../../tests/support/ro_crate_rules.ts';
import { readConfig } from '../../../config/config.ts';
import { openDataset } from '../open_dataset.ts';

/** Snapshot 1 is the starter catalogue, 2 an import, 3 a withdrawal; 2 and 3 have a DOI. */
const folder = mkdtempSync(join(tmpdir(), 'atelier-editions-'));
const settings = {
  DATA_DIR: folder,
  LOG_LEVEL: 'silent',
  DATASET_DOIS: '2=10.5072/museums.2, 3=10.5072/museums.3',
};
let app: TestApp;

beforeAll(async () => {
  const works = [1, 2, 3].map((number) =>
    JSON.stringify({ objectID: number, isPublicDomain: true, title: `Work ${number}`, objectDate: '1885' }),
  );
  writeFileSync(join(folder, 'works.jsonl'), works.join('\n'));
  const dataset = await openDataset(readConfig(settings));
  await dataset.import({
    museum: 'met',
    path: join(folder, 'works.jsonl'),
    signal: new AbortController().signal,
    isPart: true,
    onProgress() {},
  });
  await dataset.withdraw('met_1', 'asked for by the heirs');
  await dataset.close();
  app = await openTestApp(settings);
});
afterAll(async () => {
  await app?.close();
  rmSync(folder, { recursive: true, force: true });
});

const PATH = '/api/datasets/open-museums';
const document = async (number: number, name: string) => (await app.get(`${PATH}/${number}/${name}`)).body;
const crate = (number: number) => document(number, 'ro-crate-metadata.json');
const entity = async (number: number, id: string) =>
  (await crate(number))['@graph'].find((one: { '@id': string }) => one['@id'] === id);

test.each([1, 2, 3])('the crate of snapshot %i conforms to RO-Crate 1.2 and 1.1', async (number) => {
  expect(roCrateProblems(await crate(number))).toEqual([]);
});

test.each([1, 2, 3])('the record of snapshot %i conforms to DataCite Metadata Schema 4.6', async (number) => {
  expect(dataciteProblems(await document(number, 'datacite.json'))).toEqual([]);
});

test('the file of the crate has the stated size and hash', async () => {
  const file = await entity(3, 'artworks.jsonl');
  const bytes = Buffer.from(
    await (await app.fetch(new Request(`http://atelier.test${PATH}/3/artworks.jsonl`))).arrayBuffer(),
  );
  expect(file).toMatchObject({
    contentSize: String(bytes.length),
    sha256: createHash('sha256').update(bytes).digest('hex'),
  });
  expect(new URL(file.contentUrl).pathname).toBe(`${PATH}/3/artworks.jsonl`);
});

test('a snapshot without its file keeps its published description without a file entry', async () => {
  const root = await entity(2, './');
  expect(root).not.toHaveProperty('hasPart');
  expect(root.description).toContain(
    'One work has since been withdrawn on request. The file with the records is no longer stored',
  );
  expect((await document(2, 'datacite.json')).sizes).toEqual(['406 records']);
});

test('the DOI of a snapshot is in all its citation formats and in no other snapshot', async () => {
  const all = async (number: number) =>
    Promise.all([
      crate(number).then(JSON.stringify),
      document(number, 'datacite.json').then(JSON.stringify),
      app.get(`${PATH}/${number}/citation.bib`).then(({ text }) => text),
      app.get(`${PATH}/${number}/ro-crate-preview.html`).then(({ text }) => text),
    ]);
  expect((await all(3)).map((text) => text.includes('10.5072/museums.3'))).toEqual([true, true, true, true]);
  expect((await all(1)).some((text) => /10\.5072/.test(text))).toBe(false);
  const { citeAs } = (await app.get('/api/compliance/open-museums/croissant.json')).body;
  expect(citeAs).toBe((await entity(3, './')).creditText);
});

test('a citation follows the element order that DataCite recommends', async () => {
  expect((await entity(3, './')).creditText).toMatch(
    /^The Metropolitan Museum of Art; Atelier \(\d{4}\): Open Museums, snapshot 3\. Version 3\.0\.0\. Atelier\. \(Dataset\)\. https:\/\/doi\.org\/10\.5072\/museums\.3$/,
  );
  expect((await entity(1, './')).creditText).toMatch(/^Atelier \(\d{4}\): .*\/1\/ro-crate-preview\.html$/);
});

test('an older snapshot names its own source files and no later ones', async () => {
  expect(JSON.stringify(await crate(1))).not.toContain('metmuseum');
  expect(await entity(2, 'https://github.com/metmuseum/openaccess')).toMatchObject({
    description: expect.stringContaining('CC0-1.0'),
  });
});

test('the preview page summarises the snapshot and links to its documents', async () => {
  const { status, headers, text } = await app.get(`${PATH}/3/ro-crate-preview.html`);
  expect([status, headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
  for (const said of ['405 records', 'citation.bib', 'datacite.json', 'artworks.jsonl', '../changes?from=2'])
    expect(text).toContain(said);
});

test.each([
  ['open-museums/99/datacite.json', 404],
  ['other/1/datacite.json', 404],
  ['open-museums/1/other.json', 400],
  ['open-museums/0/datacite.json', 400],
  ['open-museums/99/ro-crate-preview.html', 404],
])('GET /api/datasets/%s returns %i', async (path, status) => {
  expect((await app.get(`/api/datasets/${path}`)).status).toBe(status);
});

test('the conformance checks detect invalid crates and records', async () => {
  const { '@graph': graph, ...rest } = await crate(3);
  const [descriptor, root, ...others] = graph;
  const spoiled = [
    { ...rest, '@graph': [root, ...others] },
    { ...rest, '@graph': [descriptor, { ...root, datePublished: 'today' }, ...others] },
    { ...rest, '@graph': [descriptor, { ...root, hasPart: undefined }, ...others] },
    { ...rest, '@graph': [descriptor, { ...root, license: 'CC0' }, ...others] },
    { ...rest, '@graph': [...graph, root] },
    { '@context': 'https://schema.org', '@graph': graph },
  ];
  for (const one of spoiled) expect(roCrateProblems(one)).not.toEqual([]);
  const record = await document(3, 'datacite.json');
  for (const [name, value] of [
    ['titles', []],
    ['publicationYear', 2026],
    ['extra', 'x'],
    ['doi', 'doi:10.1/x'],
  ])
    expect(dataciteProblems({ ...record, [name as string]: value })).not.toEqual([]);
});

test('an invalid DOI in the configuration is rejected at startup', () => {
  expect(() => readConfig({ DATASET_DOIS: '3=https://doi.org/10.5072/x' })).toThrow('DATASET_DOIS');
});
