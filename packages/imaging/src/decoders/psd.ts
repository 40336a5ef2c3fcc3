import { brokenPicture } from '../codecs/headers/header.ts';
import { IMAGE_PIXELS_MAX } from '../codecs/limits.ts';
import { readRaster } from '../codecs/read_raster.ts';
import { writeTaggedTiff } from '../codecs/write_tagged_tiff.ts';
import { srgbOfLab } from '../color/lab.ts';
import { EngineError } from '../errors/engine_error.ts';
import type { Size } from '../pixels/plane.ts';
import { refuseSize, slice, withinFile } from './bounds.ts';
import { PSD_BYTES_MAX } from './limits.ts';
import type { DecodedPicture } from './types.ts';

interface Header extends Size {
  /** PSB: 64-bit section sizes, 32-bit row sizes. */
  readonly isLarge: boolean;
  readonly channels: number;
  readonly depth: number;
  readonly mode: number;
}

interface Resources {
  readonly icc?: Uint8Array | undefined;
  readonly hasComposite: boolean;
}

/** The composite, with interleaved channels. */
interface Composite extends Size {
  readonly colors: number;
  readonly hasAlpha: boolean;
  readonly data: Uint8Array | Uint16Array;
}

const HEADER_BYTES = 26;
const [BITMAP, GREY, INDEXED, RGB, CMYK, DUOTONE, LAB] = [0, 1, 2, 3, 4, 8, 9];
const COLORS: Readonly<Record<number, number>> = {
  [BITMAP!]: 1,
  [GREY!]: 1,
  [INDEXED!]: 1,
  [RGB!]: 3,
  [CMYK!]: 4,
  [DUOTONE!]: 1,
  [LAB!]: 3,
};
const ICC_RESOURCE = 1039;
const VERSION_RESOURCE = 1057;
const [RAW, RUN_LENGTHS] = [0, 1];

/**
 * Decodes the composite that Photoshop stores in addition to the layers of a PSD or PSB. Source: Adobe Photoshop File Formats Specification, November
 * 2019.
 */
export async function decodePsd(bytes: Uint8Array): Promise<DecodedPicture> {
  const { composite, header, resources, warnings, palette } = withinFile('PSD', bytes, readComposite);
  const { width, height } = composite;
  if (header.mode === CMYK || header.mode === LAB)
    return { ...(await convertToSrgb(composite, header.mode, resources.icc)), warnings };
  const { data, channels } = header.mode === INDEXED ? lookUp(composite, palette) : channelsOf(composite);
  return { width, height, channels, data, icc: resources.icc, warnings };
}

function readComposite(file: Buffer) {
  const header = readHeader(file);
  const colors = refuseHeader(header);
  let at = HEADER_BYTES;
  const palette = slice(file, at + 4, file.readUInt32BE(at));
  at += 4 + palette.length;
  const resources = readResources(slice(file, at + 4, file.readUInt32BE(at)));
  at += 4 + file.readUInt32BE(at);
  const size = header.isLarge ? Number(file.readBigUInt64BE(at)) : file.readUInt32BE(at);
  const start = at + (header.isLarge ? 8 : 4);
  const layers = slice(file, start, size);
  if (!resources.hasComposite)
    throw new EngineError(
      'unsupported_image',
      'The Photoshop document was saved without its composite image. Save it with "Maximize compatibility", or as PNG or TIFF.',
    );
  const hasAlpha = header.channels > colors && hasTransparency(layers, header);
  const composite = readPixels(file, start + size, header, { colors, hasAlpha });
  if (hasAlpha && header.mode !== INDEXED) unmixWhite(composite, header);
  return { composite, header, resources, palette, warnings: warningsOf(header, colors, hasAlpha) };
}

function readHeader(file: Buffer): Header {
  return {
    isLarge: file.readUInt16BE(4) === 2,
    channels: file.readUInt16BE(12),
    height: file.readUInt32BE(14),
    width: file.readUInt32BE(18),
    depth: file.readUInt16BE(22),
    mode: file.readUInt16BE(24),
  };
}

/** Rejects unsupported documents. Returns the number of colour channels. */
function refuseHeader({ mode, depth, channels, width, height }: Header): number {
  const colors = COLORS[mode];
  if (colors === undefined || ![1, 8, 16, 32].includes(depth))
    throw new EngineError(
      'unsupported_image',
      `The Photoshop document has colour mode ${mode} in ${depth} bits, which is not read. Convert it to RGB and send it again.`,
    );
  const isPossible =
    channels >= colors &&
    channels <= 56 &&
    (depth === 1) === (mode === BITMAP) &&
    (depth < 32 || mode === RGB || mode === GREY) &&
    (depth === 8 || mode !== INDEXED);
  if (!isPossible)
    throw brokenPicture(`its header declares ${channels} channels of ${depth} bits in mode ${mode}`);
  const sampleBytes = depth > 8 ? 2 : 1;
  const pixelsMax = Math.min(IMAGE_PIXELS_MAX, PSD_BYTES_MAX / ((colors + 1) * sampleBytes));
  refuseSize('Photoshop document', { width, height }, pixelsMax);
  return colors;
}

