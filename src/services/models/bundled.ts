import { join } from 'node:path';
import type { Provider } from '../../engines/onnx/open_session.ts';
import type { Architecture } from '../../engines/upscale/architecture.ts';

interface BundledFile {
  readonly scale: 2 | 4;
  readonly bytes: number;
  readonly sha256: string;
}

/** THE list of networks this project trained itself (training/README.md). Licence: Apache-2.0 */
export const BUNDLED = {
  atelier_compact_x2: {
    scale: 2,
    bytes: 208_425,
    sha256: '7c0654e0f7a8ca728a5225b467caee3f37ac959fb6a06bff65b2328c70037822',
  },
  atelier_compact_x2_spoiled: {
    scale: 2,
    bytes: 208_425,
    sha256: 'b98bc8199e09dfc7b42f1339a49e5500dd6bde45c415ad42b4f84b88f000c426',
  },
  atelier_compact_x4: {
    scale: 4,
    bytes: 250_025,
    sha256: '2c46870e40c7c1cd95877afedabb7a80a356572db9fe4c31cd3a6f2a8cc72483',
  },
  atelier_compact_x4_spoiled: {
    scale: 4,
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
  readonly provider: Provider;
  /** Of its kind; changes with the weights. */
  readonly version: string;
}

const VERSION = '1';

/** A bundled network as it lies beside this file. */
export function bundledUpscaler(name: BundledName, provider: Provider): BundledUpscaler {
  const { scale, bytes, sha256 } = BUNDLED[name];
  return {
    name,
    path: join(import.meta.dirname, 'bundled', `${name}.pth`),
    form: 'pth',
    bytes,
    sha256,
    architecture: { kind: 'SRVGGNetCompact', scale, features: 32, convolutions: 5 },
    provider,
    version: VERSION,
  };
}
