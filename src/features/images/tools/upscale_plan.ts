import { AtelierError } from '../../../core/errors/atelier_error.ts';
import type { PixelControl, SourceImage } from '../../../core/workers/types.ts';
import { LARGEST_REDUCED_PIXELS, UPSCALE_OUTPUT_PIXELS_MAX } from '../../definitions/tool_limits.ts';
import type { BundledUpscaler } from '../../models/bundled.ts';
import type { UpscalerName } from '../../models/manifest.ts';
import type { InstalledUpscaler, Models, UpscalerChoice } from '../../models/types.ts';
import type { Services } from '../../services.ts';

/** Models that a call may name, each with one scale. */
export const UPSCALE_MODELS = {
  realesrgan_x2plus: { best_for: 'general, web images, fast', scale: 2 },
  realesrgan_x4plus: { best_for: 'photography, print quality, high detail', scale: 4 },
  realesrgan_x4plus_anime: { best_for: 'anime, illustrations, digital art', scale: 4 },
  realesr_general_x4v3: { best_for: 'fast general, speed/quality balance', scale: 4 },
  realesr_animevideov3: { best_for: 'anime video frames, fastest 4x', scale: 4 },
} as const satisfies Partial<Record<UpscalerName, { best_for: string; scale: 2 | 4 }>>;
export type UpscaleModel = keyof typeof UPSCALE_MODELS;

/** Whether a call may name a model. */
export const isNamed = (name: string): name is UpscaleModel => name in UPSCALE_MODELS;

/** The model that can be interpolated with a variant that preserves noise. */
export const DENOISING_MODEL: UpscaleModel = 'realesr_general_x4v3';

/** That variant. */
export const DENOISING_TWIN = 'realesr_general_wdn_x4v3';

/** Few strengths, because each is a separate model in memory. */
const DENOISE_STEPS = 4;
/** Rounds a requested strength to an available one. */
export const roundDenoise = <RoundDenoiseOptions extends number | undefined>(
  asked: RoundDenoiseOptions,
): RoundDenoiseOptions =>
  (asked === undefined ? asked : Math.round(asked * DENOISE_STEPS) / DENOISE_STEPS) as RoundDenoiseOptions;

export const DEFAULT_MODEL: UpscaleModel = 'realesrgan_x2plus';

/** One model, or one of two, and the scale of its input relative to the image. */
export interface Stage {
  readonly choice: UpscalerChoice;
  readonly reach: number;
}

/** The models of a call. */
export interface UpscalePlan {
  /** A second stage enlarges the output of the first. */
  readonly stages: readonly [Stage, ...Stage[]];
  /** Final scale. */
  readonly scale: number;
  /** Why another model than the requested one runs, as text for people. */
  readonly because?: string;
  /** Models that may run instead, before a model has analysed the image. */
  readonly perhaps?: readonly string[];
}

export interface RoundDenoiseOptions {
  readonly model?: UpscaleModel | undefined;
  readonly scale: number;
  readonly denoise?: number | undefined;
  readonly allow_degraded: boolean;
}

type Factors = readonly [2 | 4, ...(2 | 4)[]];
/** Model scales in sequence by requested scale; larger results are reduced. */
const FACTORS = new Map<number, Factors>([
  [2, [2]],
  [3, [4]],
  [4, [4]],
  [6, [4, 2]],
  [8, [4, 2]],
]);
/** Scales available without a named model. */
export const SCALES: readonly number[] = [...FACTORS.keys()];

const MODEL_BY_FACTOR = { 2: 'realesrgan_x2plus', 4: 'realesrgan_x4plus' } as const;

/** The model of a call: the named one, else the first for its scale. */
export function modelOf({ model, scale }: Pick<RoundDenoiseOptions, 'scale' | 'model'>): UpscaleModel {
  const factors = FACTORS.get(scale);
  return model ?? (factors ? MODEL_BY_FACTOR[factors[0]] : DEFAULT_MODEL);
}

/** Final and largest intermediate scale. */
export function reachOf({ model, scale }: Pick<RoundDenoiseOptions, 'scale' | 'model'>): {
  scale: number;
  reach: number;
} {
  if (model) return { scale: UPSCALE_MODELS[model].scale, reach: UPSCALE_MODELS[model].scale };
  return { scale, reach: FACTORS.get(scale)!.reduce((product, factor) => product * factor, 1) };
}

/**
 * Models for a call. Without a named model, a clean image gets the faithful models if they are installed; but at ×2 and ×4 the model
 * of the specification has priority.
 * @throws AtelierError model_unavailable where only a smaller model is available and the client excludes it
 */
