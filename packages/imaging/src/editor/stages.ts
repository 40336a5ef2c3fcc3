import type { Rgba } from '../color/css_color.ts';
import type { DeepRaster } from '../pixels/raster.ts';

/** Maps the encoded value of one channel, 0 to 1. */
export type Curve = (value: number) => number;

/** A per-pixel operation. Consecutive stages run in one pass on floats without intermediate rounding. A stage has `curves` or `row`. */
export interface Stage {
  /** Effect on the alpha channel; undefined if none. `adds`: the result has one, `removes`: it has none. */
  readonly alpha?: 'adds' | 'removes';
  /** For red, green and blue. */
  readonly curves?: readonly [Curve, Curve, Curve];
  /** The stage only composites the image over this opaque colour: a preceding resampling can do it. */
  readonly ground?: Rgba;
  /** The rows that change, from `first` to before `last`. Default: all. */
  readonly rows?: { readonly first: number; readonly last: number } | undefined;
  /** Changes a row of red, green, blue and alpha in place: encoded sRGB, 0 to 1, not premultiplied. */
  row?(pixels: Float32Array, y: number): void;
}

/** Table size for all curves after the first. */
const STEPS = 65_535;

type Tables = readonly [Float32Array, Float32Array, Float32Array];

const plain = new Map<number, Tables>();

/** Cached: a 16-bit table takes as long as a thousand rows. */
function plainTable(largest: number): Tables {
  const found = plain.get(largest);
  if (found) return found;
  const table = Float32Array.from({ length: largest + 1 }, (_, sample) => sample / largest);
  const made: Tables = [table, table, table];
  plain.set(largest, made);
  return made;
}

/** @param largest maximum sample that indexes the table @param scale 1 for values from 0 to 1 */
function tablesOf(chain: readonly (readonly [Curve, Curve, Curve])[], largest: number): Tables {
  if (chain.length === 0) return plainTable(largest);
  const tableOf = (channel: 0 | 1 | 2): Float32Array =>
    Float32Array.from({ length: largest + 1 }, (_, sample) =>
      chain.reduce((value, curves) => clip(curves[channel](value)), sample / largest),
    );
  const first = tableOf(0);
  const isSame = chain.every(([red, green, blue]) => red === green && green === blue);
  return isSame ? [first, first, first] : [first, tableOf(1), tableOf(2)];
}

const clip = (value: number): number => Math.min(1, Math.max(0, value)) || 0;

type Step = { readonly tables: Tables } | { readonly row: NonNullable<Stage['row']> };

/** Merges consecutive curves into one table; leading ones into the table that reads samples. */
function planOf(
  stages: readonly Stage[],
  largest: number,
): { readonly first: Tables; readonly steps: Step[] } {
  const steps: Step[] = [];
  let chain: (readonly [Curve, Curve, Curve])[] = [];
  let first: Tables | undefined;
  const close = (): void => {
    if (!first) first = tablesOf(chain, largest);
    else if (chain.length > 0) steps.push({ tables: tablesOf(chain, STEPS) });
    chain = [];
  };
  for (const stage of stages) {
    if (stage.curves) chain.push(stage.curves);
    if (!stage.row) continue;
    close();
    steps.push({ row: stage.row.bind(stage) });
  }
  close();
  return { first: first!, steps };
}

/**
 * Runs stages over a raster of RGB with or without alpha. In place if channels and depth stay the same.
 * @param depth bits per sample of the result
 */
export function runStages(raster: DeepRaster, stages: readonly Stage[], depth: 8 | 16): DeepRaster {
  const { width, height } = raster;
  const largest = raster.data instanceof Uint8Array ? 255 : 65_535;
  const channels = stages.reduce<3 | 4>(
    (count, { alpha }) => (alpha === 'adds' ? 4 : alpha === 'removes' ? 3 : count),
    raster.channels === 4 ? 4 : 3,
  );
  const isInPlace = channels === raster.channels && depth === (largest === 255 ? 8 : 16);
  const length = width * height * channels;
  const data = isInPlace ? raster.data : depth === 8 ? new Uint8Array(length) : new Uint16Array(length);
  const result: DeepRaster = { width, height, channels, data };
  if (stages.length === 0 && channels === raster.channels) {
    changeDepth(raster.data, data);
    return result;
  }
  const { first, steps } = planOf(stages, largest);
  if (steps.length === 0 && channels === raster.channels) {
    mapSamples(raster, result, first);
    return result;
  }
  const pixels = new Float32Array(width * 4);
  const rows = isInPlace ? rowsOf(stages, height) : { first: 0, last: height };
  for (let y = rows.first; y < rows.last; y += 1) {
    readRow(raster, y, first, pixels);
    for (const step of steps) {
      if ('row' in step) step.row(pixels, y);
      else applyTables(pixels, step.tables);
    }
    writeRow(pixels, result, y);
  }
  return result;
}

