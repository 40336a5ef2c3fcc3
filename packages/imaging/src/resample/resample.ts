import { LANCZOS_LOBES, lanczosWeight } from '../pixels/lanczos.ts';
import type { Size } from '../pixels/plane.ts';
import { type DeepRaster, depthOf, hasAlpha, largestSample, type Raster } from '../pixels/raster.ts';
import { linearToSrgb, srgbToLinear } from '../pixels/srgb_transfer.ts';

/** Assembled resample.wat; a test reassembles and compares it. WebAssembly SIMD processes four floats at a time. */
export const RESAMPLE_WASM_B64 =
  'AGFzbQEAAAABGwNgBH9/f38AYAZ/f39/f38AYAd/f39/f39/AAIUAQhyZXNhbXBsZQZtZW1vcnkCAAEDBgUAAQIBAQc2BQZkZWNvZGUAAAdhZGRSb3dzAAEJZmlsdGVyUm93AAIGZW5jb2RlAAMKZW5jb2RlRGVlcAAECucIBXgCAX8BeyAAIAFqIQQDQCACIAAtAABBAnRq/VwCACEFIAIgAC0AAUECdGogBf1WAgABIQUgAiAALQACQQJ0aiAF/VYCAAIhBSACIAAtAANBAnRqIAX9VgIAAyEFIAMgBf0LBAAgA0EQaiEDIABBBGoiACAESQ0ACwvdAQIEfwV7IAAgAWohBiAEIAVBAnRqIQkDQCAA/QAEACELIAD9AAQQIQwgAP0ABCAhDSAA/QAEMCEOIAIhByAEIQgDQCAI/QkCACEKIAsgCiAH/QAEAP3mAf3kASELIAwgCiAH/QAEEP3mAf3kASEMIA0gCiAH/QAEIP3mAf3kASENIA4gCiAH/QAEMP3mAf3kASEOIAcgA2ohByAIQQRqIgggCUkNAAsgACAL/QsEACAAIAz9CwQQIAAgDf0LBCAgACAO/QsEMCACQcAAaiECIABBwABqIgAgBkkNAAsLqAICBX8EeyAFIAZBBHRqIQcgBEECdCEEA0D9DAAAAAAAAAAAAAAAAAAAAAAhDP0MAAAAAAAAAAAAAAAAAAAAACEN/QwAAAAAAAAAAAAAAAAAAAAAIQ79DAAAAAAAAAAAAAAAAAAAAAAhDyAAIAIoAgBqIQggAyAEaiEJA0AgCCABaiEKIAogAWohCyAMIAP9CQIAIAj9AAQA/eYB/eQBIQwgDSAD/QkCBCAK/QAEAP3mAf3kASENIA4gA/0JAgggC/0ABAD95gH95AEhDiALIAFqIQggDyAD/QkCDCAI/QAEAP3mAf3kASEPIAggAWohCCADQRBqIgMgCUkNAAsgBSAMIA395AEgDiAP/eQB/eQB/QsEACACQQRqIQIgBUEQaiIFIAdJDQALC70BAgF/AXsgACABQQR0aiEGA0D9DAAAAD8AAAA/AAAAPwAAAD/9DAAAAAAAAAAAAAAAAAAAAAD9DAD/f0cA/39HAP9/RwD/f0f9DAD/f0cA/39HAP9/RwD/f0cgAP0ABAD95gH96gH96wH95AH9+AEhByAEIAIgB/0bAGotAAA6AAAgA0EDRgRAIAQgAiAH/RsBai0AADoAASAEIAIgB/0bAmotAAA6AAILIAQgBWohBCAAQRBqIgAgBkkNAAsLowIDAn8BfQN7IAAgAUEEdGohBgNA/QwAAAAAAAAAAAAAAAAAAAAA/QwA/39HAP9/RwD/f0cA/39H/QwA/39HAP9/RwD/f0cA/39HIAD9AAQA/eYB/eoB/esBIQkgCf34ASEKIAkgCv36Af3lASELIAIgCv0bAEECdGohByAHKgIAIQggBEMAAAA/IAggC/0fACAHKgIEIAiTlJKS/AE7AQAgA0EDRgRAIAIgCv0bAUECdGohByAHKgIAIQggBEMAAAA/IAggC/0fASAHKgIEIAiTlJKS/AE7AQIgAiAK/RsCQQJ0aiEHIAcqAgAhCCAEQwAAAD8gCCAL/R8CIAcqAgQgCJOUkpL8ATsBBAsgBCAFQQF0aiEEIABBEGoiACAGSQ0ACws=';

