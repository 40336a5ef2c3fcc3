import type { DeepRaster } from '../../pixels/raster.ts';
import { blurRaster } from '../blur.ts';
import type { Perform } from '../context.ts';
import { resolveLength } from '../lengths.ts';
import { BAND_SAMPLES } from '../limits.ts';
import type { OperationOf } from '../operations.ts';
import { emptyLike } from '../rows.ts';

const luma = (red: number, green: number, blue: number): number => 0.299 * red + 0.587 * green + 0.114 * blue;

/** Luma of the encoded values in 16 bits, one sample per pixel. */
function lumaPlane({ width, height, channels, data }: DeepRaster): DeepRaster {
  const scale = data instanceof Uint8Array ? 257 : 1;
  const plane = new Uint16Array(width * height);
  for (let pixel = 0, at = 0; pixel < plane.length; pixel += 1, at += channels)
    plane[pixel] = scale * luma(data[at]!, data[at + 1]!, data[at + 2]!) + 0.5;
  return { width, height, channels: 1, data: plane };
}

/** Unsharp mask on luma: adds the difference from a blurred copy. Colours keep their hue. */
export const sharpen: Perform<OperationOf<'sharpen'>> = async (canvas, operation, { dpi }) => {
  const radius = resolveLength(operation.radius, { whole: Math.min(canvas.width, canvas.height), dpi });
  const { amount } = operation;
  if (amount === 0 || radius <= 0) return { settled: operation };
  const { data, width } = blurRaster(lumaPlane(await canvas.pixels()), Math.min(50, Math.max(0.2, radius)), {
    light: 'gamma',
  });
  await canvas.addStage({
    row(pixels, y) {
      for (let x = 0, at = 0, from = y * width; x < width; x += 1, at += 4) {
        const difference = luma(pixels[at]!, pixels[at + 1]!, pixels[at + 2]!) - data[from + x]! / 65_535;
        const added = amount * difference;
        pixels[at]! += added;
        pixels[at + 1]! += added;
        pixels[at + 2]! += added;
      }
    },
  });
  return { settled: { ...operation, radius } };
};

/** Standard deviations of the blurs that separate detail by size. */
const SIGMAS = [1, 2, 4, 8] as const;
/** Share of unit noise in each of their differences. */
const NOISE_SHARES = [0.87, 0.19, 0.095, 0.047] as const;
/** Multiples of the noise removed at amount 1; more for chroma, where detail is less visible. */
const STRENGTH = { luma: 3, color: 6 } as const;

/**
 * Removes the expected noise from detail of each size and keeps edges: soft thresholds on differences of Gaussians (D. L. Donoho, "De-noising by
 * soft-thresholding", 1995).
 */
export const denoise: Perform<OperationOf<'denoise'>> = async (canvas, operation, { dpi }) => {
  const { amount } = operation;
  const radius = resolveLength(operation.radius, { whole: Math.min(canvas.width, canvas.height), dpi });
  const levels = Math.max(1, SIGMAS.filter((sigma) => sigma <= radius).length);
  if (amount === 0) return { settled: operation };
  const raster = await canvas.pixels();
  const noise = noiseOf(raster);
  const result = { ...raster, data: emptyLike(raster, raster.data.length) };
  const rows = Math.max(16, Math.floor(BAND_SAMPLES / (raster.width * raster.channels)));
  for (let top = 0; top < raster.height; top += rows)
    denoiseBand(raster, result, {
      top,
      rows: Math.min(rows, raster.height - top),
      strength: amount * noise,
      levels,
    });
  canvas.replace(result);
  return {
    settled: operation,
    reason: `noise measured at ${Math.round(noise * 255 * 10) / 10} levels of 255`,
  };
};

/** Standard deviation of the noise, 0 to 1, from the median of the finest detail. */
function noiseOf(raster: DeepRaster): number {
  const side = 512;
  const part = {
    left: Math.max(0, (raster.width - side) >> 1),
    top: Math.max(0, (raster.height - side) >> 1),
    width: Math.min(side, raster.width),
    height: Math.min(side, raster.height),
  };
  const plane = lumaPlane(raster);
  const blurred = blurRaster(plane, SIGMAS[0], { light: 'gamma', part });
  const details: number[] = [];
  for (let y = 0; y < part.height; y += 1)
    for (let x = 0; x < part.width; x += 1)
      details.push(
        Math.abs(
          plane.data[(part.top + y) * plane.width + part.left + x]! - blurred.data[y * part.width + x]!,
        ),
      );
  details.sort((one, other) => one - other);
  return (details[details.length >> 1] ?? 0) / 65_535 / 0.6745 / NOISE_SHARES[0];
}

interface Band {
  readonly top: number;
  readonly rows: number;
  /** Standard deviation of the noise times the amount. */
  readonly strength: number;
  /** Number of detail sizes to denoise, finest first. */
  readonly levels: number;
}

function denoiseBand(raster: DeepRaster, result: DeepRaster, { top, rows, strength, levels }: Band): void {
  const { width, channels, data } = raster;
  const part = { left: 0, top, width, height: rows };
  const copies = SIGMAS.slice(0, levels).map(
    (sigma) => blurRaster(raster, sigma, { light: 'gamma', part, depth: 16 }).data,
  );
  const whole = data instanceof Uint8Array ? 255 : 65_535;
  const start = top * width * channels;
  const limits = NOISE_SHARES.map((share) => share * strength);
  const parts = new Float64Array(3);
  for (let at = 0; at < rows * width * channels; at += channels) {
    split(data, start + at, whole, parts);
    let l0 = parts[0]!;
    let r0 = parts[1]!;
    let b0 = parts[2]!;
    let l = 0;
    let r = 0;
    let b = 0;
    for (let level = 0; level < copies.length; level += 1) {
      split(copies[level]!, at, 65_535, parts);
      const l1 = parts[0]!;
      const r1 = parts[1]!;
      const b1 = parts[2]!;
      l += soft(l0 - l1, STRENGTH.luma * limits[level]!);
      r += soft(r0 - r1, STRENGTH.color * limits[level]!);
      b += soft(b0 - b1, STRENGTH.color * limits[level]!);
      l0 = l1;
      r0 = r1;
      b0 = b1;
    }
    l += l0;
    r += r0;
    b += b0;
    const green = l - (0.299 * r + 0.114 * b) / 0.587;
    result.data[start + at] = sampleOf(l + r, whole);
    result.data[start + at + 1] = sampleOf(green, whole);
    result.data[start + at + 2] = sampleOf(l + b, whole);
    if (channels === 4) result.data[start + at + 3] = data[start + at + 3]!;
  }
}

/** Luma, and the excess of red and blue over it. */
function split(data: Uint8Array | Uint16Array, at: number, whole: number, into: Float64Array): void {
  const red = data[at]! / whole;
  const green = data[at + 1]! / whole;
  const blue = data[at + 2]! / whole;
  into[0] = luma(red, green, blue);
  into[1] = red - into[0]!;
  into[2] = blue - into[0]!;
}

const soft = (value: number, limit: number): number =>
  value > limit ? value - limit : value < -limit ? value + limit : 0;

const sampleOf = (value: number, whole: number): number =>
  Math.round(whole * Math.min(1, Math.max(0, value)));