/** Rows that any of the stages changes. */
function rowsOf(stages: readonly Stage[], height: number): { first: number; last: number } {
  const spans = stages.map(({ rows }) => rows ?? { first: 0, last: height });
  return {
    first: Math.max(0, Math.min(...spans.map(({ first }) => first))),
    last: Math.min(height, Math.max(...spans.map(({ last }) => last))),
  };
}

/** Converts 8 bits to 16, or rounds 16 bits to 8. */
function changeDepth(from: DeepRaster['data'], to: DeepRaster['data']): void {
  if (from === to) return;
  if (from instanceof Uint8Array) for (let at = 0; at < from.length; at += 1) to[at] = 257 * from[at]!;
  else for (let at = 0; at < from.length; at += 1) to[at] = ((from[at]! + 128) / 257) | 0;
}

/** Applies only curves, with one table. */
function mapSamples({ data, channels }: DeepRaster, result: DeepRaster, tables: Tables): void {
  const whole = result.data instanceof Uint8Array ? 255 : 65_535;
  const rounded = (table: Float32Array): Uint16Array =>
    Uint16Array.from(table, (value) => value * whole + 0.5);
  const red = rounded(tables[0]);
  const [green, blue] = tables[1] === tables[0] ? [red, red] : [rounded(tables[1]), rounded(tables[2])];
  const to = result.data;
  for (let at = 0; at < data.length; at += channels) {
    to[at] = red[data[at]!]!;
    to[at + 1] = green[data[at + 1]!]!;
    to[at + 2] = blue[data[at + 2]!]!;
  }
  if (channels !== 4 || to === data) return;
  const ratio = whole / (data instanceof Uint8Array ? 255 : 65_535);
  for (let at = 3; at < data.length; at += 4) to[at] = Math.round(data[at]! * ratio);
}

/** Reads a row as floats, with colours mapped by the tables. */
function readRow(
  { data, width, channels }: DeepRaster,
  y: number,
  [red, green, blue]: Tables,
  pixels: Float32Array,
): void {
  const largest = data instanceof Uint8Array ? 255 : 65_535;
  let at = y * width * channels;
  if (channels === 3) {
    for (let pixel = 0; pixel < width * 4; pixel += 4, at += 3) {
      pixels[pixel] = red[data[at]!]!;
      pixels[pixel + 1] = green[data[at + 1]!]!;
      pixels[pixel + 2] = blue[data[at + 2]!]!;
      pixels[pixel + 3] = 1;
    }
    return;
  }
  for (let pixel = 0; pixel < width * 4; pixel += 4, at += 4) {
    pixels[pixel] = red[data[at]!]!;
    pixels[pixel + 1] = green[data[at + 1]!]!;
    pixels[pixel + 2] = blue[data[at + 2]!]!;
    pixels[pixel + 3] = data[at + 3]! / largest;
  }
}

function applyTables(pixels: Float32Array, [red, green, blue]: Tables): void {
  for (let at = 0; at < pixels.length; at += 4) {
    pixels[at] = red[indexOf(pixels[at]!)]!;
    pixels[at + 1] = green[indexOf(pixels[at + 1]!)]!;
    pixels[at + 2] = blue[indexOf(pixels[at + 2]!)]!;
  }
}

const indexOf = (value: number): number => (value > 0 ? (value < 1 ? (value * STEPS + 0.5) | 0 : STEPS) : 0);

/** Rounds and clips a row of floats, 0 to 1, into a raster. */
function writeRow(pixels: Float32Array, { data, width, channels }: DeepRaster, y: number): void {
  const whole = data instanceof Uint8Array ? 255 : 65_535;
  let at = y * width * channels;
  for (let pixel = 0; pixel < width * 4; pixel += 4, at += channels) {
    data[at] = sampleOf(pixels[pixel]!, whole);
    data[at + 1] = sampleOf(pixels[pixel + 1]!, whole);
    data[at + 2] = sampleOf(pixels[pixel + 2]!, whole);
    if (channels === 4) data[at + 3] = sampleOf(pixels[pixel + 3]!, whole);
  }
}

const sampleOf = (value: number, whole: number): number =>
  value > 0 ? (value < 1 ? (value * whole + 0.5) | 0 : whole) : 0;

/** Converts to another depth. */
export const asDepth = (raster: DeepRaster, depth: 8 | 16): DeepRaster =>
  (raster.data instanceof Uint8Array ? 8 : 16) === depth ? raster : runStages(raster, [], depth);