/** What is averaged: linear light, as in optics, or the encoded samples. */
export type Light = 'linear' | 'gamma';

/** A region in pixels, possibly fractional, from the upper left corner of a raster. */
export interface Part extends Size {
  readonly left: number;
  readonly top: number;
}

export interface Resampling extends Size {
  readonly light: Light;
  /** Region of the raster that fills the result. Default: all of it. */
  readonly part?: Part;
}

export interface DeepResampling extends Resampling {
  /** Bits per sample of the result. */
  readonly depth: 8 | 16;
  /** Default: three-lobed Lanczos. */
  readonly shape?: KernelShape;
}

/** A resampling kernel. */
export interface KernelShape {
  /** Radius in source pixels. @param scale source pixels per result pixel */
  reach(scale: number): number;
  /** @param distance in source pixels, 0 or more */
  weight(distance: number, scale: number): number;
}

const LANCZOS: KernelShape = {
  reach: (scale) => LANCZOS_LOBES * Math.max(1, scale),
  weight: (distance, scale) => weightAt(distance / Math.max(1, scale)),
};

/**
 * A Gaussian blur truncated at 4.5 standard deviations: the error is below one level of 255, even for light next to black. @param sigma
 * source pixels
 */
export const gaussianShape = (sigma: number): KernelShape => ({
  reach: () => 4.5 * sigma,
  weight: (distance) => Math.exp(-(distance * distance) / (2 * sigma * sigma)),
});

/** For enlarging smooth data: never leaves the range of neighbouring values. Its variance is a third of a pixel. */
export const BSPLINE: KernelShape = {
  reach: (scale) => 2 * Math.max(1, scale),
  weight(distance, scale) {
    const x = distance / Math.max(1, scale);
    if (x < 1) return 2 / 3 - x * x * (1 - x / 2);
    return x < 2 ? (2 - x) ** 3 / 6 : 0;
  },
};

/** Rows decoded and accumulated at a time. */
const BATCH_ROWS = 16;
/** Rows of sums held at a time, fewer for wide rasters: rows that two groups need are decoded twice. */
const SUM_ROWS = { min: 16, max: 64 } as const;
const SUM_BYTES = 8 * 2 ** 20;
const PAGE_BYTES = 65_536;
const FLOAT_BYTES = 4;
/** `addRows` works on blocks of this size, and `filterRow` reads up to 12 bytes beyond a row. */
const BLOCK_BYTES = 64;
/** Entries of the linear-light encoding table: near black, 20 of them span one 8-bit level. */
const LIGHT_STEPS = 65_535;

interface Kernel {
  decode(samples: number, count: number, table: number, row: number): void;
  addRows(sums: number, bytes: number, rows: number, stride: number, weights: number, count: number): void;
  filterRow(
    row: number,
    stride: number,
    starts: number,
    weights: number,
    taps: number,
    pixels: number,
    count: number,
  ): void;
  encode: Encode;
  encodeDeep: Encode;
}

type Encode = (
  pixels: number,
  count: number,
  table: number,
  colors: number,
  samples: number,
  channels: number,
) => void;

/** The WebAssembly module and its memory, which grows to the largest size needed so far: at most about 20 MB. */
let opened: { readonly memory: WebAssembly.Memory; readonly kernel: Kernel } | undefined;

function openKernel(bytes: number) {
  if (!opened) {
    const memory = new WebAssembly.Memory({ initial: 1 });
    const module = new WebAssembly.Module(Buffer.from(RESAMPLE_WASM_B64, 'base64'));
    const { exports } = new WebAssembly.Instance(module, { resample: { memory } });
    opened = { memory, kernel: exports as unknown as Kernel };
  }
  const missing = bytes - opened.memory.buffer.byteLength;
  if (missing > 0) opened.memory.grow(Math.ceil(missing / PAGE_BYTES));
  return { buffer: opened.memory.buffer, kernel: opened.kernel };
}

/**
 * For each of `count` output positions along an axis: `taps` input positions from `starts`, with weights that sum to 1. Positions beyond
 * the end have weight 0: `filterRow` takes four at a time.
 */
