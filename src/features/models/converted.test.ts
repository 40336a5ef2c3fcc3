import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { toOnnx } from '@atelier/imaging/onnx/convert/to_onnx.ts';
import { Graph } from '@atelier/imaging/onnx/graph.ts';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { SIDE, smallTfjs, smallTflite, TFJS_WEIGHTS } from '../../../tests/fixtures/small_classifier.ts';
import { filesOf, MANIFEST } from './manifest.ts';
import { hashOf } from './recognise.ts';
import { createModels } from './service.ts';

/** Networks that are published in other forms than the one that is kept, and in several files. */

const { description, weights } = smallTfjs();
const tflite = smallTflite();
const rating = toOnnx(description, () => weights)!;
const tagging = toOnnx(tflite, () => undefined)!;
const shape = { input: [3, SIDE, SIDE], output: [5] };
const published = (url: string, bytes: Uint8Array) => ({ url, bytes: bytes.length, sha256: hashOf(bytes) });
const official = {
  ...published('https://a.test/model.json', description),
  beside: [published(`https://a.test/${TFJS_WEIGHTS}`, weights)],
  licence: 'MIT',
  copyright: 'x',
} as const;
const manifest = {
  ...MANIFEST,
  content_rating: {
    ...MANIFEST.content_rating,
    shape,
    official,
    converted: { form: 'TensorFlow.js', sha256: hashOf(rating) },
  },
} as const;

let folder: string;
const at = (...names: string[]) => join(folder, ...names);
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'atelier-converted-'));
  mkdirSync(at('given'));
  served = new Map([
    ['model.json', description],
    [TFJS_WEIGHTS, weights],
  ]);
  asked.length = 0;
  cuts.length = 0;
});
afterEach(() => rmSync(folder, { recursive: true }));

/** A mirror that closes each response after a number of bytes. */
let server: Server;
let mirror: string;
let served: Map<string, Uint8Array>;
const asked: string[] = [];
const cuts: number[] = [];
beforeAll(async () => {
  server = createServer((request, response) => {
    const name = request.url!.slice(1);
    const bytes = served.get(name)!;
    const start = Number(/bytes=(\d+)-/.exec(request.headers.range ?? '')?.[1] ?? 0);
    asked.push(start > 0 ? `${name} from ${start}` : name);
    const rest = bytes.subarray(start);
    response.writeHead(start > 0 ? 206 : 200, {
      'Content-Length': rest.length,
      ...(start > 0 && { 'Content-Range': `bytes ${start}-${bytes.length - 1}/${bytes.length}` }),
    });
    const cut = cuts.shift() ?? Number.POSITIVE_INFINITY;
    if (cut >= rest.length) response.end(rest);
    else response.write(rest.subarray(0, cut), () => setTimeout(() => response.destroy(), 50));
  });
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  mirror = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => new Promise((done) => server.close(done)));

const models = () =>
  createModels({ folder: at('models'), mirror, provider: 'cpu', fetch, manifest: manifest as never });
const watch = () => {
  const seen: number[] = [];
  const onProgress = (done: number, all: number) => void seen.push(done / all);
  return { seen, signal: new AbortController().signal, onProgress };
};
const given = (name: string, bytes: Uint8Array): string => {
  writeFileSync(at('given', name), bytes);
  return at('given', name);
};
const refusal = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => 'installed',
    ({ name, message }: Error) => (name === 'WeightsError' ? message : Promise.reject(new Error(message))),
  );

test('all files of a network are downloaded, and only the converted graph is stored', async () => {
  const { seen, ...watching } = watch();
  const installed = await models().pull('content_rating', watching);
  expect(installed).toMatchObject({ form: 'onnx', origin: 'official', sha256: hashOf(rating) });
  expect(readFileSync(installed.path)).toEqual(Buffer.from(rating));
  expect(asked).toEqual(['model.json', TFJS_WEIGHTS]);
  expect(seen.at(-1)).toBe(1);
  expect(seen).toEqual(seen.toSorted((a, b) => a - b));
  expect(readdirSync(at('models')).filter((name) => name.endsWith('.part'))).toEqual([]);
  expect(await models().eyes()).toEqual({ rating: { ...installed, provider: 'cpu' } });
  expect((await models().list()).find(({ name }) => name === 'content_rating')).toMatchObject({
    installed,
    group: 'vision',
    bytes: description.length + weights.length,
  });
});

