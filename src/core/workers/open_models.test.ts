import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Architecture } from '@atelier/imaging/upscale/architecture.ts';
import { afterAll, expect, test } from 'vitest';
import { noiseWeights } from '../../../tests/support/noise_weights.ts';
import { writePth } from '../../../tests/support/write_pth.ts';
import { hashOf } from '../../features/models/recognise.ts';
import { OPEN_WEIGHTS_BYTES_MAX } from './limits.ts';
import { type ModelFile, openModel } from './open_models.ts';

const folder = mkdtempSync(join(tmpdir(), 'atelier-open-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** A tiny model that is counted as one with weights of this size. */
function model(name: string, features: number, bytes: number): ModelFile {
  const architecture: Architecture = { kind: 'SRVGGNetCompact', scale: 2, features, convolutions: 1 };
  const file = writePth(noiseWeights(architecture));
  const path = join(folder, name);
  writeFileSync(path, file);
  return { name, path, form: 'pth', bytes, sha256: hashOf(file), architecture, provider: 'cpu' };
}

test('models stay open within the weight limit, and the least recently used closes first', async () => {
  const third = Math.floor(OPEN_WEIGHTS_BYTES_MAX / 3);
  const [a, b, c, d] = [2, 3, 4, 5].map((features) => model(`model_${features}`, features, third)) as [
    ModelFile,
    ModelFile,
    ModelFile,
    ModelFile,
  ];
  const first = { a: await openModel(a), b: await openModel(b), c: await openModel(c) };
  expect(await openModel(a)).toBe(first.a);
  await openModel(d);
  expect([await openModel(c), await openModel(a)]).toEqual([first.c, first.a]);
  expect(await openModel(b)).not.toBe(first.b);
  await expect(first.b.enlarge(new Float32Array(12), 2, 2)).rejects.toThrow();
});

test('a model larger than the weight limit is opened alone', async () => {
  const large = model('large', 6, OPEN_WEIGHTS_BYTES_MAX * 2);
  const network = await openModel(large);
  expect((await network.enlarge(new Float32Array(12), 2, 2)).length).toBe(48);
});
