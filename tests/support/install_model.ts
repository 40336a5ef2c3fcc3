import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { writeSafetensors } from '@atelier/imaging/upscale/weights/safetensors.ts';
import { MANIFEST } from '../../src/features/models/manifest.ts';
import { createModels } from '../../src/features/models/service.ts';
import type { InstalledModel } from '../../src/features/models/types.ts';
import { noiseWeights } from './noise_weights.ts';

/**
 * Installs the smallest upscaling network with random weights into a data folder: real runs without a
 * download. It is marked as unofficial.
 */
export async function installNoiseModel(dataDir: string): Promise<InstalledModel> {
  const folder = mkdtempSync(join(tmpdir(), 'atelier-noise-'));
  const file = join(folder, 'noise.safetensors');
  writeFileSync(file, writeSafetensors(noiseWeights(MANIFEST.realesr_animevideov3.architecture)));
  const models = createModels({ folder: join(dataDir, 'models'), provider: 'cpu', fetch });
  try {
    return await models.add(file, { accept: true });
  } finally {
    rmSync(folder, { recursive: true });
  }
}
