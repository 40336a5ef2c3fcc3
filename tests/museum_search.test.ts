import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { search, valuesAt } from '../bench/museum_search/endpoint.ts';
import { foldWork, graderOf, type Rule, readQueries, type Work } from '../bench/museum_search/judge.ts';
import { scoreOf } from '../bench/museum_search/measure.ts';
import { HELD_BACK } from '../bench/support/search_quality/held_back.ts';

/** The benchmark of museum search that others run: `bench/museum_search`. */

const FOLDER = resolve(import.meta.dirname, '../bench/museum_search');
const queries = readQueries();
const grade = (rule: Rule, work: Partial<Work>) =>
  graderOf(rule)(foldWork({ id: 'met_1', title: 'Untitled', ...work }));

test.each<[number, string, Rule, Partial<Work>]>([
  [3, 'shown in the title', { shown: 'unicorn' }, { title: 'The Unicorn Rests' }],
  [2, 'shown in a subject', { shown: 'unicorn' }, { tags: ['Unicorns'] }],
  [0, 'not shown', { shown: 'unicorn' }, { title: 'A horse' }],
  [3, 'accents and case aside', { maker: 'cezanne' }, { artists: ['Paul Cézanne'] }],
  [1, 'another kind of the maker', { maker: 'goya', kind: 'etching' }, { artists: ['Goya'], medium: 'oil' }],
  [0, 'the kind of another maker', { maker: 'goya', kind: 'etching' }, { medium: 'Etching' }],
  [
    3,
    'half of its years',
    { shown: 'spoon', years: [1601, 1700] },
    { title: 'Spoon', year_from: 1651, year_to: 1750 },
  ],
  [
    1,
    'other years',
    { shown: 'spoon', years: [1601, 1700] },
    { title: 'Spoon', year_from: 1701, year_to: 1800 },
  ],
  [1, 'unknown years', { shown: 'spoon', years: [1601, 1700] }, { title: 'Spoon' }],
  [3, 'a nationality', { place: 'ital' }, { artists: [{ name: 'X', nationality: 'Italian' }] }],
  [3, 'a known work', { ids: ['met_1'] }, {}],
  [0, 'another work', { ids: ['met_2'] }, {}],
])('grade %i: %s', (expected, _, rule, work) => {
  expect(grade(rule, work)).toBe(expected);
});

test('nDCG is that of a published example', () => {
  // Wikipedia, "Discounted cumulative gain": documents of grades 3, 2, 3, 0, 1, 2 in this order.
  const judged = new Map(([3, 2, 3, 0, 1, 2] as const).map((one, at) => [`w${at}`, one]));
  expect(scoreOf(judged, [...judged.keys()]).ndcg).toBeCloseTo(0.961, 3);
});

test('the reciprocal rank and precision count grades 2 and 3, each work once', () => {
  const judged = new Map([
    ['a', 1],
    ['b', 2],
    ['c', 3],
  ] as const);
  const score = scoreOf(judged, ['a', 'a', 'b', 'c', 'x']);
  expect(score).toMatchObject({ reciprocalRank: 0.5, precision: 0.2 });
});

test('a path finds ids in responses of any structure', () => {
  expect(valuesAt({ hits: { hits: [{ _source: { id: 7 } }, {}] } }, 'hits.hits[]._source.id')).toEqual(['7']);
  expect(valuesAt({ objectIDs: [1, 2] }, 'objectIDs[]')).toEqual(['1', '2']);
  expect(valuesAt([{ id: 'a' }], '[].id')).toEqual(['a']);
  expect(valuesAt({ error: 'no' }, 'data[].id')).toEqual([]);
});

test('every rule compiles, every id and every query is there once', () => {
  for (const { relevant } of queries) expect(() => graderOf(relevant)).not.toThrow();
  expect(new Set(queries.map(({ id }) => id)).size).toBe(queries.length);
  expect(new Set(queries.map(({ query }) => query)).size).toBe(queries.length);
});

test('no query that is held back is in the public half', () => {
  const open = new Set(queries.map(({ query }) => query.toLowerCase()));
  expect(HELD_BACK.filter(({ query }) => open.has(query.toLowerCase()))).toEqual([]);
});

let server: Server;
let address: string;
const folder = mkdtempSync(join(tmpdir(), 'atelier-benchmark-'));
beforeAll(async () => {
  // A search that finds the same two works for all words, and takes no first request.
  let isFirst = true;
  server = createServer((request, response) => {
    if (request.url === '/odd') return response.writeHead(500).end('out of order');
    if (isFirst) response.writeHead(429, { 'Retry-After': '0' });
    isFirst = false;
    return response.end(JSON.stringify({ data: [{ id: 1 }, { id: 2 }] }));
  }).listen(0, '127.0.0.1');
  await new Promise((listening) => server.once('listening', listening));
  address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const works = [
    { id: 'met_1', title: 'An elephant', artists: ['X'], tags: [] },
    { id: 'met_2', title: 'A lobster', artists: ['Y'], tags: [] },
    { id: 'nga_3', title: 'An owl', artists: ['Z'], tags: [] },
  ];
  writeFileSync(join(folder, 'corpus.jsonl'), works.map((work) => JSON.stringify(work)).join('\n'));
});
afterAll(() => {
  server.close();
  rmSync(folder, { recursive: true, force: true });
});

const run = (...options: string[]) =>
  promisify(execFile)(process.execPath, [join(FOLDER, 'run.ts'), ...options], { encoding: 'utf8' });

test('the program measures a search, and writes the files of TREC', async () => {
  const corpus = join(folder, 'corpus.jsonl');
  const { stdout } = await run(
    ...['--corpus', corpus, '--museum', 'met', '--url', `${address}/search?q={query}`],
    ...['--ids', 'data[].id', '--id', 'met_{id}', '--out', join(folder, 'out')],
  );
  expect(stdout).toContain('2 records, 2 queries');
  expect(stdout).toMatch(/\| all \| 2 \| 0\.815 \| 0\.750 \| 0\.100 \|/);
  const elephant = queries.find(({ query }) => query === 'elephant')!.id;
  expect(readFileSync(join(folder, 'out/qrels.txt'), 'utf8')).toContain(`${elephant} 0 met_1 3\n`);
  expect(readFileSync(join(folder, 'out/run.txt'), 'utf8')).toContain(
    `${elephant} Q0 met_1 1 1.000000 search\n`,
  );
});

test('a failed search ends the program with its response', async () => {
  const endpoint = { url: `${address}/odd`, headers: {}, ids: 'data[].id', form: '{id}' };
  await expect(search(endpoint, 'owl')).rejects.toThrow('"owl" was answered with 500: out of order');
});

test('without an endpoint it prints its usage', async () => {
  await expect(run()).rejects.toMatchObject({ code: 2, stdout: expect.stringContaining('--atelier') });
});
