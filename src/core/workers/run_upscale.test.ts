import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sharp } from '@atelier/imaging/codecs/sharp.ts';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { installNoiseModel } from '../../../tests/support/install_model.ts';
import { WAIT_MS_MAX } from '../../../tests/support/wait_ms_max.ts';
import { bundledPair } from '../../features/models/bundled.ts';
import { MANIFEST } from '../../features/models/manifest.ts';
import type { ModelFile } from './open_models.ts';
import { createPixels } from './workers.ts';

const folder = mkdtempSync(join(tmpdir(), 'atelier-upscale-'));
let model: ModelFile;
let picture: Buffer;
beforeAll(async () => {
  const { architecture } = MANIFEST.realesr_animevideov3;
  model = { ...(await installNoiseModel(folder)), form: 'safetensors', architecture, provider: 'cpu' };
  picture = await sharp({ create: { width: 20, height: 12, channels: 3, background: '#808080' } })
    .png()
    .toBuffer();
});
afterAll(() => rmSync(folder, { recursive: true }));

const settings = { workers: 1, pixelsInFlightMax: 1e7, queueLengthMax: 9, deadlineMs: 60_000 };
let pool = createPixels(settings);
const fresh = () => {
  pool = createPixels(settings);
  return pool;
};
afterEach(() => pool.close());
const control = () => ({ pixels: 1000, signal: new AbortController().signal });
const enlarge = (more: Partial<ModelFile> = {}, bytes: Uint8Array = picture) =>
  pool.run('upscale', { bytes, model: { ...model, ...more } }, control());
const isAlive = (pid: number) => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};
const codeOf = (work: Promise<unknown>) =>
  work.then(
    () => 'done',
    ({ code, message }) => (code === 'internal_error' ? message : code),
  );

test('the result names engine and weights, and the model stays loaded for the next call', async () => {
  fresh();
  const answer = await enlarge();
  expect(answer).toMatchObject({
    width: 80,
    height: 48,
    contentType: 'image/png',
    engine: { name: 'onnxruntime', version: '1.30.0', weights_sha256: model.sha256 },
  });
  const { pids } = pool;
  // The file is read only once: replacing it while the model is open has no effect.
  const moved = { ...model, path: join(folder, 'moved') };
  expect(await codeOf(pool.run('upscale', { bytes: picture, model: moved }, control()))).toBe('done');
  expect(pool.pids).toEqual(pids);
});

test('of two bundled models, the one for the image quality runs and is named', async () => {
  fresh();
  const pair = bundledPair(2, 'cpu');
  const run = (bytes: Uint8Array, more: object = {}) =>
    pool.run('upscale', { bytes, model: { ...pair, ...more } }, control());
  const clean = await run(picture);
  expect(clean).toMatchObject({
    width: 40,
    height: 24,
    engine: { name: pair.clean.name, version: pair.clean.version },
  });
  const jpeg = await sharp(picture).jpeg({ quality: 50 }).toBuffer();
  expect(await run(jpeg)).toMatchObject({
    engine: { name: pair.spoiled.name, weights_sha256: pair.spoiled.sha256 },
    chosenFor: 'it is a JPEG of quality about 50',
  });
  const damaged = { spoiled: { ...pair.spoiled, sha256: 'f'.repeat(64) } };
  await expect(run(jpeg, damaged)).rejects.toMatchObject({
    code: 'model_unavailable',
    message: expect.stringContaining('bundled with Atelier'),
  });
});

test('one model enlarges the output of another, and an oversized result is reduced', async () => {
  fresh();
  const next = bundledPair(2, 'cpu').clean;
  const chain = (more: object) => pool.run('upscale', { bytes: picture, model, next, ...more }, control());
  const whole = await chain({});
  expect([whole.width, whole.height]).toEqual([160, 96]);
  expect(whole.work.map(({ network, pixelsSeen }) => [network, pixelsSeen])).toEqual([
    [model.name, 20 * 12],
    [next.name, 80 * 48],
  ]);
  const reduced = await chain({ scale: 6 });
  const { width, height } = await sharp(reduced.bytes).metadata();
  expect([reduced.width, reduced.height, width, height]).toEqual([120, 72, 120, 72]);
});

