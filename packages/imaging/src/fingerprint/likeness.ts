import { correlation } from '../analysis/planes.ts';
import { boxMean } from '../pixels/box_mean.ts';
import type { Plane } from '../pixels/plane.ts';
import { DIHEDRAL } from './pdq/pdq.ts';
import { smallPicture } from './small_picture.ts';

/** Linear part of the map from an image to its original, by rotation and mirroring; coordinates from the centre. */
export const TURNED: Record<(typeof DIHEDRAL)[number], readonly [number, number, number, number]> = {
  original: [1, 0, 0, 1],
  rotate90: [0, 1, -1, 0],
  rotate180: [-1, 0, 0, -1],
  rotate270: [0, -1, 1, 0],
  flipX: [1, 0, 0, -1],
  flipY: [-1, 0, 0, 1],
  flipPlus1: [0, 1, 1, 0],
  flipMinus1: [0, -1, -1, 0],
};

interface Request {
  readonly bytes: Uint8Array;
  /** The other image, or its preview. */
  readonly original: Uint8Array;
  /** Index in DIHEDRAL: rotation and mirroring of the first image. */
  readonly turn: number;
}

/** Cells per side. */
const CELLS = 32;
/** Radius in cells of the local mean that is subtracted: brighter skies and darker corners are not similarity. */
const REACH = 4;

/**
 * Visual similarity of two whole images, -1 to 1: the correlation of their brightness in 32 × 32 cells, each minus the local mean. Robust to coarse
 * pixels and the lowest JPEG qualities, which change the signs of a PDQ hash, but not to a crop by 5 % of the sides.
 * @throws EngineError undecodable_image, image_too_large
 */
export async function likenessOf({ bytes, original, turn }: Request): Promise<number> {
  const [one, other] = [await smallPicture(bytes), await smallPicture(original)];
  const turned = turnCells(cellsOf(other.grey), turn);
  return correlation(withoutSurroundings(cellsOf(one.grey)), withoutSurroundings(turned));
}

/** Mean brightness of each cell; for sides shorter than CELLS, the nearest pixel. */
function cellsOf({ data, width, height }: Plane): Float32Array {
  const bounds = (cell: number, side: number) => {
    const from = Math.floor((cell * side) / CELLS);
    return [from, Math.max(from + 1, Math.floor(((cell + 1) * side) / CELLS))] as const;
  };
  return Float32Array.from({ length: CELLS * CELLS }, (_, at) => {
    const [left, right] = bounds(at % CELLS, width);
    const [top, bottom] = bounds(Math.floor(at / CELLS), height);
    let sum = 0;
    for (let y = top; y < bottom; y++) for (let x = left; x < right; x++) sum += data[y * width + x]!;
    return sum / ((right - left) * (bottom - top));
  });
}

function turnCells(cells: Float32Array, turn: number): Float32Array {
  const [a, b, d, e] = TURNED[DIHEDRAL[turn]!];
  const middle = (CELLS - 1) / 2;
  return cells.map((_, at) => {
    const [x, y] = [(at % CELLS) - middle, Math.floor(at / CELLS) - middle];
    return cells[(d * x + e * y + middle) * CELLS + a * x + b * y + middle]!;
  });
}

function withoutSurroundings(cells: Float32Array): Float32Array {
  const around = boxMean({ data: cells, width: CELLS, height: CELLS }, REACH).data;
  return cells.map((value, at) => value - around[at]!);
}
