import type { Point } from '../content/matrix.ts';

export type Rgb = readonly [number, number, number];

/** Steps one drawing may take together: edges times rows of polygons, rows that are filled, and pixels set one by one. */
const WORK_MAX = 40_000_000;
/** Pixels of a row that are filled in the time of one step. */
const FILLED_A_STEP = 16;

/** Pixels in RGBA, painted on from the upper left corner. */
export class Raster {
  readonly width: number;
  readonly height: number;
  readonly pixels: Uint8Array;
  /** The same, one number a pixel. */
  readonly #colors: Uint32Array;
  #work = WORK_MAX;

  constructor(width: number, height: number, color: Rgb) {
    this.width = width;
    this.height = height;
    this.#colors = new Uint32Array(width * height).fill(packed(color));
    this.pixels = new Uint8Array(this.#colors.buffer);
  }

  /** Both ends included; what lies outside is left out, as is everything once the work is spent. */
  rectangle(left: number, top: number, right: number, bottom: number, color: Rgb): void {
    const [x1, x2] = [Math.max(0, Math.round(left)), Math.min(this.width - 1, Math.round(right))];
    const [y1, y2] = [Math.max(0, Math.round(top)), Math.min(this.height - 1, Math.round(bottom))];
    if (!(x1 <= x2 && y1 <= y2)) return;
    if (!this.affords((y2 - y1 + 1) * (2 + (x2 - x1) / FILLED_A_STEP))) return;
    const filled = packed(color);
    for (let y = y1; y <= y2; y += 1) this.#colors.fill(filled, y * this.width + x1, y * this.width + x2 + 1);
  }

  /** A frame of so many pixels; dashes of 6 and gaps of 4 where it is dashed. */
  frame(
    [left, top, right, bottom]: readonly [number, number, number, number],
    color: Rgb,
    { width = 1, isDashed = false } = {},
  ): void {
    const shown = (at: number) => !isDashed || at % 10 < 6;
    for (let ring = 0; ring < width; ring += 1) {
      const [x1, y1, x2, y2] = [left - ring, top - ring, right + ring, bottom + ring].map(Math.round) as Four;
      for (let x = Math.max(0, x1); x <= Math.min(this.width - 1, x2); x += 1)
        if (shown(x)) for (const y of [y1, y2]) this.dot(x, y, color);
      for (let y = Math.max(0, y1); y <= Math.min(this.height - 1, y2); y += 1)
        if (shown(y)) for (const x of [x1, x2]) this.dot(x, y, color);
    }
  }

  /** By the even-odd rule; a row is inside where its middle is. */
  polygon(paths: readonly (readonly Point[])[], color: Rgb): void {
    const edges = paths.flatMap((path) =>
      path.map((point, index) => [point, path[(index + 1) % path.length]!] as const),
    );
    const heights = edges.flatMap(([[, y]]) => (Number.isFinite(y) ? [y] : []));
    const first = Math.max(0, Math.floor(Math.min(...heights)));
    const last = Math.min(this.height - 1, Math.ceil(Math.max(...heights)));
    if (!this.affords(edges.length * Math.max(0, last - first))) return;
    for (let row = first; row <= last; row += 1) {
      const y = row + 0.5;
      const crossings = edges
        .filter(([[, y1], [, y2]]) => y1 <= y !== y2 <= y)
        .map(([[x1, y1], [x2, y2]]) => x1 + ((y - y1) / (y2 - y1)) * (x2 - x1))
        .sort((one, other) => one - other);
      for (let at = 0; at + 1 < crossings.length; at += 2) {
        const [from, to] = [crossings[at]!, Math.max(crossings[at + 1]! - 0.5, crossings[at]!)];
        this.rectangle(from, row, to, row, color);
      }
    }
  }

  /** Counts work against what one drawing may take; false once that is spent. */
  affords(work: number): boolean {
    this.#work -= work;
    return this.#work >= 0;
  }

  dot(x: number, y: number, color: Rgb): void {
    if (x < 0 || y < 0 || x >= this.width || y >= this.height) return;
    this.#colors[y * this.width + x] = packed(color);
  }

  /** A number in digits three times five cells large, white on a label; told by its upper left corner. */
  label(number: number, left: number, top: number, color: Rgb): void {
    const text = String(number);
    const [width, height] = [text.length * 4 * CELL + CELL, 7 * CELL];
    const x = Math.min(Math.max(0, Math.round(left)), this.width - width);
    const y = Math.min(Math.max(0, Math.round(top)), this.height - height);
    this.rectangle(x, y, x + width - 1, y + height - 1, color);
    for (const [place, digit] of [...text].entries())
      for (let cell = 0; cell < 15; cell += 1) {
        if (DIGITS[Number(digit)]![cell] !== '#') continue;
        const [dx, dy] = [x + CELL * (1 + 4 * place + (cell % 3)), y + CELL * (1 + Math.floor(cell / 3))];
        this.rectangle(dx, dy, dx + CELL - 1, dy + CELL - 1, [255, 255, 255]);
      }
  }
}

/** Opaque, its bytes in the order red, green, blue, alpha on a little-endian machine, as all are that Node runs on here. */
const packed = ([red, green, blue]: Rgb): number => ((255 << 24) | (blue << 16) | (green << 8) | red) >>> 0;

type Four = [number, number, number, number];
const CELL = 2;
/** Rows of three cells, from the top. */
const DIGITS = [
  '####.##.##.####',
  '.#.##..#..#.###',
  '###..#####..###',
  '###..####..####',
  '#.##.####..#..#',
  '####..###..####',
  '####..####.####',
  '###..#..#..#..#',
  '####.#####.####',
  '####.####..####',
];
