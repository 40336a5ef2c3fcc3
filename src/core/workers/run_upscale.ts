import { ONNXRUNTIME } from '@atelier/imaging/onnx/open_session.ts';
import type { Session } from '@atelier/imaging/onnx/session.ts';
import { compareEnlarged } from '@atelier/imaging/quality/compare_enlarged.ts';
import type { DetailMap } from '@atelier/imaging/quality/draw_expected_error.ts';
import type { Quality } from '@atelier/imaging/quality/types.ts';
import { assessCondition } from '@atelier/imaging/upscale/condition.ts';
import { checkAgainstLanczos, type LanczosCheck } from '@atelier/imaging/upscale/lanczos_check.ts';
import { reducePng } from '@atelier/imaging/upscale/reduce_png.ts';
import { upscaleImage } from '@atelier/imaging/upscale/upscale_image.ts';
import type { OnProgress } from './metadata_passthrough.ts';
import { type ModelFile, openModel } from './open_models.ts';

export interface UpscaleRequest {
  readonly bytes: Uint8Array;
  /** One model, or one per image condition. */
  readonly model: ModelFile | { readonly clean: ModelFile; readonly spoiled: ModelFile };
  /** Enlarges the output of the first model. */
  readonly next?: ModelFile;
  /** Final scale, if the models produce more. */
  readonly scale?: number;
}

export interface EngineStatement {
  readonly name: string;
  readonly version: string;
  readonly weights_sha256: string;
  /** Execution provider, on a server that is not set to the CPU. */
  readonly provider?: Session['provider'];
  /** If the weights are interpolated: the models and their fractions. */
  readonly mixed?: { network: string; share: number; weights_sha256: string }[];
}

/** The input of a model, and the duration of decoding, enlarging and writing with the model open. */
interface Run {
  readonly network: string;
  readonly pixelsSeen: number;
  readonly seconds: number;
}

export interface EnlargedImage {
  readonly bytes: Uint8Array;
  readonly contentType: string;
  readonly width: number;
  readonly height: number;
  readonly quality: Quality;
  /** Map of invented detail. */
  readonly detailMap?: DetailMap;
  /** Engine of the first model. */
  readonly engine: EngineStatement;
  /** Work of each model, in the order they ran. */
  readonly work: readonly Run[];
  /** With two candidate models: why this one was chosen, for users. */
  readonly chosenFor?: string;
  /** Absent for an image that is too small to be checked. */
  readonly check?: LanczosCheck;
}

/** Enlarges an image with models that stay open in this process, and checks them on a reduced copy. */
export async function runUpscale(
  { bytes, model, next, scale }: UpscaleRequest,
  onProgress: OnProgress = () => {},
): Promise<EnlargedImage> {
  const condition = 'clean' in model ? await assessCondition(bytes) : undefined;
  const file = 'clean' in model ? model[condition!.kind] : model;
  const reach = file.architecture.scale * (next?.architecture.scale ?? 1);
  const chain = { file, next, share: (scale ?? reach) / reach };
  const { picture, work, provider } = await enlarge(bytes, chain, onProgress);
  const check = await checkAgainstLanczos(
    bytes,
    scale ?? reach,
    async (png) => (await enlarge(png, chain, () => {})).picture.bytes,
  );
  return {
    ...picture,
    ...(await compareEnlarged(bytes, picture)),
    work,
    engine: { ...engineOf(file), ...(file.provider !== 'cpu' && { provider }) },
    ...(condition && { chosenFor: condition.reason }),
    ...(check && { check }),
  };
}

/** One model or two, and the reduction afterwards. */
interface Chain {
  readonly file: ModelFile;
  readonly next: ModelFile | undefined;
  readonly share: number;
}

interface Enlarged {
  readonly picture: Picture;
  readonly work: readonly Run[];
  readonly provider: Session['provider'];
}

async function enlarge(
  bytes: Uint8Array,
  { file, next, share }: Chain,
  onProgress: OnProgress,
): Promise<Enlarged> {
  let made = await enlargeBy(file, bytes, (fraction, message) =>
    onProgress(next ? fraction / CHAIN_SHARE : fraction, message),
  );
  const work = [made.run];
  if (next) {
    made = await enlargeBy(next, made.bytes, (fraction, message) =>
      onProgress((1 + (CHAIN_SHARE - 1) * fraction) / CHAIN_SHARE, message),
    );
    work.push(made.run);
  }
  const { run: _, provider, ...picture } = made;
  return { picture: share === 1 ? picture : await reduceBy(share, picture), work, provider };
}

/** The second model has 16 times the pixels of the first: the first one's part of the progress is 1 in this many. */
const CHAIN_SHARE = 6;

type Picture = Pick<EnlargedImage, 'bytes' | 'contentType' | 'width' | 'height'>;

interface Made extends Picture {
  readonly run: Run;
  readonly provider: Session['provider'];
}

async function enlargeBy(file: ModelFile, bytes: Uint8Array, onProgress: OnProgress): Promise<Made> {
  onProgress(0.12, 'Loading the model');
  const network = await openModel(file);
  const started = performance.now();
  const { pieces, pixelsSeen, ...picture } = await upscaleImage(bytes, network, (fraction, message) =>
    onProgress(0.15 + 0.8 * fraction, message),
  );
  const seconds = (performance.now() - started) / 1000;
  const run = { network: file.name, pixelsSeen, seconds };
  return { ...picture, bytes: Buffer.concat(pieces), run, provider: network.provider };
}

async function reduceBy(share: number, { bytes, contentType, width, height }: Picture): Promise<Picture> {
  const size = { width: Math.round(width * share), height: Math.round(height * share) };
  return { bytes: await reducePng(bytes, size), contentType, ...size };
}

/** A bundled model is an engine by itself; official ones are named in `model`. */
function engineOf({ name, version, sha256, mix }: ModelFile): EngineStatement {
  const engine = { ...(version ? { name, version } : ONNXRUNTIME), weights_sha256: sha256 };
  if (!mix) return engine;
  const { share, twin } = mix;
  const own = { network: name, share, weights_sha256: sha256 };
  return {
    ...engine,
    mixed: [own, { network: twin.name, share: 1 - share, weights_sha256: twin.sha256 }],
  };
}
