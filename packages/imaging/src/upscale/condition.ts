import { identify } from '../codecs/identify.ts';
import { awaitDecoding, openPicture } from '../codecs/open_picture.ts';
import { decodeRaster } from '../codecs/read_raster.ts';
import { sharp } from '../codecs/sharp.ts';
import { lumaPlane } from '../pixels/luma.ts';
import type { Raster } from '../pixels/raster.ts';
import { findJpegTraces, qualityOf } from './jpeg_traces.ts';

/** Whether an image is clean or degraded: compression artefacts and noise should not be upscaled as detail. */
export interface Condition {
  readonly kind: 'clean' | 'spoiled';
  /** Reason, for display. */
  readonly reason: string;
}

/** Below this JPEG quality, the model for degraded images is more accurate (docs/decisions/0025-upscaling.md). */
const CLEAN_JPEG_QUALITY_MIN = 86;
/**
 * Likewise from this much noise: its standard deviation, in levels of 255, in the most uniform patches of the luma, where it is nearly as
 * high as in the median patch. Texture is as strong, but not equally strong everywhere.
 */
const NOISE_MIN = 2.9;
const ALIKE_MIN = 0.6;
/** Share of patches that count as most uniform. */
const UNIFORM_SHARE = 0.05;
/** Side of the central crop in which noise is measured, and of its patches, in pixels. */
const SAMPLE_PX = 512;
const PATCH_PX = 8;

/** Side of the crop in which JPEG blocks are detected: about 2,300 blocks, 0.1 s. */
const TRACES_PX = 384;

/**
 * Classifies an image by its JPEG quality, that of this file or of an earlier save in any format, and by the noise in its most uniform
 * patches.
 * @throws EngineError undecodable_image, unsupported_image
 */
export async function assessCondition(bytes: Uint8Array): Promise<Condition> {
  const quality = jpegQuality(bytes);
  if (quality !== undefined && quality < CLEAN_JPEG_QUALITY_MIN)
    return { kind: 'spoiled', reason: `it is a JPEG of quality about ${quality}` };
  const middle = await centreCrop(bytes);
  const part = lumaPlane(centreCropOfRaster(middle, TRACES_PX));
  const traces = findJpegTraces(part.data, part);
  if (traces && traces.quality < CLEAN_JPEG_QUALITY_MIN)
    return {
      kind: 'spoiled',
      reason: `its pixels show JPEG blocks of quality about ${traces.quality}, re-encoded since`,
    };
  const noise = estimateNoise(await greyOf(middle));
  return noise >= NOISE_MIN
    ? { kind: 'spoiled', reason: `it has noise of about ${noise.toFixed(1)} levels` }
    : { kind: 'clean', reason: 'it has neither strong compression nor noise' };
}

/** Luminance quantisation steps at quality 50, in zigzag order. ITU-T T.81, table K.1 */
const QUANTISATION_STEPS = [
  16, 11, 12, 14, 12, 10, 16, 14, 13, 14, 18, 17, 16, 19, 24, 40, 26, 24, 22, 22, 24, 49, 35, 37, 29, 40, 58,
  51, 61, 60, 57, 51, 56, 55, 64, 72, 92, 78, 64, 68, 87, 69, 55, 56, 80, 109, 81, 87, 95, 98, 103, 104, 103,
  62, 77, 113, 121, 112, 100, 120, 92, 101, 103, 99,
];

/**
 * JPEG quality, 1 to 100 on the scale of the Independent JPEG Group, from the mean step of the luminance table; undefined if the file is
 * not a JPEG or has no such table.
 */
export function jpegQuality(bytes: Uint8Array): number | undefined {
  const found = identify(bytes);
  const table = 'format' in found && found.format === 'jpeg' ? luminanceTable(bytes) : undefined;
  if (!table) return undefined;
  const sum = (steps: readonly number[]) => steps.reduce((total, step) => total + step, 0);
  return qualityOf((100 * sum(table)) / sum(QUANTISATION_STEPS));
}

const [DEFINE_TABLES, START_OF_SCAN] = [0xdb, 0xda];

