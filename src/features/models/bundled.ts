import { join } from 'node:path';
import type { Provider } from '@atelier/imaging/onnx/session.ts';
import type { Architecture } from '@atelier/imaging/upscale/architecture.ts';
import type { Condition } from '@atelier/imaging/upscale/condition.ts';

interface BundledFile {
  readonly architecture: Architecture & { readonly scale: 2 | 4 };
  /** Condition of the images it was trained on. */
  readonly condition: Condition['kind'];
  /** Version, which changes with the weights. */
  readonly version: string;
  readonly bytes: number;
  readonly sha256: string;
}

const span = <Scale extends 2 | 4>(scale: Scale) =>
  ({ kind: 'SPAN', scale, features: 48, blocks: 6 }) as const;

/**
 * All bundled models: SPAN as published by its authors for clean images, and trained further by this project for degraded ones
 * (training/README.md). Licence: Apache-2.0
 */
export const BUNDLED = {
  atelier_compact_x2: {
    architecture: span(2),
    condition: 'clean',
    version: '4',
    bytes: 825_096,
    sha256: 'b59742f82b93d70ee9fa7ae04f3a7a7a016dcc56d2aedde047b84f567c4e6fa8',
  },
  atelier_compact_x2_spoiled: {
    architecture: span(2),
    condition: 'spoiled',
    version: '3',
    bytes: 825_096,
    sha256: '46b268650aea640ef3377ccd7b56b6135d399b21d52a924570f2f2f2585f493d',
  },
  atelier_compact_x4: {
    architecture: span(4),
    condition: 'clean',
    version: '4',
    bytes: 856_272,
    sha256: '031859f86e17a40f748a316988e4bc72f225db71678134359643bd7a9c99bc2d',
  },
  atelier_compact_x4_spoiled: {
    architecture: span(4),
    condition: 'spoiled',
    version: '3',
    bytes: 856_272,
    sha256: 'a056421a48a09b4dfc7b5af1657aa02d6061753eed495001374397852b1fa497',
  },
} as const satisfies Record<string, BundledFile>;

export type BundledName = keyof typeof BUNDLED;

/** Bundled weights. */
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

/** Models for clean images, and for compressed or noisy ones. */
export interface BundledPair {
  readonly clean: BundledUpscaler;
  readonly spoiled: BundledUpscaler;
}

/** A bundled model, stored next to this file. */
export function bundledUpscaler(name: BundledName, provider: Provider): BundledUpscaler {
  return {
    ...BUNDLED[name],
    name,
    path: join(import.meta.dirname, 'bundled', `${name}.safetensors`),
    form: 'safetensors',
    provider,
  };
}

/** All bundled models. */
export const bundledUpscalers = (provider: Provider): BundledUpscaler[] =>
  (Object.keys(BUNDLED) as BundledName[]).map((name) => bundledUpscaler(name, provider));

/** The two models of one scale. */
export function bundledPair(scale: number, provider: Provider): BundledPair {
  const of = (condition: Condition['kind']) =>
    bundledUpscalers(provider).find(
      (network) => network.architecture.scale === scale && network.condition === condition,
    )!;
  return { clean: of('clean'), spoiled: of('spoiled') };
}