export async function planUpscale(
  { models, pixels }: Pick<Services, 'models' | 'pixels'>,
  asked: RoundDenoiseOptions,
  picture: SourceImage,
  control: Omit<PixelControl, 'pixels'>,
): Promise<UpscalePlan> {
  const { scale } = reachOf(asked);
  if (asked.model) return { scale, stages: [{ choice: await usual(models, asked.model, asked), reach: 1 }] };
  const [factor, ...more] = FACTORS.get(asked.scale)!;
  const later = await Promise.all(more.map((next) => afterwards(models, next, asked)));
  const rest = later.map((choice) => ({ choice, reach: factor }));
  const isSpecified = asked.scale === 2 || asked.scale === 4;
  const faithful = await faithfulOf(models, factor, isSpecified);
  // On another server it is text still, and fetched only by the run.
  const condition = faithful && picture.bytes && (await conditionOf(pixels, picture, control));
  if (faithful && condition?.kind === 'clean') {
    const because = `The image is clean (${condition.reason}) and no network was requested: ${faithful.name} is the most faithful.`;
    return {
      scale,
      because,
      stages: [{ choice: { kind: 'installed', network: faithful }, reach: 1 }, ...rest],
    };
  }
  const choice = await usual(models, MODEL_BY_FACTOR[factor], asked);
  const perhaps = faithful && !condition ? [faithful.name] : [];
  const stages: UpscalePlan['stages'] = [{ choice, reach: 1 }, ...rest];
  if (!faithful || !condition || choice.kind === 'bundled') return { scale, perhaps, stages };
  const because = `The image is degraded (${condition.reason}), which ${faithful.name} would sharpen; ${choice.network.name} was trained on such images.`;
  return { scale, perhaps, because, stages };
}

/**
 * The network that stays true to clean pictures: the installed one, else, where the network that would run invents detail, the bundled one, which
 * has the same weights (docs/decisions/0025-upscaling.md).
 * @param isSpecified the specification has the scale select another network, which then runs where it is installed
 */
async function faithfulOf(
  models: Models,
  factor: 2 | 4,
  isSpecified = false,
): Promise<InstalledUpscaler | BundledUpscaler | undefined> {
  const installed = await models.faithful(factor);
  // Decided without a look at the usual network.
  if (Boolean(installed) !== isSpecified) return installed;
  const isUsualInstalled = (await models.choose(MODEL_BY_FACTOR[factor])).kind === 'installed';
  if (isSpecified) return isUsualInstalled ? undefined : installed;
  return isUsualInstalled ? models.bundled(factor).clean : undefined;
}

const conditionOf = (
  pixels: Services['pixels'],
  { bytes, width, height }: SourceImage,
  control: Omit<PixelControl, 'pixels'>,
) => pixels.run('condition', { bytes }, { ...control, pixels: width * height });

async function usual(
  models: Models,
  model: UpscaleModel,
  { allow_degraded: allowed, denoise }: RoundDenoiseOptions,
): Promise<UpscalerChoice> {
  const strength = roundDenoise(denoise);
  if (strength !== undefined && strength < 1)
    return { kind: 'installed', network: await models.denoising(strength) };
  if (allowed) return models.choose(model);
  return { kind: 'installed', network: await models.upscaler(model) };
}

/** Models for the second stage, whose input is always clean. */
async function afterwards(
  models: Models,
  factor: 2 | 4,
  asked: RoundDenoiseOptions,
): Promise<UpscalerChoice> {
  const network = await faithfulOf(models, factor);
  if (network) return { kind: 'installed', network };
  const choice = await usual(models, MODEL_BY_FACTOR[factor], asked);
  if (choice.kind === 'installed') return choice;
  const { clean } = choice.networks;
  return { ...choice, networks: { clean, spoiled: clean } };
}

/** Maximum output pixels: a result that is reduced afterwards is decoded again like any image. */
export function largestOf(asked: Pick<RoundDenoiseOptions, 'scale' | 'model'>): number {
  const { scale, reach } = reachOf(asked);
  return reach > scale ? LARGEST_REDUCED_PIXELS : UPSCALE_OUTPUT_PIXELS_MAX;
}

/** @throws AtelierError image_too_large where the result, or its intermediate size, would be too large */
export function refuseTooLarge(
  { width, height }: { width: number; height: number },
  asked: RoundDenoiseOptions,
): void {
  const { scale, reach } = reachOf(asked);
  const pixels = width * height * reach ** 2;
  const pixelsMax = largestOf(asked);
  if (pixels <= pixelsMax) return;
  const inputMax = pixelsMax / reach ** 2 / 1e6;
  const onTheWay =
    reach > scale ? `  in an intermediate step (it is enlarged ${reach} times and reduced)` : '';
  throw new AtelierError(
    'image_too_large',
    `The enlarged image would have ${Math.ceil(pixels / 1e6)} million pixels${onTheWay}. The limit is ${pixelsMax / 1e6} million, so an image enlarged ${scale} times may have ${inputMax} million. Send a smaller one${scale > 2 ? ' or enlarge it less' : ''}.`,
  );
}