interface Filter {
  readonly count: number;
  readonly taps: number;
  readonly starts: Int32Array;
  readonly weights: Float32Array;
}

/** Entries of the kernel table per lobe: linear interpolation between them is accurate to 1e-7. */
const LOBE_STEPS = 2048;
let kernelTable: Float64Array | undefined;

/** From a table: two sines per weight would take a tenth of the time of a small result. */
function weightAt(distance: number): number {
  kernelTable ??= Float64Array.from({ length: LANCZOS_LOBES * LOBE_STEPS + 2 }, (_, step) =>
    lanczosWeight(step / LOBE_STEPS),
  );
  const place = Math.min(LANCZOS_LOBES, Math.abs(distance)) * LOBE_STEPS;
  const step = Math.floor(place);
  const weight = kernelTable[step]!;
  return weight + (place - step) * (kernelTable[step + 1]! - weight);
}

/** Pixel centres are aligned; edge pixels are repeated beyond the ends. */
function filterOf(
  side: number,
  { start, length, count }: { start: number; length: number; count: number },
  shape: KernelShape,
): Filter {
  const scale = length / count;
  const reach = shape.reach(scale) - 1e-9;
  const centreOf = (at: number) => start + (at + 0.5) * scale - 0.5;
  const firstOf = (centre: number) => Math.ceil(centre - reach);
  const lastOf = (centre: number) => Math.floor(centre + reach);
  let most = 0;
  for (let at = 0; at < count; at += 1)
    most = Math.max(most, lastOf(centreOf(at)) - firstOf(centreOf(at)) + 1);
  const taps = 4 * Math.ceil(Math.min(side, most) / 4);
  const starts = new Int32Array(count);
  const weights = new Float32Array(count * taps);
  const exact = new Float64Array(taps);
  for (let at = 0; at < count; at += 1) {
    const centre = centreOf(at);
    const first = firstOf(centre);
    const from = Math.max(0, Math.min(first, side - taps));
    exact.fill(0);
    let sum = 0;
    for (let place = first; place <= lastOf(centre); place += 1) {
      const weight = shape.weight(Math.abs(place - centre), scale);
      exact[Math.min(side - 1, Math.max(0, place)) - from]! += weight;
      sum += weight;
    }
    starts[at] = from;
    for (let tap = 0; tap < taps; tap += 1) weights[at * taps + tap] = exact[tap]! / sum;
  }
  return { count, taps, starts, weights };
}

/**
 * Resizes a raster with the three-lobed Lanczos kernel at its own bit depth; the axes may have different factors. Colours are weighted by
 * alpha. Deterministic on every machine. Needs at most 20 MB besides raster and result, and time proportional to the pixels of both.
 */
export function resample<Samples extends Uint8Array | Uint16Array>(
  raster: Raster<Samples>,
  resampling: Resampling,
): Raster<Samples> {
  return resampleTo(raster, { ...resampling, depth: depthOf(raster) }) as Raster<Samples>;
}

/** `resample` to a given bit depth. */
export function resampleTo(
  raster: DeepRaster,
  { width, height, light, part, depth, shape = LANCZOS }: DeepResampling,
): DeepRaster {
  const { channels } = raster;
  const shown = part ?? { left: 0, top: 0, width: raster.width, height: raster.height };
  const columns = filterOf(raster.width, { start: shown.left, length: shown.width, count: width }, shape);
  const rows = filterOf(raster.height, { start: shown.top, length: shown.height, count: height }, shape);
  const length = width * height * channels;
  const data = depth === 8 ? new Uint8Array(length) : new Uint16Array(length);
  const curve = {
    ...curveOf(light, 2 ** depth - 1),
    decoded: curveOf(light, largestSample(raster)).decoded,
  };
  const space = layOut(raster, { columns, rows, curve, depth });
  for (let top = 0; top < height; top += space.sumRows) {
    const end = Math.min(height, top + space.sumRows);
    addUp(raster, rows, { top, end }, { space, curve });
    for (let y = top; y < end; y += 1) {
      const row = data.subarray(y * width * channels, (y + 1) * width * channels);
      filterSums(y - top, columns, space, channels);
      encodeRow(row, channels, space);
    }
  }
  return { width, height, channels, data };
}

