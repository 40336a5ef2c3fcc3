import { join } from 'node:path';
import type { Provider } from '@atelier/imaging/onnx/session.ts';
import type { Architecture } from '@atelier/imaging/upscale/architecture.ts';
import type { Condition } from '@atelier/imaging/upscale/condition.ts';

interface BundledFile {
  readonly architecture: Architecture & { readonly scale: 2 | 4 };
  /** The condition of the pictures it was trained on. */
  readonly condition: Condition['kind'];
  /** The version among networks of its kind; changes with the weights. */
  readonly version: string;
  readonly bytes: number;
  readonly sha256: string;
}

const small = <Scale extends 2 | 4>(scale: Scale) =>
  ({ kind: 'SRVGGNetCompact', scale, features: 32, convolutions: 5 }) as const;
const narrowed = <Scale extends 2 | 4>(scale: Scale, inner: number) =>
  ({ kind: 'SPAN', scale, features: 48, blocks: 6, inner }) as const;

/** THE list of networks that come with the project, trained by it or narrowed from SPAN (training/README.md). Licence: Apache-2.0 */
export const BUNDLED = {
  atelier_compact_x2: {
    architecture: narrowed(2, 16),
    condition: 'clean',
    version: '3',
    bytes: 268_264,
    sha256: '8784d07ed9d1a2747539f38986b50934d9e6a270a804b4b6ffc25f047b275f2f',
  },
  atelier_compact_x2_spoiled: {
    architecture: small(2),
    condition: 'spoiled',
    version: '2',
    bytes: 204_720,
    sha256: '46d736312febd5da5a4fd3df9db95663e3d7724b5bbda09109a983a21e2b0b60',
  },
  atelier_compact_x4: {
    architecture: narrowed(4, 32),
    condition: 'clean',
    version: '3',
    bytes: 550_216,
    sha256: '6afe87c177aad4dd39b8c0c6d3d495b350d822cfbdb87d529cba9f55b37fcf12',
  },
  atelier_compact_x4_spoiled: {
    architecture: small(4),
    condition: 'spoiled',
    version: '2',
    bytes: 246_336,
    sha256: 'fe9bae820e9268f5782c45addae4f023cf25b154065f629217becc2ee183d2f7',
  },
} as const satisfies Record<string, BundledFile>;

export type BundledName = keyof typeof BUNDLED;

/** Weights that come with the project. */
export interface BundledUpscaler {
  readonly name: BundledName;
  readonly path: string;
  readonly form: 'safetensors';
  readonly bytes: number;
  readonly sha256: string;
  readonly architecture: Architecture;
  readonly condition: Condition['kind'];
  readonly provider: Provider;
  readonly version: string;
}

/** For pictures as they are, and for compressed or noisy ones. */
export interface BundledPair {
  readonly clean: BundledUpscaler;
  readonly spoiled: BundledUpscaler;
}

/** A bundled network as it lies beside this file. */
export function bundledUpscaler(name: BundledName, provider: Provider): BundledUpscaler {
  return {
    ...BUNDLED[name],
    name,
    path: join(import.meta.dirname, 'bundled', `${name}.safetensors`),
    form: 'safetensors',
    provider,
  };
}

/** All bundled networks. */
export const bundledUpscalers = (provider: Provider): BundledUpscaler[] =>
  (Object.keys(BUNDLED) as BundledName[]).map((name) => bundledUpscaler(name, provider));

/** The two of one scale. */
export function bundledPair(scale: number, provider: Provider): BundledPair {
  const of = (condition: Condition['kind']) =>
    bundledUpscalers(provider).find(
      (network) => network.architecture.scale === scale && network.condition === condition,
    )!;
  return { clean: of('clean'), spoiled: of('spoiled') };
}