function readResources(section: Buffer): Resources {
  let resources: Resources = { hasComposite: true };
  for (let at = 0; at + 12 <= section.length; ) {
    const id = section.readUInt16BE(at + 4);
    const nameBytes = (section.readUInt8(at + 6) + 2) & ~1;
    const sizeAt = at + 6 + nameBytes;
    if (sizeAt + 4 > section.length) break;
    const size = section.readUInt32BE(sizeAt);
    const data = section.subarray(sizeAt + 4, sizeAt + 4 + size);
    if (id === ICC_RESOURCE && data.length >= 128) resources = { ...resources, icc: data };
    if (id === VERSION_RESOURCE && data.length >= 5)
      resources = { ...resources, hasComposite: data[4] === 1 };
    at = sizeAt + 4 + size + (size % 2);
  }
  return resources;
}

/**
 * Whether the first channel after the colours is the transparency of the composite, not a saved selection: the number of layers is then negative, or
 * a separate block states it, which documents of more than 8 bits also use for their layers.
 */
function hasTransparency(layers: Buffer, { isLarge }: Header): boolean {
  const lengthBytes = isLarge ? 8 : 4;
  if (layers.length < lengthBytes + 2) return false;
  const size = isLarge ? Number(layers.readBigUInt64BE(0)) : layers.readUInt32BE(0);
  if (size > 0) return layers.readInt16BE(lengthBytes) < 0;
  return ['Mtrn', 'Mt16', 'Mt32'].some((key) => layers.includes(`8BIM${key}`, 0, 'latin1'));
}

function warningsOf({ mode, depth, channels }: Header, colors: number, hasAlpha: boolean): string[] {
  const extra = channels - colors - (hasAlpha ? 1 : 0);
  return [
    ...(extra > 0
      ? [
          `${extra} stored channel${extra > 1 ? 's' : ''} of the Photoshop document that are neither colour nor transparency were left out.`,
        ]
      : []),
    ...(mode === DUOTONE
      ? ['The duotone inks of the Photoshop document were left out: it is read in grey.']
      : []),
    ...(depth === 32 ? ['Light above white in the 32-bit Photoshop document was cut off.'] : []),
  ];
}

function readPixels(
  file: Buffer,
  at: number,
  header: Header,
  { colors, hasAlpha }: { colors: number; hasAlpha: boolean },
): Composite {
  const { width, height, depth } = header;
  const channels = colors + (hasAlpha ? 1 : 0);
  // Checked before memory is allocated for missing data.
  const nextRow = rowReader(file, at, header, Math.ceil((width * depth) / 8));
  const data =
    depth > 8 ? new Uint16Array(width * height * channels) : new Uint8Array(width * height * channels);
  const isColor = (channel: number) => channel < colors;
  for (let channel = 0; channel < channels; channel += 1)
    for (let y = 0; y < height; y += 1) {
      const row = nextRow();
      const read = SAMPLES[depth]!;
      for (let [x, to] = [0, y * width * channels + channel]; x < width; x += 1, to += channels)
        data[to] = read(row, x, isColor(channel));
    }
  return { width, height, colors, hasAlpha, data };
}

/** Reads one sample of a row by bit depth: with 1 bit, 1 is black; 32 bits are a float in linear light. */
const SAMPLES: Readonly<Record<number, (row: Buffer, x: number, isColor: boolean) => number>> = {
  1: (row, x) => ((row[x >> 3]! >> (7 - (x & 7))) & 1 ? 0 : 255),
  8: (row, x) => row[x]!,
  16: (row, x) => (row[2 * x]! << 8) | row[2 * x + 1]!,
  32: (row, x, isColor) => {
    const value = Math.min(1, Math.max(0, row.readFloatBE(4 * x) || 0));
    if (!isColor) return Math.round(65_535 * value);
    return Math.round(65_535 * (value <= 0.0031308 ? 12.92 * value : 1.055 * value ** (1 / 2.4) - 0.055));
  },
};

/** Reads rows of the composite in file order: channel by channel, from the top. */
function rowReader(
  file: Buffer,
  at: number,
  { isLarge, channels, height }: Header,
  rowBytes: number,
): () => Buffer {
  const compression = file.readUInt16BE(at);
  let next = at + 2;
  if (compression === RAW) {
    slice(file, next, rowBytes * channels * height);
    return () => {
      next += rowBytes;
      return file.subarray(next - rowBytes, next);
    };
  }
  if (compression !== RUN_LENGTHS)
    throw new EngineError(
      'unsupported_image',
      `The composite of the Photoshop document is in compression ${compression}, which is not read. Save it as PNG or TIFF.`,
    );
  const countBytes = isLarge ? 4 : 2;
  let countAt = next;
  next += slice(file, next, countBytes * channels * height).length;
  const row = Buffer.alloc(rowBytes);
  return () => {
    const size = file.readUIntBE(countAt, countBytes);
    countAt += countBytes;
    unpackBits(slice(file, next, size), row);
    next += size;
    return row;
  };
}

