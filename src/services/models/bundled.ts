import { join } from 'node:path';
import type { Provider } from '@atelier/engines/onnx/open_session.ts';
import type { Architecture } from '@atelier/engines/upscale/architecture.ts';
import type { Condition } from '@atelier/engines/upscale/condition.ts';

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
    bytes: 276_513,
    sha256: 'e8ac75458f771d72d18b16d1ce83ad13dded362a4ae2941172500bae4f33bffc',
  },
  atelier_compact_x2_spoiled: {
    architecture: small(2),
    condition: 'spoiled',
    version: '2',
    bytes: 208_425,
    sha256: '9da32295d993b743c4aa583c306ec2c4f61cdfd68c45dca1f2f0d2b008667ade',
  },
  atelier_compact_x4: {
    architecture: narrowed(4, 32),
    condition: 'clean',
    version: '3',
    bytes: 558_689,
    sha256: '90aa2886f65fe4103df5508025d179f80887ec8eb0fd0b3a09786f2aafca601d',
  },
  atelier_compact_x4_spoiled: {
    architecture: small(4),
    condition: 'spoiled',
    version: '2',
    bytes: 250_025,
    sha256: '5b31f7e4bb8c999f0194c1e07d31fa2535f84c0e63476182b74c46c031b44883',
  },
} as const satisfies Record<string, BundledFile>;

export type BundledName = keyof typeof BUNDLED;

/** Weights that come with the project. */
export interface BundledUpscaler {
  readonly name: BundledName;
  readonly path: string;
  readonly form: 'pth';
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
    path: join(import.meta.dirname, 'bundled', `${name}.pth`),
    form: 'pth',
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
