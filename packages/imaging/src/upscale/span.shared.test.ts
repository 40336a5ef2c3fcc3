import { globSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { lumaPsnr } from '../../../../tests/support/luma_psnr.ts';
import { needs } from '../../../../tests/support/test_requirements.ts';
import { openNetwork } from './open_network.ts';
import { upscaleImage } from './upscale_image.ts';
import { readNcnn } from './weights/read_ncnn.ts';

const SHARED = new URL('../../../../../shared/', import.meta.url);

/** Mean PSNR in dB of another implementation with the same weights; bicubic filtering has 33.66 and 28.43. */
test.each([
  [2, 38.07],
  [4, 32.2],
])('SPAN ×%i reaches the published Set5 accuracy', needs('../shared'), async (scale, published) => {
  const architecture = { kind: 'SPAN', scale, features: 48, blocks: 6 } as const;
  const weights = readFileSync(new URL(`models/span/spanx${scale}_ch48.bin`, SHARED));
  const network = await openNetwork(architecture, readNcnn(weights, architecture));
  const folder = fileURLToPath(new URL(`images/sr/set5/x${scale}/`, SHARED));
  const found: number[] = [];
  for (const path of globSync(`${folder}LR/*.png`)) {
    const { pieces } = await upscaleImage(readFileSync(path), network);
    const large = readFileSync(`${folder}HR/${basename(path)}`);
    found.push(await lumaPsnr(Buffer.concat(pieces), large, scale));
  }
  expect(found.length).toBe(5);
  expect(found.reduce((sum, dB) => sum + dB, 0) / found.length).toBeCloseTo(published, 1);
  await network.close();
});
