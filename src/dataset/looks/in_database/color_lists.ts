import type { Oklab } from '@atelier/engines/pixels/oklab.ts';

/** Side of a cell in OKLab; colours that far apart look different. */
const CELL = 0.05;
/** The cells hold every colour of sRGB: lightness 0 to 1, a -0.24 to 0.28, b -0.32 to 0.20. */
const ORIGIN: Oklab = [0, -0.25, -0.35];
const CELLS = [21, 11, 12] as const;
/** Of a place in a cell, bits for each axis: 8 together. A byte has none for a third one of lightness. */
const BITS = [2, 3, 3] as const;
/** The least shares of the tiers, in falling order. */
const TIERS = [1 / 2, 1 / 4, 1 / 8, 1 / 16, 0] as const;
/** A share of about the middle of a tier. */
const SHARES = [0.65, 0.35, 0.18, 0.09, 0.03] as const;

/** Bytes of a posting: the number of its look, the place in its cell, the root of its share in 1/255. */
export const POSTING_BYTES = 6;

interface List {
  readonly list: number;
  /** A share that is usual in it. */
  readonly share: number;
}

/** A colour of a look as the lists have it. */
export function packPosting(number: number, color: { readonly oklab: Oklab; readonly share: number }) {
  const steps = color.oklab.map((value, axis) => {
    const most = CELLS[axis]! << BITS[axis]!;
    const step = Math.floor(((value - ORIGIN[axis]!) / CELL) * (1 << BITS[axis]!));
    return Math.max(0, Math.min(most - 1, step));
  });
  let [cell, place] = [0, 0];
  for (const [axis, step] of steps.entries()) {
    cell = cell * CELLS[axis]! + (step >> BITS[axis]!);
    place = (place << BITS[axis]!) | (step & ((1 << BITS[axis]!) - 1));
  }
  const packed = new Uint8Array(POSTING_BYTES);
  new DataView(packed.buffer).setUint32(0, number, true);
  packed[4] = place;
  packed[5] = Math.max(1, Math.round(255 * Math.sqrt(color.share)));
  const tier = TIERS.findIndex((least) => color.share >= least);
  return { list: cell * TIERS.length + tier, packed };
}

/** Shares by the byte they are packed as. */
export const SHARE_OF = Float32Array.from({ length: 256 }, (_, byte) => (byte / 255) ** 2);

/** The lists of a cell. */
export const listsOf = (cell: number): List[] =>
  SHARES.map((share, tier) => ({ list: cell * TIERS.length + tier, share }));

export const cellOf = (list: number): number => Math.floor(list / TIERS.length);

/** Cells that may have a colour within a distance of one of some colours. */
export function cellsAround(colors: readonly Oklab[], distance: number): number[] {
  const reach = distance + (CELL * Math.sqrt(3)) / 2;
  return Array.from({ length: CELLS[0] * CELLS[1] * CELLS[2] }, (_, cell) => cell).filter((cell) => {
    const middle = cornerOf(cell).map((value) => value + CELL / 2);
    return colors.some((color) => Math.hypot(...middle.map((value, axis) => value - color[axis]!)) <= reach);
  });
}

/** The colours a byte can tell in a cell, by that byte. */
export const colorsOf = (cell: number): Oklab[] => gridOf(cell, BITS);

/** Some colours of a cell, evenly spread. */
export const samplesOf = (cell: number): Oklab[] => gridOf(cell, [1, 1, 1]);

function gridOf(cell: number, bits: readonly [number, number, number]): Oklab[] {
  const [atLightness, atA, atB] = cornerOf(cell);
  const steps = (axis: 0 | 1 | 2) =>
    Array.from({ length: 1 << bits[axis] }, (_, step) => (CELL * (step + 0.5)) / (1 << bits[axis]));
  return steps(0).flatMap((lightness) =>
    steps(1).flatMap((a) => steps(2).map((b): Oklab => [atLightness + lightness, atA + a, atB + b])),
  );
}

function cornerOf(cell: number): Oklab {
  const [, across, up] = CELLS;
  const steps = [Math.floor(cell / (across * up)), Math.floor(cell / up) % across, cell % up];
  const [lightness, a, b] = steps.map((step, axis) => ORIGIN[axis]! + CELL * step);
  return [lightness!, a!, b!];
}
