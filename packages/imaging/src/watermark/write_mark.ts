import type { Plane } from '../pixels/plane.ts';
import { type DeepRaster, depthOf, largestSample } from '../pixels/raster.ts';
import { addChange, canonicalFrame, FRAME_SIDE_PX, frameSize } from './canonical_frame.ts';
import type { CodedMark } from './coded_mark.ts';
import { type Budget, findMissing, type MarkPlan, planMark, seeFrame, wholeCells } from './mark_frame.ts';
import { sampledSimilarity } from './sampled_similarity.ts';

/** Share of the budget that a watermark may use, and how far it stays below the visibility thresholds. */
export interface MarkLevel {
  /** Of the mean squared change and of the loss of similarity. */
  readonly share: number;
  /** Maximum change of a coefficient, in visibility thresholds. Default: as far as its bit needs. */
  readonly cap?: number;
}

/** The whole budget without a cap. */
export const FULL_LEVEL: MarkLevel = { share: 1 };

export interface MarkedPixels {
  readonly raster: DeepRaster;
  /** Peak signal-to-noise ratio over all colour channels. */
  readonly psnrDb: number;
}

/**
 * A watermark is read back and corrected if the image has fewer pixels than this per pixel of the frame, because rounding and resampling then add
 * noise, or if more than the share below of its samples could not be changed because they are black or white.
 */
const MENDED_PIXELS = 1.5;
const MENDED_SHARE = 0.02;

/**
 * Actual cost relative to the budget above which a watermark is rewritten with less. The cost is predicted from the frame, too low for large smooth
 * images and for very dark ones. Rounding alone adds a tenth to the mean square; the loss is estimated from samples.
 */
const OVERRUN_MAX = { meanSquare: 1.15, similarityLoss: 1.04 };
const WRITINGS_MAX = 3;
/** Sampling underestimates by up to a tenth where an image loses much in few places, as in those that are rewritten. */
const REWRITING_MARGIN = 1.08;

/** Writes a watermark into a copy of an image. */
export function markPixels(
  raster: DeepRaster,
  mark: CodedMark,
  strength: number,
  level = FULL_LEVEL,
  seen = seeFrame(wholeCells(canonicalFrame(raster))),
): MarkedPixels {
  const budget = cut(budgetFor(raster, strength), level.share);
  const limits = level.cap === undefined ? undefined : { cap: level.cap, scale: scaleOf(raster) };
  for (let share = 1, writings = 1; ; writings++) {
    const { data, squares } = write(raster, planMark(seen, mark, cut(budget, share), limits));
    const marked = { ...raster, data };
    const meanSquare = (squares / colorsOf(raster)) * (255 / largestSample(raster)) ** 2;
    const loss = 1 - sampledSimilarity(raster, marked);
    const squareOverrun = meanSquare / budget.meanSquare;
    const lossOverrun = loss / budget.similarityLoss;
    const isWithin = squareOverrun <= OVERRUN_MAX.meanSquare && lossOverrun <= OVERRUN_MAX.similarityLoss;
    if (isWithin || writings === WRITINGS_MAX)
      return { raster: marked, psnrDb: 10 * Math.log10(255 ** 2 / meanSquare) };
    share /= REWRITING_MARGIN * Math.max(squareOverrun, lossOverrun);
  }
}

const cut = (budget: Budget, share: number): Budget => ({
  ...budget,
  meanSquare: share * budget.meanSquare,
  similarityLoss: share * budget.similarityLoss,
});

function write(raster: DeepRaster, plan: MarkPlan): Pick<DeepRaster, 'data'> & { squares: number } {
  const { length } = raster.data;
  const data = depthOf(raster) === 16 ? new Uint16Array(length) : new Uint8Array(length);
  const size = frameSize(raster);
  const change = padToFrame(plan.change, size);
  const written = addChange(raster, change, data);
  const isSmall = raster.width * raster.height < MENDED_PIXELS ** 2 * size.width * size.height;
  if (!isSmall && written.clipped <= MENDED_SHARE * length) return { data, squares: written.squares };
  const missing = findMissing(plan, wholeCells(canonicalFrame({ ...raster, data })));
  for (let y = 0; y < missing.height; y++)
    for (let x = 0; x < missing.width; x++)
      change.data[y * size.width + x]! += missing.data[y * missing.width + x]!;
  return { data, squares: addChange(raster, change, data).squares };
}

/** Pixels of the image per pixel of the frame. */
const scaleOf = ({ width, height }: DeepRaster): number => Math.min(width, height) / FRAME_SIDE_PX;

/** Number of colour samples, without alpha. */
const colorsOf = ({ channels, data }: DeepRaster): number =>
  data.length * (channels % 2 === 0 ? 1 - 1 / channels : 1);

/** Extends a plane of whole cells to the full frame, which may be a few pixels wider or higher. */
function padToFrame(cells: Plane, { width, height }: { width: number; height: number }): Plane {
  const data = new Float32Array(width * height);
  for (let y = 0; y < cells.height; y++)
    data.set(cells.data.subarray(y * cells.width, (y + 1) * cells.width), y * width);
  return { width, height, data };
}

/** In dB, at strengths 0.1, 0.5 and 1. */
const PSNR_DB = [47.3, 42.7, 39.3] as const;
const SIMILARITY_LOSS = [0.008, 0.022, 0.05] as const;
/** Centre of the watermark's band, in cycles per pixel of the frame. */
const BAND = 0.1;
/** Standard deviation of the SSIM window, in pixels. */
const WINDOW_PX = 1.5;

function budgetFor({ width, height }: DeepRaster, strength: number): Budget {
  const interpolate = ([low, middle, high]: readonly [number, number, number]) =>
    strength < 0.5
      ? low + ((strength - 0.1) / 0.4) * (middle - low)
      : middle + ((strength - 0.5) / 0.5) * (high - middle);
  const turns = 2 * Math.PI * WINDOW_PX * BAND * (512 / Math.min(width, height));
  return {
    meanSquare: 255 ** 2 / 10 ** (interpolate(PSNR_DB) / 10),
    similarityLoss: interpolate(SIMILARITY_LOSS),
    windowShare: 1 - Math.exp(-turns * turns),
  };
}