function luminanceTable(bytes: Uint8Array): readonly number[] | undefined {
  for (let at = 2; at + 4 <= bytes.length && bytes[at] === 0xff; ) {
    const [marker, length] = [bytes[at + 1]!, (bytes[at + 2]! << 8) | bytes[at + 3]!];
    if (marker === START_OF_SCAN) return undefined;
    // In practice, the luminance table is the first of a segment; its first byte is precision and table number.
    const [head, isWide] = [bytes[at + 4]!, bytes[at + 4]! >> 4 === 1];
    const first = at + 5;
    if (marker === DEFINE_TABLES && (head & 15) === 0 && first + (isWide ? 128 : 64) <= bytes.length)
      return QUANTISATION_STEPS.map((_, index) =>
        isWide ? (bytes[first + 2 * index]! << 8) | bytes[first + 2 * index + 1]! : bytes[first + index]!,
      );
    at += 2 + length;
  }
  return undefined;
}

async function centreCrop(bytes: Uint8Array): Promise<Raster> {
  const { autoOrient } = await awaitDecoding(openPicture(bytes).metadata());
  const [width, height] = [Math.min(SAMPLE_PX, autoOrient.width), Math.min(SAMPLE_PX, autoOrient.height)];
  const [left, top] = [(autoOrient.width - width) >> 1, (autoOrient.height - height) >> 1];
  const middle = openPicture(bytes)
    .extract({ left, top, width, height })
    .flatten({ background: '#808080' })
    .toColourspace('srgb');
  const raster = await decodeRaster(middle);
  // sharp returns a single channel for a greyscale image.
  return raster.channels >= 3 ? raster : toRgb(raster);
}

const toRgb = ({ width, height, channels, data }: Raster): Raster => ({
  width,
  height,
  channels: 3,
  data: Uint8Array.from({ length: width * height * 3 }, (_, at) => data[Math.floor(at / 3) * channels]!),
});

function centreCropOfRaster({ width, height, channels, data }: Raster, sidePx: number): Raster {
  const [columns, rows] = [Math.min(sidePx, width), Math.min(sidePx, height)];
  const [left, top] = [(width - columns) >> 1, (height - rows) >> 1];
  const part = new Uint8Array(columns * rows * channels);
  for (let y = 0; y < rows; y += 1) {
    const from = ((top + y) * width + left) * channels;
    part.set(data.subarray(from, from + columns * channels), y * columns * channels);
  }
  return { width: columns, height: rows, channels, data: part };
}

const greyOf = ({ data, ...raw }: Raster): Promise<Raster> =>
  decodeRaster(sharp(data, { raw }).toColourspace('b-w'));

/**
 * Standard deviation of noise in levels; 0 if it cannot be distinguished from texture. Patches near black or white, where noise is clipped,
 * are excluded. J. Immerkær, Fast Noise Variance Estimation, 1996
 */
function estimateNoise({ width, height, data: samples }: Raster): number {
  const found: number[] = [];
  for (let top = 1; top + PATCH_PX < height; top += PATCH_PX)
    for (let left = 1; left + PATCH_PX < width; left += PATCH_PX) {
      let [sum, level] = [0, 0];
      for (let y = top; y < top + PATCH_PX; y += 1)
        for (let x = left; x < left + PATCH_PX; x += 1) {
          const at = y * width + x;
          const row = (from: number) => samples[from - 1]! - 2 * samples[from]! + samples[from + 1]!;
          sum += Math.abs(row(at - width) - 2 * row(at) + row(at + width));
          level += samples[at]!;
        }
      const mean = level / PATCH_PX ** 2;
      if (mean > 12 && mean < 243) found.push((Math.sqrt(Math.PI / 2) / 6) * (sum / PATCH_PX ** 2));
    }
  found.sort((a, b) => a - b);
  const [even = 0, middle = 0] = [UNIFORM_SHARE, 0.5].map((share) => found[Math.floor(found.length * share)]);
  return even >= ALIKE_MIN * middle ? even : 0;
}