/** PackBits, TIFF 6.0 section 9. Missing samples are zero. */
function unpackBits(packed: Buffer, row: Buffer): void {
  let [at, to] = [0, 0];
  while (at < packed.length && to < row.length) {
    const count = packed.readInt8(at);
    at += 1;
    if (count >= 0) {
      to += packed.copy(row, to, at, at + count + 1);
      at += count + 1;
    } else if (count > -128) {
      const end = Math.min(row.length, to + 1 - count);
      row.fill(packed[at] ?? 0, to, end);
      [at, to] = [at + 1, end];
    }
  }
  row.fill(0, to);
}

/**
 * Removes the white matte that Photoshop blends into the composite (in Lab, a and b of white are the midpoint). Other programs store unblended
 * colours, detected by any that is darker than that much white allows.
 */
function unmixWhite({ data, colors }: Composite, { mode }: Header): void {
  const isDeep = data instanceof Uint16Array;
  const max = isDeep ? 65_535 : 255;
  const white = Array.from({ length: colors }, (_, color) =>
    mode === LAB && color > 0 ? (max + 1) / 2 : max,
  );
  const tolerance = isDeep ? 514 : 2;
  for (let at = 0; at < data.length; at += colors + 1)
    if (data[at]! < max - data[at + colors]! - tolerance) return;
  for (let at = 0; at < data.length; at += colors + 1) {
    const alpha = data[at + colors]! / max;
    if (alpha === 0 || alpha === 1) continue;
    for (let color = 0; color < colors; color += 1) {
      const value = white[color]! + (data[at + color]! - white[color]!) / alpha;
      data[at + color] = Math.min(max, Math.max(0, Math.round(value)));
    }
  }
}

const channelsOf = ({ data, colors, hasAlpha }: Composite) => ({
  data,
  channels: (colors + (hasAlpha ? 1 : 0)) as 1 | 2 | 3 | 4,
});

/** The palette stores all red, then all green, then all blue values. */
function lookUp({ data, hasAlpha }: Composite, palette: Buffer) {
  if (palette.length < 768) throw brokenPicture('its palette is cut off');
  const step = hasAlpha ? 2 : 1;
  const channels = 2 + step;
  const out = new Uint8Array((data.length / step) * channels);
  for (let [from, to] = [0, 0]; from < data.length; from += step, to += channels) {
    const color = data[from]!;
    out.set([palette[color]!, palette[256 + color]!, palette[512 + color]!], to);
    if (hasAlpha) out[to + 3] = data[from + 1]!;
  }
  return { data: out, channels: channels as 3 | 4 };
}

/** CMYK through its profile, Lab by definition. */
async function convertToSrgb(composite: Composite, mode: number, icc: Uint8Array | undefined) {
  const { width, height, colors, hasAlpha, data } = composite;
  const rgb = mode === LAB ? labToSrgb(composite) : await inksToSrgb(composite, icc);
  if (!hasAlpha) return { width, height, channels: 3 as const, data: rgb };
  const rgba = new Uint8Array(width * height * 4);
  const scale = data instanceof Uint16Array ? 257 : 1;
  for (let pixel = 0; pixel < width * height; pixel += 1) {
    for (let color = 0; color < 3; color += 1) rgba[4 * pixel + color] = rgb[3 * pixel + color]!;
    rgba[4 * pixel + 3] = Math.round(data[(colors + 1) * pixel + colors]! / scale);
  }
  return { width, height, channels: 4 as const, data: rgba };
}

/** CMYK samples are stored inverted. */
async function inksToSrgb({ width, height, hasAlpha, data }: Composite, icc: Uint8Array | undefined) {
  const step = hasAlpha ? 5 : 4;
  const scale = data instanceof Uint16Array ? 257 : 1;
  const inks = new Uint8Array(width * height * 4);
  for (let [from, to] = [0, 0]; to < inks.length; from += step, to += 4)
    for (let ink = 0; ink < 4; ink += 1) inks[to + ink] = 255 - Math.round(data[from + ink]! / scale);
  const raster = await readRaster(
    writeTaggedTiff({ width, height, model: 'cmyk', hasAlpha: false, data: inks, profile: icc }),
  );
  return raster.data;
}

/** L from 0 to 100, a and b from -128 to 127, under D50. */
function labToSrgb({ width, height, hasAlpha, data }: Composite): Uint8Array {
  const step = hasAlpha ? 4 : 3;
  const scale = data instanceof Uint16Array ? 256 : 1;
  const white = data instanceof Uint16Array ? 65_535 : 255;
  const rgb = new Uint8Array(width * height * 3);
  for (let [from, to] = [0, 0]; to < rgb.length; from += step, to += 3) {
    const [a, b] = [data[from + 1]! / scale - 128, data[from + 2]! / scale - 128];
    rgb.set(srgbOfLab([(100 * data[from]!) / white, a, b]).map(Math.round), to);
  }
  return rgb;
}
