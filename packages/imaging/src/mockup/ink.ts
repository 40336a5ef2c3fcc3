import type { Maps, Print } from './layer.ts';

/** A row of output pixels: red, green and blue times coverage, and coverage; four numbers per pixel. */
export type Row = Float32Array;

/** Above this many artwork pixels per output pixel, several samples are averaged. */
const SUPERSAMPLE_FROM = 1.3;
const TAPS_MAX = 4;
/** Above this, the surface is seen so obliquely that it is invisible. */
const DENSITY_MAX = 64;

/** An artwork on a surface, prepared for sampling; flat numbers, because the pixel loop needs them in one object. */
export interface Ink {
  readonly samples: Uint16Array;
  /** Samples from one row to the next. */
  readonly stride: number;
  readonly width: number;
  readonly height: number;
  /** Artwork pixels per scene unit of the surface, and the position of its edges there. */
  readonly perX: number;
  readonly perY: number;
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
  readonly gain: number;
  readonly floor: number;
  readonly clampsToEdge: boolean;
  /** The print covers the whole surface and is opaque. */
  readonly coversFully: boolean;
  /** Samples per output pixel of each cell, and the distance they span, in artwork pixels. */
  readonly taps: Uint8Array;
  readonly stepX: Float32Array;
  readonly stepY: Float32Array;
}

/** Computes the sampling density of an artwork under each cell of a layer; it is anisotropic on a slanted surface. */
export function prepareInk(
  maps: Maps,
  { art, x, y, width, height, gain, floor, clampsToEdge = false }: Print,
  pixel: number,
): Ink {
  const [perX, perY] = [art.width / width, art.height / height];
  // A pixel just outside still blends with the edge.
  const [marginX, marginY] = [1 / perX, 1 / perY];
  return {
    samples: art.samples,
    stride: 4 * (art.width + 2),
    width: art.width,
    height: art.height,
    perX,
    perY,
    gain,
    floor,
    clampsToEdge,
    coversFully: clampsToEdge && art.isOpaque,
    left: x - width / 2 - marginX,
    top: y - height / 2 - marginY,
    right: x + width / 2 + marginX,
    bottom: y + height / 2 + marginY,
    ...tapsOf(maps, perX, perY, pixel),
  };
}

function tapsOf({ columns, rows, step, across, down }: Maps, perX: number, perY: number, pixel: number) {
  const count = columns * rows;
  const taps = new Uint8Array(count).fill(1);
  const [stepX, stepY] = [new Float32Array(count), new Float32Array(count)];
  if (!across || !down) return { taps, stepX, stepY };
  const [scaleX, scaleY] = [(pixel / step) * perX, (pixel / step) * perY];
  for (let at = 0; at < count - columns - 1; at += 1) {
    const below = at + columns;
    const ax = (across[at + 1]! - across[at]!) * scaleX;
    const ay = (down[at + 1]! - down[at]!) * scaleY;
    const bx = (across[below]! - across[at]!) * scaleX;
    const by = (down[below]! - down[at]!) * scaleY;
    const a = ax * ax + ay * ay;
    const b = bx * bx + by * by;
    const longest = Math.sqrt(Math.max(a, b));
    if (longest <= SUPERSAMPLE_FROM || longest > DENSITY_MAX) continue;
    taps[at] = Math.min(TAPS_MAX, Math.ceil(longest));
    stepX[at] = a >= b ? ax : bx;
    stepY[at] = a >= b ? ay : by;
  }
  return { taps, stepX, stepY };
}

/** Largest sample of an artwork. */
const OPAQUE = 65535;
const WHITE = 1 / OPAQUE;

/** The pixels of a row between two columns of nodes, and the artwork position under them, in artwork pixels. */
export interface Run {
  first: number;
  last: number;
  /** Interpolation weight between the two columns: at the first pixel, and the step per pixel. */
  t: number;
  readonly by: number;
  x: number;
  y: number;
  stepX: number;
  stepY: number;
}

/** Reads one bilinear sample of the artwork per pixel. */
function sampleOnce(ink: Ink, run: Run, row: Row, inkRow: Float32Array): void {
  const { samples, width, height, stride, clampsToEdge, coversFully } = ink;
  const { first, last, x: left, y: top, stepX, stepY } = run;
  const gain = ink.gain * WHITE;
  const floor = ink.floor * WHITE;
  for (let column = first, at = 4 * first; column < last; column += 1, at += 4) {
    if (row[at + 3]! >= 1) continue;
    let x = left + (column - first) * stepX;
    let y = top + (column - first) * stepY;
    if (clampsToEdge) {
      x = Math.max(1, Math.min(width, x));
      y = Math.max(1, Math.min(height, y));
    } else if (!(x >= 0 && y >= 0 && x < width + 1 && y < height + 1)) {
      inkRow[at] = inkRow[at + 1] = inkRow[at + 2] = inkRow[at + 3] = 0;
      continue;
    }
    const whole = x | 0;
    const line = y | 0;
    const fx = x - whole;
    const fy = y - line;
    const from = line * stride + 4 * whole;
    const to = from + stride;
    const d = fx * fy;
    const b = fx - d;
    const c = fy - d;
    const a = 1 - b - fy;
    const opacity = coversFully
      ? OPAQUE
      : a * samples[from + 3]! + b * samples[from + 7]! + c * samples[to + 3]! + d * samples[to + 7]!;
    const black = floor * opacity;
    inkRow[at] =
      black + gain * (a * samples[from]! + b * samples[from + 4]! + c * samples[to]! + d * samples[to + 4]!);
    inkRow[at + 1] =
      black +
      gain * (a * samples[from + 1]! + b * samples[from + 5]! + c * samples[to + 1]! + d * samples[to + 5]!);
    inkRow[at + 2] =
      black +
      gain * (a * samples[from + 2]! + b * samples[from + 6]! + c * samples[to + 2]! + d * samples[to + 6]!);
    inkRow[at + 3] = WHITE * opacity;
  }
}

