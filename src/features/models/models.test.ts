import { mkdtempSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Graph } from '@atelier/imaging/onnx/graph.ts';
import { buildGraph } from '@atelier/imaging/upscale/open_network.ts';
import { readWeights, selectTensors } from '@atelier/imaging/upscale/weights/read_weights.ts';
import { writeSafetensors } from '@atelier/imaging/upscale/weights/safetensors.ts';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { redSegmenter } from '../../../tests/fixtures/red_segmenter.ts';
import { noiseWeights } from '../../../tests/support/noise_weights.ts';
import { writePth } from '../../../tests/support/write_pth.ts';
import { DENOISING_TWIN, UPSCALE_MODELS } from '../images/tools/upscale_plan.ts';
import { BUNDLED, type BundledName, bundledUpscaler } from './bundled.ts';
import { MANIFEST } from './manifest.ts';
import { hashOf } from './recognise.ts';
import { createModels } from './service.ts';
import { MODEL_FILE_BYTES_MAX } from './speeds.ts';

const small = MANIFEST.realesr_animevideov3.architecture;
const noise = noiseWeights(small);
let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'atelier-models-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const modelsIn = (mirror?: string) =>
  createModels({ folder: join(folder, 'models'), mirror, provider: 'cpu', fetch });
const fileOf = (bytes: Uint8Array, name = 'weights'): string => {
  writeFileSync(join(folder, name), bytes);
  return join(folder, name);
};
const refusal = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => 'installed',
    ({ name, message }: Error) => (name === 'WeightsError' ? message : Promise.reject(new Error(message))),
  );

test('the manifest lists every upscaler of the tool with its scale', () => {
  const scales = Object.entries(MANIFEST).flatMap(([name, entry]) =>
    entry.use === 'upscale' ? [[name, entry.architecture.scale]] : [],
  );
  const chosen = Object.entries({ [DENOISING_TWIN]: 4, span_x2: 2, span_x4: 4 });
  const named = Object.entries(UPSCALE_MODELS).map(([name, { scale }]) => [name, scale]);
  expect(scales.sort()).toEqual([...named, ...chosen].sort());
});

test('a missing model is reported with install instructions and the substitute', async () => {
  const models = modelsIn();
  await expect(models.upscaler('realesrgan_x2plus')).rejects.toMatchObject({
    code: 'model_unavailable',
    message: expect.stringMatching(/atelier models pull realesrgan_x2plus.*RealESRGAN_x2plus\.pth/),
    details: { members: { model: 'realesrgan_x2plus', installed_models: [] } },
  });
  await models.add(fileOf(writePth(noise)), { accept: true });
  await expect(models.upscaler('realesrgan_x2plus')).rejects.toMatchObject({
    message: expect.stringContaining('Installed: realesr_animevideov3.'),
  });
});

test('a missing network is replaced by bundled networks, with the reason', async () => {
  const models = modelsIn();
  expect(await models.choose('realesrgan_x2plus')).toMatchObject({
    kind: 'bundled',
    networks: { clean: { name: 'atelier_compact_x2' }, spoiled: { name: 'atelier_compact_x2_spoiled' } },
    reason: expect.stringMatching(
      /realesrgan_x2plus is not installed.*atelier models pull realesrgan_x2plus/,
    ),
  });
  expect(await models.choose('realesr_animevideov3')).toMatchObject({
    networks: { clean: { name: 'atelier_compact_x4' }, spoiled: { name: 'atelier_compact_x4_spoiled' } },
  });
  await models.add(fileOf(writePth(noise)), { accept: true });
  expect(await models.choose('realesr_animevideov3')).toMatchObject({
    kind: 'installed',
    network: { name: 'realesr_animevideov3', origin: 'unofficial' },
  });
  expect((await models.upscalersAtHand()).map(({ name }) => name)).toEqual([
    'realesr_animevideov3',
    ...Object.keys(BUNDLED),
  ]);
});

test('the bundled files match their list, fit their architecture and are small', () => {
  const files = (Object.keys(BUNDLED) as BundledName[]).map((name) => bundledUpscaler(name, 'cpu'));
  for (const { path, form, sha256, bytes, architecture } of files) {
    const file = readFileSync(path);
    expect([hashOf(file), file.length]).toEqual([sha256, bytes]);
    expect(() => selectTensors(architecture, readWeights(file, form), form)).not.toThrow();
  }
  expect(files.reduce((sum, { bytes }) => sum + bytes, 0)).toBeLessThan(3_500_000);
});

