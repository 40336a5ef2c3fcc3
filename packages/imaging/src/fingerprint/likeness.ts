import { correlation } from '../analysis/planes.ts';
import { boxMean } from '../pixels/box_mean.ts';
import type { Plane } from '../pixels/plane.ts';
import { DIHEDRAL } from './pdq/pdq.ts';
import { smallPicture } from './small_picture.ts';

/** Linear part of the map from a picture to its original, by how it was turned or mirrored; coordinates from the middle. */
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
  /** The other picture, or its small copy. */
  readonly original: Uint8Array;
  /** Index in DIHEDRAL: how the first is turned or mirrored. */
  readonly turn: number;
}

/** Cells along each side. */
const CELLS = 32;
/** Cells on each side of one whose mean is taken off it: brighter skies and darker corners are no likeness. */
const REACH = 4;

/**
 * How alike two whole pictures are, -1 to 1: the correlation of their brightness in 32 × 32 cells, each less the mean around it. Withstands coarse pixels and the lowest JPEG
 * qualities, which change the signs of a PDQ hash; a crop by 5 % of the sides does not.
 * @throws EngineError undecodable_image, image_too_large
 */
export async function likenessOf({ bytes, original, turn }: Request): Promise<number> {
  const [one, other] = [await smallPicture(bytes), await smallPicture(original)];
  const turned = turnCells(cellsOf(other.grey), turn);
  return correlation(withoutSurroundings(cellsOf(one.grey)), withoutSurroundings(turned));
}

/** Mean brightness of each cell; of a side shorter than CELLS the nearest pixel. */
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