/** Addresses in the memory of the kernel. */
interface Space {
  readonly kernel: Kernel;
  readonly buffer: ArrayBuffer;
  readonly decodeTable: number;
  readonly encodeTable: number;
  readonly samples: number;
  /** Decoded rows, and sums of rows: consecutive, `stride` bytes apart. */
  readonly rows: number;
  readonly sums: number;
  readonly stride: number;
  readonly sumRows: number;
  readonly rowWeights: number;
  readonly columnStarts: number;
  readonly columnWeights: number;
  /** Four floats per pixel of the result. */
  readonly pixels: number;
}

interface Layout {
  readonly columns: Filter;
  readonly rows: Filter;
  readonly curve: Curve;
  readonly depth: 8 | 16;
}

function layOut({ width, channels, data }: DeepRaster, { columns, rows, curve, depth }: Layout): Space {
  let end = 0;
  const take = (bytes: number): number => {
    const start = end;
    end += Math.ceil(bytes / BLOCK_BYTES) * BLOCK_BYTES;
    return start;
  };
  const stride = (Math.ceil((width * channels * FLOAT_BYTES) / BLOCK_BYTES) + 1) * BLOCK_BYTES;
  const sumRows = Math.min(SUM_ROWS.max, Math.max(SUM_ROWS.min, Math.floor(SUM_BYTES / stride)));
  const places = {
    decodeTable: take(256 * FLOAT_BYTES),
    encodeTable: take(depth === 8 ? LIGHT_STEPS + 1 : (LIGHT_STEPS + 2) * FLOAT_BYTES),
    samples: take(
      Math.max(width, columns.count) * channels * Math.max(data.BYTES_PER_ELEMENT, depth / 8) + 3,
    ),
    rows: take(BATCH_ROWS * stride),
    sums: take(sumRows * stride),
    rowWeights: take(rows.weights.byteLength),
    columnStarts: take(columns.starts.byteLength),
    columnWeights: take(columns.weights.byteLength),
    pixels: take(columns.count * 4 * FLOAT_BYTES),
  };
  const { buffer, kernel } = openKernel(end);
  // Padding between rows is multiplied by zero and must therefore be finite.
  new Uint8Array(buffer, places.rows, BATCH_ROWS * stride).fill(0);
  new Float32Array(buffer, places.rowWeights, rows.weights.length).set(rows.weights);
  new Float32Array(buffer, places.columnWeights, columns.weights.length).set(columns.weights);
  new Float32Array(buffer, places.decodeTable, 256).set(curve.decoded.subarray(0, 256));
  if (depth === 8) new Uint8Array(buffer, places.encodeTable, curve.bytes.length).set(curve.bytes);
  else new Float32Array(buffer, places.encodeTable, curve.encoded.length).set(curve.encoded);
  const offsets = columns.starts.map((start) => start * channels * FLOAT_BYTES);
  new Int32Array(buffer, places.columnStarts, offsets.length).set(offsets);
  return { ...places, kernel, buffer, stride, sumRows };
}

/** Accumulates the source rows that contribute to result rows `top` to `end`. */
function addUp(
  raster: DeepRaster,
  filter: Filter,
  { top, end }: { top: number; end: number },
  { space, curve }: { space: Space; curve: Curve },
): void {
  const { kernel, buffer, stride, rows, sums, rowWeights } = space;
  const { taps, starts } = filter;
  const rowBytes = stride - BLOCK_BYTES;
  new Uint8Array(buffer, sums, (end - top) * stride).fill(0);
  const last = Math.min(raster.height, starts[end - 1]! + taps);
  for (let first = starts[top]!; first < last; first += BATCH_ROWS) {
    const count = Math.min(BATCH_ROWS, last - first);
    for (let row = 0; row < count; row += 1) decodeRow(raster, first + row, row, { space, curve });
    for (let y = top; y < end; y += 1) {
      const start = starts[y]!;
      const from = Math.max(first, start);
      const added = Math.min(first + count, start + taps) - from;
      if (added <= 0) continue;
      const weights = rowWeights + (y * taps + from - start) * FLOAT_BYTES;
      kernel.addRows(
        sums + (y - top) * stride,
        rowBytes,
        rows + (from - first) * stride,
        stride,
        weights,
        added,
      );
    }
  }
}

