import { quickBoxMean } from '../pixels/box_mean.ts';
import type { Plane } from '../pixels/plane.ts';
import { CELL_PX } from './wavelet.ts';

/** What the eye makes of a change, for every cell of 8 × 8 pixels. */
export interface Visibility {
  readonly columns: number;
  readonly rows: number;
  /** Amplitude of noise in the band of the mark that is just not seen, in grey levels. */
  readonly threshold: Float32Array;
  /** Loss of structural similarity (SSIM) for a unit of squared change. */
  readonly loss: Float32Array;
}

/**
 * Threshold of noise in one band of a wavelet transform on plain mid-grey, with waves along or across: `AMPLITUDE` · 10 to the power of
 * `CURVATURE` · log10(f / `PEAK`)², f in cycles per degree. A. Watson et al., Visibility of Wavelet Quantization Noise, IEEE Trans. Image
 * Process. 6 (1997), table I.
 */
const AMPLITUDE = 0.495;
const CURVATURE = 0.466;
const PEAK_CYCLES = 0.401;
/** A screen of 96 dots an inch, seen at 100 % from 60 cm. */
const PIXELS_PER_DEGREE = 40;
/**
 * The threshold of a difference in light grows by the power of 0.649 of the light around it, and by that of 0.7 of the contrast. A. Watson,
 * DCT Quantization Matrices Visually Optimized for Individual Images, Proc. SPIE 1913 (1993).
 */
const LIGHT_POWER = 0.649;
const CONTRAST_POWER = 0.7;
/** Of an sRGB screen (IEC 61966-2-1), and the light a room throws on it. */
const GAMMA = 2.2;
const FLARE = 0.01;
const MID_GREY = 128;
const DARKEST = 40;

/** Wang et al., Image Quality Assessment, IEEE Trans. Image Process. 13 (2004): (0.03 · 255)². */
const SSIM_C2 = 58.5225;

/**
 * @param frame with sides that are multiples of 8
 * @param seen factor for all thresholds
 */
export function visibilityOf(frame: Plane, { scale, seen }: { scale: number; seen: number }): Visibility {
  const [columns, rows] = [frame.width / CELL_PX, frame.height / CELL_PX];
  return {
    columns,
    rows,
    threshold: thresholdOf(frame, scale).map((each) => seen * each),
    loss: lossOf(frame),
  };
}

/** Activity of every cell: mean absolute deviation from the local mean. The detector can compute it from the watermarked image. */
export function activityOf(frame: Plane): Float32Array {
  const smooth = quickBoxMean(frame, 4).data;
  for (let at = 0; at < smooth.length; at++) smooth[at] = Math.abs(frame.data[at]! - smooth[at]!);
  return cellMeans({ ...frame, data: smooth });
}

function thresholdOf(frame: Plane, scale: number): Float32Array {
  const cells = { width: frame.width / CELL_PX, height: frame.height / CELL_PX, data: activityOf(frame) };
  // Beside an edge a plain area must not take over what only the edge hides: roots keep edges from counting too much.
  const calm = quickBoxMean({ ...cells, data: cells.data.map(Math.sqrt) }, 1).data.map((root) => root * root);
  const cyclesPerDegree = PIXELS_PER_DEGREE / (CELL_PX * scale);
  const plain = AMPLITUDE * 10 ** (CURVATURE * Math.log10(cyclesPerDegree / PEAK_CYCLES) ** 2);
  return cellMeans(frame).map((level, at) => {
    const lit = (plain * justSeen(level)) / justSeen(MID_GREY);
    const contrast = Math.min(calm[at]!, cells.data[at]!);
    return lit * Math.max(1, (contrast / lit) ** CONTRAST_POWER);
  });
}

/** The least difference in grey levels that is seen at a grey level, up to a factor. */
function justSeen(level: number): number {
  const share = Math.max(DARKEST, level) / 255;
  return (share ** GAMMA + FLARE) ** LIGHT_POWER / share ** (GAMMA - 1);
}

function lossOf(frame: Plane): Float32Array {
  const mean = quickBoxMean(frame, 3).data;
  const squares = new Float32Array(mean.length);
  for (let at = 0; at < squares.length; at++) squares[at] = frame.data[at]! * frame.data[at]!;
  const loss = quickBoxMean({ ...frame, data: squares }, 3).data;
  for (let at = 0; at < loss.length; at++)
    loss[at] = 1 / (2 * Math.max(0, loss[at]! - mean[at]! * mean[at]!) + SSIM_C2);
  return cellMeans({ ...frame, data: loss });
}

/** Mean of every cell. */
export function cellMeans({ width, height, data }: Plane): Float32Array {
  const columns = width / CELL_PX;
  const cells = new Float32Array(columns * (height / CELL_PX));
  for (let y = 0, at = 0; y < height; y++) {
    const row = (y >> 3) * columns;
    for (let x = 0; x < width; x++, at++) cells[row + (x >> 3)]! += data[at]! / (CELL_PX * CELL_PX);
  }
  return cells;
}

/** 1 for every cell that is mostly as dark or as bright as a picture can be: changes were cut off there. */
export function clippedCells(frame: Plane): Uint8Array {
  const shares = cellMeans({ ...frame, data: frame.data.map((value) => (value < 1 || value > 254 ? 1 : 0)) });
  return Uint8Array.from(shares, (share) => (share > 0.5 ? 1 : 0));
}