test.each([
  ['pth', () => writePth(noise, 'params')],
  ['safetensors', () => writeSafetensors(noise)],
  ['onnx', () => buildGraph(small, noise)],
] as const)(
  '%s: recognised by its shapes, rejected without --accept, stored as unofficial with it',
  async (_form, bytes) => {
    const [models, file] = [modelsIn(), fileOf(bytes())];
    expect(await refusal(models.add(file, { accept: false }))).toContain('but is unofficial');
    expect(await models.add(file, { accept: true })).toMatchObject({
      name: 'realesr_animevideov3',
      origin: 'unofficial',
      form: 'safetensors',
    });
    const { path, sha256, architecture } = await models.upscaler('realesr_animevideov3');
    expect([readFileSync(path), architecture]).toEqual([Buffer.from(writeSafetensors(noise)), small]);
    expect(path).toContain(sha256.slice(0, 12));
  },
);

test('a later file replaces the earlier one', async () => {
  const models = modelsIn();
  await models.add(fileOf(writePth(noise)), { accept: true });
  const changed = new Map(noise).set('body.0.bias', { shape: [64], data: new Float32Array(64) });
  const { sha256 } = await models.add(fileOf(writePth(changed)), { accept: true });
  expect(readdirSync(join(folder, 'models')).toSorted()).toEqual([
    `realesr_animevideov3-${sha256.slice(0, 12)}.safetensors`,
    'realesr_animevideov3.json',
  ]);
});