test('models are checked on a reduced copy if the image is large enough', async () => {
  fresh();
  const pair = bundledPair(2, 'cpu');
  const run = (bytes: Uint8Array, more: object = {}) =>
    pool.run('upscale', { bytes, model: pair, ...more }, { ...control(), pixels: 1e6 });
  const rings = Uint8Array.from({ length: 160 * 160 * 3 }, (_, at) => {
    const [x, y] = [Math.floor(at / 3) % 160, Math.floor(at / 3 / 160)];
    return Math.abs(Math.hypot(x - 60, y - 50) - 24) < 5 || Math.abs(x - y - 40) < 3 ? 220 : 40 + x / 3;
  });
  const drawn = await sharp(rings, { raw: { width: 160, height: 160, channels: 3 } })
    .png()
    .toBuffer();
  expect((await run(drawn)).check!.gainDb).toBeGreaterThan(0.5);
  const guessing = (await run(drawn, { model: { ...model } })).check!;
  expect(guessing.gainDb).toBeLessThan(0);
  expect((await run(picture)).check).toBeUndefined();
});

test('models have a separate process beside the image processes', async () => {
  fresh();
  const resize = {
    bytes: picture,
    width: 8,
    height: 8,
    mode: 'contain',
    format: 'png',
    quality: 90,
  } as const;
  await Promise.all([enlarge(), pool.run('resize', resize, control())]);
  expect(pool.pids.length).toBe(2);
});

test('weights that were changed or deleted after installation are not used', async () => {
  fresh();
  const path = join(folder, 'altered');
  writeFileSync(path, Buffer.alloc(100));
  expect(await codeOf(enlarge({ path }))).toBe('model_unavailable');
  expect(await codeOf(enlarge({ path: join(folder, 'nowhere') }))).toBe('model_unavailable');
});

test('a missing execution provider is reported, not replaced', async () => {
  fresh();
  const provider = process.platform === 'darwin' ? 'dml' : 'coreml';
  await expect(enlarge({ provider })).rejects.toMatchObject({
    code: 'model_unavailable',
    message: expect.stringContaining('EXECUTION_PROVIDER'),
  });
});

test('progress is reported per tile; canceling ends the process, and the next call works', async () => {
  fresh();
  const large = await sharp({ create: { width: 1600, height: 1200, channels: 3, background: '#777777' } })
    .png()
    .toBuffer();
  const stop = new AbortController();
  const seen: string[] = [];
  const onProgress = (_: number, message: string) => {
    seen.push(message);
    if (message.startsWith('Loading')) setTimeout(() => stop.abort(), 200);
  };
  const request = { bytes: large, model };
  const given = pool.run('upscale', request, { pixels: 1000, signal: stop.signal, onProgress });
  const canceled = pool.pids;
  expect(await codeOf(given)).toBe('timed_out');
  const late = pool.run('upscale', request, { ...control(), deadlineMs: 300 });
  const stopped = pool.pids;
  expect(await codeOf(late)).toBe('timed_out');
  // Their memory is released with the processes.
  await vi.waitFor(() => expect([...canceled, ...stopped].filter(isAlive)).toEqual([]), WAIT_MS_MAX);
  expect([canceled.length, stopped.length]).toEqual([1, 1]);
  expect([seen, pool.load.pixelsInFlight]).toEqual([expect.arrayContaining(['Loading the model']), 0]);
  expect(await codeOf(enlarge())).toBe('done');
});

test('an idle model is closed and reopened for the next call', async () => {
  pool = createPixels({ ...settings, networkIdleMs: 50 });
  await enlarge();
  await vi.waitFor(() => expect(pool.pids).toEqual([]), WAIT_MS_MAX);
  expect(await codeOf(enlarge())).toBe('done');
});

test('an image of 100 megapixels is refused based on its header', async () => {
  fresh();
  const huge = await sharp({ create: { width: 10_000, height: 10_000, channels: 3, background: '#777777' } })
    .png()
    .toBuffer();
  expect(await codeOf(enlarge({}, huge))).toBe('image_too_large');
});

test('a damaged image fails alone, and the model stays loaded', async () => {
  fresh();
  await enlarge();
  const { pids } = pool;
  expect(await codeOf(enlarge({}, picture.subarray(0, 60)))).toBe('undecodable_image');
  expect([await codeOf(enlarge()), pool.pids]).toEqual(['done', pids]);
});