/**
 * Writes the ink under a run of pixels to `wet`: reflected light including that of black ink, times opacity; and opacity. Skips pixels that
 * are already covered.
 */
export function sampleInk(
  ink: Ink,
  node: number,
  { lines, run, inkRow }: InkRun,
  cell: number,
  row: Row,
): void {
  const { across, down } = lines;
  const du = across[cell + 1]! - across[cell]!;
  const dv = down[cell + 1]! - down[cell]!;
  run.x = (across[cell]! + run.t * du - ink.left) * ink.perX - 0.5;
  run.y = (down[cell]! + run.t * dv - ink.top) * ink.perY - 0.5;
  run.stepX = run.by * du * ink.perX;
  run.stepY = run.by * dv * ink.perY;
  if (ink.taps[node] === 1) sampleOnce(ink, run, row, inkRow);
  else supersample(ink, node, run, row, inkRow);
}

/** Surface coordinates at each column of nodes, a run between two columns, and the output buffer. */
interface InkRun {
  readonly lines: { readonly across: Float32Array; readonly down: Float32Array };
  readonly run: Run;
  readonly inkRow: Float32Array;
}

/** Averages several samples of the artwork per pixel. */
function supersample(ink: Ink, node: number, run: Run, row: Row, inkRow: Float32Array): void {
  const { samples, width, height, stride, clampsToEdge, coversFully, gain, floor } = ink;
  const taps = ink.taps[node]!;
  const tapX = ink.stepX[node]! / taps;
  const tapY = ink.stepY[node]! / taps;
  const weight = WHITE / taps;
  const { first, last, stepX, stepY } = run;
  const left = run.x - 0.5 * (taps - 1) * tapX;
  const top = run.y - 0.5 * (taps - 1) * tapY;
  for (let column = first; column < last; column += 1) {
    if (row[4 * column + 3]! >= 1) continue;
    let red = 0;
    let green = 0;
    let blue = 0;
    let opacity = 0;
    for (let tap = 0; tap < taps; tap += 1) {
      let x = left + (column - first) * stepX + tap * tapX;
      let y = top + (column - first) * stepY + tap * tapY;
      if (clampsToEdge) {
        x = Math.max(1, Math.min(width, x));
        y = Math.max(1, Math.min(height, y));
      } else if (!(x >= 0 && y >= 0 && x < width + 1 && y < height + 1)) continue;
      const whole = x | 0;
      const line = y | 0;
      const fx = x - whole;
      const fy = y - line;
      const at = line * stride + 4 * whole;
      const to = at + stride;
      const d = fx * fy * weight;
      const b = fx * weight - d;
      const c = fy * weight - d;
      const a = weight - b - c - d;
      red += a * samples[at]! + b * samples[at + 4]! + c * samples[to]! + d * samples[to + 4]!;
      green += a * samples[at + 1]! + b * samples[at + 5]! + c * samples[to + 1]! + d * samples[to + 5]!;
      blue += a * samples[at + 2]! + b * samples[at + 6]! + c * samples[to + 2]! + d * samples[to + 6]!;
      if (!coversFully)
        opacity += a * samples[at + 3]! + b * samples[at + 7]! + c * samples[to + 3]! + d * samples[to + 7]!;
    }
    if (coversFully) opacity = 1;
    const black = floor * opacity;
    inkRow[4 * column] = black + gain * red;
    inkRow[4 * column + 1] = black + gain * green;
    inkRow[4 * column + 2] = black + gain * blue;
    inkRow[4 * column + 3] = opacity;
  }
}

/** Whether the artwork can lie under the pixels between two columns of nodes; `across` and `down` are surface coordinates. */
export function overlapsInk(
  ink: Ink,
  { across, down }: { readonly across: Float32Array; readonly down: Float32Array },
  cell: number,
): boolean {
  if (ink.clampsToEdge) return true;
  const next = cell + 1;
  return (
    (across[cell]! > ink.left || across[next]! > ink.left) &&
    (across[cell]! < ink.right || across[next]! < ink.right) &&
    (down[cell]! > ink.top || down[next]! > ink.top) &&
    (down[cell]! < ink.bottom || down[next]! < ink.bottom)
  );
}
