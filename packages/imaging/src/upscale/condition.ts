import { identify } from '../codecs/identify.ts';
import { awaitDecoding, openPicture } from '../codecs/open_picture.ts';
import { decodeRaster } from '../codecs/read_raster.ts';
import { sharp } from '../codecs/sharp.ts';
import { lumaPlane } from '../pixels/luma.ts';
import type { Raster } from '../pixels/raster.ts';
import { findJpegTraces, qualityOf } from './jpeg_traces.ts';

/** Whether a picture can be taken at its word: compression and noise are no detail, and should not be enlarged as such. */
export interface Condition {
  readonly kind: 'clean' | 'spoiled';
  /** What told, for a person. */
  readonly sign: string;
}

/** Below this quality of a JPEG the network for spoiled pictures comes nearer to the truth (docs/decisions/0025-upscaling.md). */
const CLEAN_JPEG_QUALITY_MIN = 86;
/**
 * Likewise from this much noise: the standard deviation in levels of 255 in the most even places of the luma, where it is
 * nearly as much as in the middle one of all places. Texture is as strong, but not everywhere alike.
 */
const NOISE_MIN = 2.9;
const ALIKE_MIN = 0.6;
/** The share of pieces that count as most even. */
const EVEN_SHARE = 0.05;
/** Side of the middle of the picture in which noise is looked for, in pixels, and of the pieces it is judged by. */
const SAMPLE_PX = 512;
const PIECE_PX = 8;

/** Side of the part in which blocks of a JPEG are looked for: some 2,300 of them, 0.1 s. */
const TRACES_PX = 384;

/**
 * Judges a picture by the quality its JPEG was saved with, now or before it was saved again in any format, and by the noise in its most even
 * places.
 * @throws EngineError undecodable_image, unsupported_image
 */
export async function conditionOf(bytes: Uint8Array): Promise<Condition> {
  const quality = jpegQuality(bytes);
  if (quality !== undefined && quality < CLEAN_JPEG_QUALITY_MIN)
    return { kind: 'spoiled', sign: `it is a JPEG of quality about ${quality}` };
  const middle = await middleOf(bytes);
  const part = lumaPlane(middleOfRaster(middle, TRACES_PX));
  const traces = findJpegTraces(part.data, part);
  if (traces && traces.quality < CLEAN_JPEG_QUALITY_MIN)
    return {
      kind: 'spoiled',
      sign: `its pixels show the blocks of a JPEG of quality about ${traces.quality}, saved again since`,
    };
  const noise = noiseOf(await greyOf(middle));
  return noise >= NOISE_MIN
    ? { kind: 'spoiled', sign: `it has noise of about ${noise.toFixed(1)} levels` }
    : { kind: 'clean', sign: 'it has neither coarse compression nor noise' };
}

/** Steps of the luminance table at quality 50, in the order of the file (zigzag). ITU-T T.81, table K.1 */
const STEPS = [
  16, 11, 12, 14, 12, 10, 16, 14, 13, 14, 18, 17, 16, 19, 24, 40, 26, 24, 22, 22, 24, 49, 35, 37, 29, 40, 58,
  51, 61, 60, 57, 51, 56, 55, 64, 72, 92, 78, 64, 68, 87, 69, 55, 56, 80, 109, 81, 87, 95, 98, 103, 104, 103,
  62, 77, 113, 121, 112, 100, 120, 92, 101, 103, 99,
];

/**
 * The quality, 1 to 100, whose table has steps as coarse as those of the file, on the scale of the Independent JPEG
 * Group; undefined for what is no JPEG or has no such table.
 */
export function jpegQuality(bytes: Uint8Array): number | undefined {
  const found = identify(bytes);
  const table = 'format' in found && found.format === 'jpeg' ? luminanceTable(bytes) : undefined;
  if (!table) return undefined;
  const sum = (steps: readonly number[]) => steps.reduce((total, step) => total + step, 0);
  return qualityOf((100 * sum(table)) / sum(STEPS));
}

const [DEFINE_TABLES, START_OF_SCAN] = [0xdb, 0xda];

function luminanceTable(bytes: Uint8Array): readonly number[] | undefined {
  for (let at = 2; at + 4 <= bytes.length && bytes[at] === 0xff; ) {
    const [marker, length] = [bytes[at + 1]!, (bytes[at + 2]! << 8) | bytes[at + 3]!];
    if (marker === START_OF_SCAN) return undefined;
    // The luminance table is the first of a segment's tables in practice; its head is precision and number.
    const [head, isWide] = [bytes[at + 4]!, bytes[at + 4]! >> 4 === 1];
    const first = at + 5;
    if (marker === DEFINE_TABLES && (head & 15) === 0 && first + (isWide ? 128 : 64) <= bytes.length)
      return STEPS.map((_, index) =>
        isWide ? (bytes[first + 2 * index]! << 8) | bytes[first + 2 * index + 1]! : bytes[first + index]!,
      );
    at += 2 + length;
  }
  return undefined;
}

async function middleOf(bytes: Uint8Array): Promise<Raster> {
  const { autoOrient } = await awaitDecoding(openPicture(bytes).metadata());
  const [width, height] = [Math.min(SAMPLE_PX, autoOrient.width), Math.min(SAMPLE_PX, autoOrient.height)];
  const [left, top] = [(autoOrient.width - width) >> 1, (autoOrient.height - height) >> 1];
  const middle = openPicture(bytes)
    .extract({ left, top, width, height })
    .flatten({ background: '#808080' })
    .toColourspace('srgb');
  const raster = await decodeRaster(middle);
  // sharp answers one channel for a grey picture.
  return raster.channels >= 3 ? raster : spread(raster);
}

const spread = ({ width, height, channels, data }: Raster): Raster => ({
  width,
  height,
  channels: 3,
  data: Uint8Array.from({ length: width * height * 3 }, (_, at) => data[Math.floor(at / 3) * channels]!),
});

function middleOfRaster({ width, height, channels, data }: Raster, sidePx: number): Raster {
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
 * Standard deviation of noise in levels; 0 where what there is may as well be texture. Pieces at the ends of the scale,
 * where noise is cut off, do not count.
 * J. Immerkær, Fast Noise Variance Estimation, 1996
 */
function noiseOf({ width, height, data: samples }: Raster): number {
  const found: number[] = [];
  for (let top = 1; top + PIECE_PX < height; top += PIECE_PX)
    for (let left = 1; left + PIECE_PX < width; left += PIECE_PX) {
      let [sum, level] = [0, 0];
      for (let y = top; y < top + PIECE_PX; y += 1)
        for (let x = left; x < left + PIECE_PX; x += 1) {
          const at = y * width + x;
          const row = (from: number) => samples[from - 1]! - 2 * samples[from]! + samples[from + 1]!;
          sum += Math.abs(row(at - width) - 2 * row(at) + row(at + width));
          level += samples[at]!;
        }
      const mean = level / PIECE_PX ** 2;
      if (mean > 12 && mean < 243) found.push((Math.sqrt(Math.PI / 2) / 6) * (sum / PIECE_PX ** 2));
    }
  found.sort((a, b) => a - b);
  const [even = 0, middle = 0] = [EVEN_SHARE, 0.5].map((share) => found[Math.floor(found.length * share)]);
  return even >= ALIKE_MIN * middle ? even : 0;
}
