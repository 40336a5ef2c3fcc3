import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { type Network, openNetwork } from '@atelier/imaging/upscale/open_network.ts';
import { readWeights, selectTensors } from '@atelier/imaging/upscale/weights/read_weights.ts';
import { bundledUpscalers } from '../../src/features/models/bundled.ts';
import { MANIFEST, type UpscalerName } from '../../src/features/models/manifest.ts';

const SHARED = new URL('../../../shared/', import.meta.url);

/** Official networks with weights beside the project. */
export const OFFICIAL = [
  'realesr_animevideov3',
  'realesr_general_x4v3',
  'realesrgan_x4plus_anime',
  'realesrgan_x4plus',
] as const satisfies readonly UpscalerName[];

/** Path of a third-party graph of an official network. */
export const graphOf = (name: string): string =>
  fileURLToPath(new URL(`models/${name}${name.startsWith('span') ? '_ch48' : ''}.onnx`, SHARED));

/** Opens a network by name: one of this project, or an official one with weights beside the project. */
export function openByName(name: string): Promise<Network> {
  const bundled = bundledUpscalers('cpu').find((network) => network.name === name);
  const { architecture } = bundled ?? MANIFEST[name as UpscalerName];
  const form = bundled?.form ?? 'onnx';
  const bytes = readFileSync(bundled?.path ?? graphOf(name));
  const beside = (file: string) => readFileSync(new URL(`models/${file}`, SHARED));
  return openNetwork(architecture, selectTensors(architecture, readWeights(bytes, form, beside), form));
}
