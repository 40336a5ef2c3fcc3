import { globSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { lumaPsnr } from '../../../../tests/support/luma_psnr.ts';
import { needs } from '../../../../tests/support/test_requirements.ts';
import { openNetwork } from './open_network.ts';
import { upscaleImage } from './upscale_image.ts';
import { mixWeights } from './weights/mix_weights.ts';
import { readWeights, selectTensors } from './weights/read_weights.ts';

const SHARED = new URL('../../../../../shared/', import.meta.url);
const architecture = { kind: 'SRVGGNetCompact', scale: 4, features: 64, convolutions: 32 } as const;
const read = (name: string) =>
  selectTensors(
    architecture,
    readWeights(readFileSync(new URL(`models/${name}.onnx`, SHARED)), 'onnx'),
    'onnx',
  );

/** Mean PSNR in dB of another implementation with the same weights, clean images. */
test.each([
  [1, 26.64],
  [0.5, 26.76],
  [0, 26.7],
])(
  'with a share of %f of the general model, Set5 matches the published results',
  needs('../shared'),
  async (share, published) => {
    const mixed = mixWeights(read('realesr_general_x4v3'), read('realesr_general_wdn_x4v3'), share);
    const network = await openNetwork(architecture, mixed);
    const folder = fileURLToPath(new URL('images/sr/set5/x4/', SHARED));
    const found: number[] = [];
    for (const path of globSync(`${folder}LR/*.png`)) {
      const { pieces } = await upscaleImage(readFileSync(path), network);
      found.push(await lumaPsnr(Buffer.concat(pieces), readFileSync(`${folder}HR/${basename(path)}`), 4));
    }
    expect(found.reduce((sum, dB) => sum + dB, 0) / found.length).toBeCloseTo(published, 1);
    await network.close();
  },
);