function filterSums(row: number, { count, taps }: Filter, space: Space, channels: number): void {
  const { kernel, sums, stride, columnStarts, columnWeights, pixels } = space;
  kernel.filterRow(
    sums + row * stride,
    channels * FLOAT_BYTES,
    columnStarts,
    columnWeights,
    taps,
    pixels,
    count,
  );
}

/** Decodes a source row to linear light from 0 to 1, premultiplied by alpha. */
function decodeRow(
  raster: DeepRaster,
  row: number,
  slot: number,
  { space, curve }: { space: Space; curve: Curve },
): void {
  const { width, channels, data } = raster;
  const samples = data.subarray(row * width * channels, (row + 1) * width * channels);
  const place = space.rows + slot * space.stride;
  const into = new Float32Array(space.buffer, place, samples.length);
  if (samples instanceof Uint8Array) {
    new Uint8Array(space.buffer, space.samples, samples.length).set(samples);
    space.kernel.decode(space.samples, samples.length, space.decodeTable, place);
  } else {
    for (let at = 0; at < into.length; at += 1) into[at] = curve.decoded[samples[at]!]!;
  }
  if (!hasAlpha(raster)) return;
  const whole = largestSample(raster);
  for (let at = channels - 1; at < into.length; at += channels) {
    const alpha = samples[at]! / whole;
    for (let color = at - channels + 1; color < at; color += 1) into[color]! *= alpha;
    into[at] = alpha;
  }
}

/** Encodes a result row from four floats per pixel; alpha is unpremultiplied. */
function encodeRow(row: Uint8Array | Uint16Array, channels: Raster['channels'], space: Space): void {
  const { kernel, buffer, encodeTable, samples } = space;
  const pixels = new Float32Array(buffer, space.pixels, (row.length / channels) * 4);
  const isLayered = hasAlpha({ channels });
  const whole = row instanceof Uint8Array ? 255 : 65_535;
  if (isLayered) divideByAlpha(pixels, channels, 0.5 / whole);
  const colors = isLayered ? channels - 1 : channels;
  const count = row.length / channels;
  if (row instanceof Uint8Array) {
    kernel.encode(space.pixels, count, encodeTable, colors, samples, channels);
    row.set(new Uint8Array(buffer, samples, row.length));
  } else {
    kernel.encodeDeep(space.pixels, count, encodeTable, colors, samples, channels);
    row.set(new Uint16Array(buffer, samples, row.length));
  }
  if (!isLayered) return;
  for (let at = channels - 1, pixel = channels - 1; at < row.length; at += channels, pixel += 4)
    row[at] = Math.round(whole * Math.min(1, Math.max(0, pixels[pixel]!)));
}

/** @param least smallest alpha that counts as visible */
function divideByAlpha(pixels: Float32Array, channels: number, least: number): void {
  for (let at = 0; at < pixels.length; at += 4) {
    const alpha = pixels[at + channels - 1]!;
    const factor = alpha < least ? 0 : 1 / alpha;
    for (let color = at; color < at + channels - 1; color += 1) pixels[color]! *= factor;
  }
}

/** Lookup tables between samples and light. */
interface Curve {
  /** Light from 0 to 1 of each sample. */
  readonly decoded: Float32Array;
  /** Unrounded sample for each step of light, the last one twice: linear interpolation is accurate to a hundredth of a level. */
  readonly encoded: Float32Array;
  /** The same, rounded to 8 bits. */
  readonly bytes: Uint8Array;
}

const CURVES = new Map<string, Curve>();

/** The tables of a transfer function, computed once. */
function curveOf(light: Light, largest: number): Curve {
  const name = `${light} ${largest}`;
  const known = CURVES.get(name);
  if (known) return known;
  const [decode, encode] =
    light === 'linear'
      ? [srgbToLinear, (step: number) => linearToSrgb(step) / 255]
      : [(sample: number) => sample, (step: number) => step];
  const encoded = Float32Array.from(
    { length: LIGHT_STEPS + 2 },
    (_, step) => largest * encode(Math.min(1, step / LIGHT_STEPS)),
  );
  const made = {
    decoded: Float32Array.from({ length: largest + 1 }, (_, sample) => decode(sample / largest)),
    encoded,
    bytes: Uint8Array.from(encoded, Math.round).subarray(0, LIGHT_STEPS + 1),
  };
  CURVES.set(name, made);
  return made;
}