test('an interrupted download resumes in the same file without repeated requests', async () => {
  cuts.push(1000, Number.POSITIVE_INFINITY, 100);
  for (const _try of [1, 2])
    expect(await refusal(models().pull('content_rating', watch()))).toContain(
      'To resume, run the same command again',
    );
  await models().pull('content_rating', watch());
  expect(asked).toEqual([
    'model.json',
    expect.stringMatching(/^model\.json from \d+$/),
    TFJS_WEIGHTS,
    expect.stringMatching(/^group1-shard1of1 from \d+$/),
  ]);
});

test('a file that differs from the published one is rejected and downloaded again alone', async () => {
  served.set(TFJS_WEIGHTS, weights.toReversed());
  expect(await refusal(models().pull('content_rating', watch()))).toContain('is not the published one');
  expect(await models().eyes()).toEqual({});
  served.set(TFJS_WEIGHTS, weights);
  await models().pull('content_rating', watch());
  expect(asked).toEqual(['model.json', TFJS_WEIGHTS, TFJS_WEIGHTS]);
});

test('of two concurrent pulls one installs and the other reports the running one', async () => {
  const both = await Promise.all([1, 2].map(() => refusal(models().pull('content_rating', watch()))));
  expect(both.toSorted()).toEqual([expect.stringContaining('is downloading'), 'installed']);
  expect(asked).toEqual(['model.json', TFJS_WEIGHTS]);
  expect((await models().eyes()).rating?.sha256).toBe(hashOf(rating));
});

test('a local model needs its weights beside it; missing files are named', async () => {
  const path = given('model.json', description);
  expect(await refusal(models().add(path, { accept: true }))).toContain(
    `${TFJS_WEIGHTS} is not in the same folder. Download it from https://a.test/`,
  );
  given(TFJS_WEIGHTS, weights.toReversed());
  expect(await refusal(models().add(path, { accept: true }))).toContain('is not the published one');
  given(TFJS_WEIGHTS, weights);
  const whole = { name: 'content_rating', origin: 'official', sha256: hashOf(rating) };
  expect(await models().add(path, { accept: false })).toMatchObject(whole);
  // The graph that was made of them elsewhere.
  expect(await models().add(given('rating.onnx', rating), { accept: false })).toMatchObject(whole);
  await expect(models().add(path, { name: 'tagger', accept: true })).rejects.toThrow('official file of');
});

test('an unofficial network is recognised by inputs and outputs and requires --accept', async () => {
  const path = given('other.tflite', tflite);
  expect(await refusal(models().add(path, { accept: false }))).toContain('matches content_rating, but');
  expect(await models().add(path, { accept: true })).toMatchObject({
    name: 'content_rating',
    form: 'onnx',
    origin: 'unofficial',
    sha256: hashOf(tagging),
  });
  expect(await refusal(models().add(path, { accept: true, name: 'tagger' }))).toBe(
    'The graph has inputs of 3 × 6 × 6 and 5 outputs, which does not match tagger.',
  );
  const unknown = given('mean.tflite', smallTflite({ adding: 40 }));
  expect(await refusal(models().add(unknown, { accept: true }))).toContain('operator MEAN (40)');
});

test('a text detection graph accepts any image size and returns one value per pixel', async () => {
  const graph = new Graph();
  const name = graph.node('ReduceMean', ['input'], { axes: [1] }, 'found');
  const graphOf = (...sides: (number | string)[]) => graph.toModel({ outputs: [{ name, sides }] });
  const fits = given('writing.onnx', graphOf('batch', 1, 'height', 'width'));
  await models().add(fits, { accept: true });
  expect((await models().eyes()).writing).toMatchObject({ name: 'text_detection', origin: 'unofficial' });
  for (const sides of [['batch', 4, 'height', 'width'], ['batch', 1], []])
    expect(await refusal(models().add(given('x.onnx', graphOf(...sides)), { accept: true }))).toContain(
      'matches no model',
    );
});

test('a person mask is recognised by its two planes and accepted from local files only', async () => {
  const graph = new Graph();
  const name = graph.node('Concat', ['input', 'input'], { axis: 1 }, 'mask');
  const path = given(
    'people.onnx',
    graph.toModel({ outputs: [{ name, sides: ['batch', 2, 'height', 'width'] }] }),
  );
  expect(await refusal(models().add(path, { accept: false }))).toMatch(/matches person_mask[^.]*\. To use/);
  await models().add(path, { accept: true });
  expect((await models().eyes()).people).toMatchObject({ name: 'person_mask', origin: 'unofficial' });
  expect(await refusal(models().pull('person_mask', watch()))).toContain('models add <file> --accept');
});

test('published file names are unique, so that a mirror can serve them', () => {
  const names = Object.values(MANIFEST).flatMap(({ official: file }) =>
    (file ? filesOf(file) : []).map(({ url }) => url.split('/').at(-1)),
  );
  expect(new Set(names).size).toBe(names.length);
});
