import { quickBoxMean } from '../pixels/box_mean.ts';
import type { Plane } from '../pixels/plane.ts';
import { CELL_PX } from './wavelet.ts';

/** Visibility of changes in every cell of 8 × 8 pixels. */
export interface Visibility {
  readonly columns: number;
  readonly rows: number;
  /** How strongly detail masks a change, from PLAIN in a clear sky to 1 in foliage. */
  readonly hiding: Float32Array;
  /** Loss of structural similarity (SSIM) per unit of squared change. */
  readonly loss: Float32Array;
}

/** Share of the full change that is applied without masking. */
const PLAIN = 0.5;
/** Mean deviation from the local mean, in grey levels, at which half of the remaining change is masked. */
const HIDING_LEVELS = 3;
/** Wang et al., Image Quality Assessment, IEEE Trans. Image Process. 13 (2004): (0.03 · 255)². */
const SSIM_C2 = 58.5225;

/** Computes the visibility of changes. Sides of the frame must be multiples of 8. */
export function visibilityOf(frame: Plane): Visibility {
  const [columns, rows] = [frame.width / CELL_PX, frame.height / CELL_PX];
  return { columns, rows, hiding: hidingOf(frame), loss: lossOf(frame) };
}

/** Activity of every cell: mean absolute deviation from the local mean. The detector can compute it from the watermarked image. */
export function activityOf(frame: Plane): Float32Array {
  const smooth = quickBoxMean(frame, 4).data;
  for (let at = 0; at < smooth.length; at++) smooth[at] = Math.abs(frame.data[at]! - smooth[at]!);
  return cellMeans({ ...frame, data: smooth });
}

function hidingOf(frame: Plane): Float32Array {
  const cells = { width: frame.width / CELL_PX, height: frame.height / CELL_PX, data: activityOf(frame) };
  // A flat area next to an edge must not inherit the edge's masking: square roots reduce the weight of edges.
  const calm = quickBoxMean({ ...cells, data: cells.data.map(Math.sqrt) }, 1).data.map((root) => root * root);
  return calm.map((level, at) => {
    const hiding = Math.min(level, cells.data[at]!);
    return PLAIN + ((1 - PLAIN) * hiding) / (hiding + HIDING_LEVELS);
  });
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

/** Mean of each cell. */
export function cellMeans({ width, height, data }: Plane): Float32Array {
  const columns = width / CELL_PX;
  const cells = new Float32Array(columns * (height / CELL_PX));
  for (let y = 0, at = 0; y < height; y++) {
    const row = (y >> 3) * columns;
    for (let x = 0; x < width; x++, at++) cells[row + (x >> 3)]! += data[at]! / (CELL_PX * CELL_PX);
  }
  return cells;
}

/** 1 for each cell that is mostly black or white, where changes were clipped. */
export function clippedCells(frame: Plane): Uint8Array {
  const shares = cellMeans({ ...frame, data: frame.data.map((value) => (value < 1 || value > 254 ? 1 : 0)) });
  return Uint8Array.from(shares, (share) => (share > 0.5 ? 1 : 0));
}
