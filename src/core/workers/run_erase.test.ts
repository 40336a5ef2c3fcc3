import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sharp } from '@atelier/imaging/codecs/sharp.ts';
import { afterAll, expect, test } from 'vitest';
import { GREY, greyEraser } from '../../../tests/fixtures/grey_eraser.ts';
import { createModels } from '../../features/models/service.ts';
import { createPixels } from './workers.ts';

const folder = mkdtempSync(join(tmpdir(), 'atelier-erase-'));
const models = createModels({ folder, provider: 'cpu', fetch });
const pool = createPixels({ workers: 1, pixelsInFlightMax: 1e7, queueLengthMax: 9, deadlineMs: 60_000 });
afterAll(async () => {
  await pool.close();
  rmSync(folder, { recursive: true });
});

const picture = (channels: 3 | 4) =>
  sharp({ create: { width: 120, height: 90, channels, background: { r: 200, g: 180, b: 40, alpha: 0.5 } } })
    .png()
    .toBuffer();
const boxes = [{ left: 50, top: 40, width: 12, height: 10 }];
const control = { pixels: 2e4, signal: AbortSignal.timeout(60_000) };
const levelsAt = async (file: Uint8Array, x: number, y: number) => {
  const { data, info } = await sharp(file).raw().toBuffer({ resolveWithObject: true });
  return [...data.subarray((y * info.width + x) * info.channels).subarray(0, 3)];
};

test('an installed model fills the hole and is named, and transparent images use patches', async () => {
  const file = join(folder, 'grey.onnx');
  writeFileSync(file, greyEraser());
  expect(await models.eraser()).toBeUndefined();
  const { name, sha256 } = await models.add(file, { accept: true });
  const network = (await models.eraser())!;
  const run = (bytes: Uint8Array) =>
    pool.run('erase_by_network', { bytes, boxes, feather: 0, format: 'png', network }, control);
  const opaque = await run(await picture(3));
  expect(name).toBe('migan');
  expect(opaque).toMatchObject({ filledBy: 'network', engine: { name: 'migan', weights_sha256: sha256 } });
  expect([await levelsAt(opaque.bytes, 55, 45), await levelsAt(opaque.bytes, 5, 5)]).toEqual([
    [GREY, GREY, GREY],
    [200, 180, 40],
  ]);
  expect(await run(await picture(4))).toMatchObject({ filledBy: 'patches' });
});

test('without a model, the image itself fills the hole, and an SVG is accepted as mask', async () => {
  const svg =
    '<svg xmlns="http://www.w3.org/2000/svg" width="120" height="90"><rect x="50" y="40" width="12" height="10"/></svg>';
  const request = { bytes: await picture(3), mask: Buffer.from(svg), feather: 1, format: 'png' } as const;
  const erased = await pool.run('erase', request, control);
  expect(await levelsAt(erased.bytes, 55, 45)).toEqual([200, 180, 40]);
  expect(erased.erasedShare).toBeCloseTo(120 / 10_800, 3);
});
