import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sharp } from '@atelier/imaging/codecs/sharp.ts';
import { afterAll, expect, test } from 'vitest';
import { objectFinder } from '../../../tests/fixtures/object_finder.ts';
import { redSegmenter } from '../../../tests/fixtures/red_segmenter.ts';
import { disc, madePicture } from '../../../tests/support/made_pictures.ts';
import { createModels } from '../../features/models/service.ts';
import { runCutOut } from './run_cut_out.ts';
import { createPixels } from './workers.ts';

const folder = mkdtempSync(join(tmpdir(), 'atelier-cut-out-'));
const file = join(folder, 'red.onnx');
writeFileSync(file, redSegmenter());
const models = createModels({ folder, provider: 'cpu', fetch });
const pool = createPixels({ workers: 1, pixelsInFlightMax: 1e7, queueLengthMax: 9, deadlineMs: 60_000 });
afterAll(async () => {
  await pool.close();
  rmSync(folder, { recursive: true });
});

const RED = { create: { width: 30, height: 30, channels: 3, background: '#d22' } } as const;
const size = { width: 160, height: 120 };
const made = madePicture({
  ...size,
  opacity: disc(80, 60, 35),
  object: (_x, y) => [210 - y, 60, 40],
  background: (x, y) => [110 + 40 * Math.sin(x / 9), 130 + 30 * Math.sin(y / 7), 140],
});
const run = async () => {
  const bytes = await sharp(made.data, { raw: { ...size, channels: 3 } })
    .png()
    .toBuffer();
  const network = (await models.cutOut())!;
  const request = { bytes, format: 'png', look: { kind: 'transparent' }, network } as const;
  return pool.run('cut_out_by_network', request, { pixels: 2e4, signal: AbortSignal.timeout(60_000) });
};

test('without an installed model there is no cutout model', async () => {
  expect(await models.cutOut()).toBeUndefined();
});

test('an installed model finds the object and is named', async () => {
  const { sha256 } = await models.add(file, { accept: true });
  const answer = await run();
  expect(answer).toMatchObject({ foundBy: 'network', engine: { name: 'u2netp', weights_sha256: sha256 } });
  const alpha = await sharp(answer.bytes).extractChannel(3).raw().toBuffer();
  expect([alpha[60 * 160 + 80], alpha[5 * 160 + 5]]).toEqual([255, 0]);
});

test('a model whose file was changed is refused', async () => {
  const { path } = await models.add(file, { accept: true });
  await pool.close();
  writeFileSync(path, 'changed');
  const fresh = createPixels({ workers: 1, pixelsInFlightMax: 1e7, queueLengthMax: 9, deadlineMs: 60_000 });
  const bytes = await sharp(made.data, { raw: { ...size, channels: 3 } })
    .png()
    .toBuffer();
  const network = (await models.cutOut())!;
  const refused = fresh.run(
    'cut_out_by_network',
    { bytes, format: 'png', look: { kind: 'transparent' }, network },
    { pixels: 2e4, signal: AbortSignal.timeout(60_000) },
  );
  await expect(refused).rejects.toMatchObject({ code: 'model_unavailable' });
  await fresh.close();
});

test('a word selects the one of two subjects that an object detector identifies', async () => {
  const bytes = await sharp({ create: { ...size, channels: 3, background: '#4a6' } })
    .composite([20, 110].map((left) => ({ input: RED, left, top: 45 })))
    .png()
    .toBuffer();
  const detector = join(folder, 'nanodet.onnx');
  // In the right half, from top to bottom.
  writeFileSync(detector, objectFinder({ kind: 'dog', score: 0.7, column: 9, row: 6, sides: [3, 6, 3, 6] }));
  await models.add(detector, { name: 'nanodet', accept: true });
  writeFileSync(file, redSegmenter());
  await models.add(file, { accept: true });
  const [network, eyes] = [(await models.cutOut())!, await models.eyes()];
  const request = {
    bytes,
    format: 'png',
    look: { kind: 'transparent' },
    network,
    word: 'puppy',
    eyes,
  } as const;
  const alpha = await sharp((await runCutOut(request)).bytes)
    .extractChannel(3)
    .raw()
    .toBuffer();
  expect([alpha[60 * 160 + 35], alpha[60 * 160 + 125]]).toEqual([0, 255]);
  await expect(runCutOut({ ...request, word: 'bicycle' })).rejects.toThrow(/No bicycle was found/);
});

test.each([
  ['unicorn', /"unicorn" is not a supported subject.*`where`/],
  ['face', /finds faces is not installed/],
  ['dog', /atelier models pull nanodet/],
])('the word "%s" is refused if no model finds it', async (word, said) => {
  const bytes = new Uint8Array([1]);
  const network = (await models.cutOut())!;
  const request = { bytes, format: 'png', look: { kind: 'transparent' }, network, word } as const;
  await expect(runCutOut(request)).rejects.toMatchObject({
    code: 'subject_unclear',
    message: expect.stringMatching(said),
  });
});