test.each([
  [
    'another architecture',
    () => writePth(noise),
    { name: 'realesrgan_x4plus' as const },
    'looks like SRVGGNetCompact with 16',
  ],
  [
    'no model of the manifest',
    () => writePth(new Map([['a', { shape: [1], data: Float32Array.of(1) }]])),
    {},
    'no model of the manifest',
  ],
  ['an empty file', () => new Uint8Array(0), {}, 'not an ONNX graph'],
  ['an image', () => Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex'), {}, 'not an ONNX graph'],
  ['a truncated checkpoint', () => writePth(noise).subarray(0, 100_000), {}, 'truncated'],
  ['a graph without an image input', () => graphOf('x'), {}, 'no model of the manifest'],
  [
    'an upscaler instead of a segmentation network',
    () => buildGraph(small, noise),
    { name: 'u2netp' as const },
    'does not match u2netp',
  ],
] as const)('%s is rejected with an explanation', async (_what, bytes, more, words) => {
  const message = await refusal(modelsIn().add(fileOf(bytes()), { accept: true, ...more }));
  expect(message).toContain(words);
  expect(readdirSync(join(folder, 'models')).filter((name) => name.endsWith('.json'))).toEqual([]);
});

function graphOf(name: string): Uint8Array {
  const graph = new Graph();
  graph.weights(name, { shape: [1], data: Float32Array.of(1) });
  graph.node('Mul', ['input', name], {}, 'output');
  return graph.toModel();
}

test('external weights of a graph are accepted only from beside the graph', async () => {
  const [models] = [modelsIn()];
  const outside = fileOf(externalGraph('../secret.bin'), 'outside.onnx');
  expect(await refusal(models.add(outside, { accept: true }))).toContain('outside its folder');
  const nul = fileOf(externalGraph('a\0b'), 'nul.onnx');
  expect(await refusal(models.add(nul, { accept: true }))).toContain('outside its folder');
  truncateSync(fileOf(Buffer.alloc(1), 'large.bin'), MODEL_FILE_BYTES_MAX + 1);
  const large = fileOf(externalGraph('large.bin'), 'large.onnx');
  expect(await refusal(models.add(large, { accept: true }))).toContain('than any model of the manifest');
  const beside = fileOf(externalGraph('not_here.bin'), 'beside.onnx');
  expect(await refusal(models.add(beside, { accept: true }))).toContain('missing');
});

/** ModelProto.graph (7) → initializer (5) → dims, type, name, and where the bytes are. */
function externalGraph(location: string): Uint8Array {
  const field = (number: number, bytes: Uint8Array) =>
    Buffer.concat([Buffer.of(number * 8 + 2, bytes.length), bytes]);
  const pair = Buffer.concat([field(1, Buffer.from('location')), field(2, Buffer.from(location))]);
  const tensor = [Buffer.of(0x08, 1, 0x10, 1), field(8, Buffer.from('body.0.bias')), field(13, pair)];
  return field(7, field(5, Buffer.concat(tensor)));
}

test('a model with a corrupt record counts as not installed', async () => {
  const models = modelsIn();
  await models.add(fileOf(writePth(noise)), { accept: true });
  const record = join(folder, 'models', 'realesr_animevideov3.json');
  for (const text of [
    '',
    '{',
    '{"file": "../../etc/passwd"}',
    readFileSync(record, 'utf8').replace('unofficial', 'best'),
  ]) {
    writeFileSync(record, text);
    expect((await models.list()).filter(({ installed }) => installed)).toEqual([]);
  }
});

test('a background removal network is recognised by its input size', async () => {
  const path = fileOf(redSegmenter(), 'red.onnx');
  expect(await refusal(modelsIn().add(path, { accept: false }))).toContain('matches u2netp');
  expect(await modelsIn().add(path, { accept: true })).toMatchObject({
    name: 'u2netp',
    form: 'onnx',
    origin: 'unofficial',
  });
  await expect(modelsIn().add(path, { accept: true, name: 'isnet_general' })).rejects.toThrow('320 × 320');
});

/** A mirror that breaks off once, keeps ranges, and lies where told. */
let server: Server;
let mirror: string;
const asked: (string | undefined)[] = [];
let answer: { bytes: Uint8Array; status: number; stopAfter: number; ranges: boolean };
beforeAll(async () => {
  server = createServer((request, response) => {
    asked.push(request.headers.range);
    const start = answer.ranges ? Number(/bytes=(\d+)-/.exec(request.headers.range ?? '')?.[1] ?? 0) : 0;
    const rest = answer.bytes.subarray(start);
    const all = answer.bytes.length;
    const status = start > 0 ? 206 : answer.status;
    response.writeHead(status, {
      'Content-Length': rest.length,
      ...(start > 0 && { 'Content-Range': `bytes ${start}-${all - 1}/${all}` }),
    });
    const end = answer.stopAfter;
    answer = { ...answer, stopAfter: Number.POSITIVE_INFINITY };
    if (end < rest.length)
      response.write(rest.subarray(0, end), () => setTimeout(() => response.destroy(), 50));
    else response.end(rest);
  });
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  mirror = `http://127.0.0.1:${(server.address() as AddressInfo).port}/files/`;
});
afterAll(() => new Promise((done) => server.close(done)));
beforeEach(() => {
  asked.length = 0;
  answer = {
    bytes: writePth(noise, 'params'),
    status: 200,
    stopAfter: Number.POSITIVE_INFINITY,
    ranges: true,
  };
});

const watch = () => {
  const seen: number[] = [];
  return { seen, signal: new AbortController().signal, onProgress: (done: number) => void seen.push(done) };
};

test('a download resumes after an interruption, is verified and installed as official', async () => {
  const bytes = writePth(noise, 'params');
  const entry = MANIFEST.realesr_animevideov3;
  const official = { ...entry.official, bytes: bytes.length, sha256: hashOf(bytes) };
  const manifest = { ...MANIFEST, realesr_animevideov3: { ...entry, official } };
  const models = createModels({ folder: join(folder, 'models'), mirror, provider: 'cpu', fetch, manifest });
  answer = { ...answer, bytes, stopAfter: 1_000_000 };
  const { seen, ...watching } = watch();

  expect(await refusal(models.pull('realesr_animevideov3', watching))).toContain(
    'To resume, run the same command again',
  );
  const installed = await models.pull('realesr_animevideov3', watching);
  expect(installed).toMatchObject({ form: 'pth', origin: 'official', sha256: official.sha256 });
  expect(asked).toEqual([undefined, expect.stringMatching(/^bytes=[1-9]\d+-$/)]);
  expect(seen.at(-1)).toBe(bytes.length);
  expect(readdirSync(join(folder, 'models')).some((name) => name.endsWith('.part'))).toBe(false);
  await expect(models.add(installed.path, { name: 'realesrgan_x2plus', accept: true })).rejects.toThrow(
    'official file of',
  );
});

test('a file that differs from the published one is not installed; the retry starts over', async () => {
  const models = modelsIn(mirror);
  answer = { ...answer, bytes: Buffer.alloc(MANIFEST.realesr_animevideov3.official.bytes) };
  expect(await refusal(models.pull('realesr_animevideov3', watch()))).toContain('is not the published one');
  expect(readdirSync(join(folder, 'models'))).toEqual([]);
});

test.each([
  ['404', { status: 404 }, 'answered 404'],
  ['more than published', { bytes: Buffer.alloc(3_000_000) }, 'offers 3000000 bytes'],
  ['less than published', { bytes: Buffer.alloc(1000) }, 'offers 1000 bytes'],
])('%s is reported with a remedy', async (_what, change, words) => {
  answer = { ...answer, ...change };
  expect(await refusal(modelsIn(mirror).pull('realesr_animevideov3', watch()))).toContain(words);
});

test('an unreachable server is named by its URL', async () => {
  const message = await refusal(modelsIn('http://127.0.0.1:1').pull('realesr_animevideov3', watch()));
  expect(message).toMatch(/127\.0\.0\.1:1\/realesr-animevideov3\.pth is unreachable/);
});
