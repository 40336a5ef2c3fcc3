import { awaitDecoding } from '../codecs/open_picture.ts';
import { sharp } from '../codecs/sharp.ts';
import { type TaggedPicture, writeTaggedTiff } from '../codecs/write_tagged_tiff.ts';
import { writeProfile } from '../color/write_profile.ts';
import { EngineError } from '../errors/engine_error.ts';
import type { FileIdentity } from '../identify/file_identity.ts';

type Samples = Uint8Array | Uint16Array | Float32Array;

export interface Converted {
  readonly bytes: Uint8Array;
  /** How samples were scaled, if the file does not define their meaning. */
  readonly scaled?: string;
}

interface ConvertOptions {
  /** Page index of the decoder, from 0. */
  readonly page?: number;
  readonly failOn?: 'warning' | 'none';
  /** The decoder returns premultiplied alpha. */
  readonly isPremultiplied?: boolean;
}

/** Memory limit for samples held as 4-byte numbers. */
const WIDE_BYTES_MAX = 256 * 1024 * 1024;

/**
 * Decodes an image once, without colour conversion, and writes it for engines: extra channels removed, alpha unpremultiplied, wider samples
 * scaled to 16 bits, and with an ICC profile that matches the file's colour information.
 * @throws EngineError undecodable_image, unsupported_image, image_too_large
 */
export async function convertSamples(
  bytes: Uint8Array,
  identity: FileIdentity,
  { page = 0, failOn = 'warning', isPremultiplied = false }: ConvertOptions = {},
): Promise<Converted> {
  const { samples, color } = identity;
  const model = samples.model === 'cmyk' ? 'cmyk' : samples.model === 'grey' ? 'grey' : 'rgb';
  const isWide = samples.isFloat || samples.isSigned || samples.bits > 16;
  const decoded = await decode(bytes, { model, isWide, isDeep: samples.bits > 8, page, failOn });
  const extra = extraOf(decoded.channels, model, samples.extra);
  const { data, scaled } = isWide ? scale(decoded.data) : { data: decoded.data as TaggedPicture['data'] };
  const alpha = samples.extra.findIndex((kind) => kind !== 'other');
  const hasAlpha = extra > 0 && alpha >= 0;
  const kept = pickChannels(data, {
    channels: decoded.channels,
    colors: decoded.channels - extra,
    alpha: hasAlpha ? alpha : undefined,
  });
  if (hasAlpha && isPremultiplied) divideOut(kept, decoded.channels - extra + 1);
  const actual = decoded.channels - extra === 1 ? 'grey' : model;
  const profile = color.coding
    ? writeProfile(color.coding, actual === 'grey' ? 'grey' : 'rgb')
    : color.profile;
  const tiff = writeTaggedTiff({ ...decoded, model: actual, hasAlpha, data: kept, profile });
  return { bytes: tiff, ...(scaled && { scaled }) };
}

interface Decoding {
  readonly model: TaggedPicture['model'];
  readonly isWide: boolean;
  readonly isDeep: boolean;
  readonly page: number;
  readonly failOn: 'warning' | 'none';
}

const SPACES = { grey: ['b-w', 'grey16'], rgb: ['srgb', 'rgb16'], cmyk: ['cmyk', 'cmyk'] } as const;

async function decode(bytes: Uint8Array, { model, isWide, isDeep, page, failOn }: Decoding) {
  const open = () =>
    sharp(bytes, { failOn, page, pages: 1, autoOrient: true, ignoreIcc: true, limitInputPixels: false });
  const { width = 0, height = 0, channels = 1, space } = await awaitDecoding(open().metadata());
  if (isWide && width * height * channels * 4 > WIDE_BYTES_MAX)
    throw new EngineError(
      'image_too_large',
      `The image has ${width} × ${height} pixels with ${channels} samples of 32 bits or more, which exceeds the memory limit. Send it with 8- or 16-bit integers.`,
    );
  const depth = isWide ? 'float' : isDeep ? 'ushort' : 'uchar';
  // Samples that are not colours yet stay in the space libvips assigns.
  const target = isWide ? (space ?? 'srgb') : SPACES[model][isDeep ? 1 : 0];
  const opened = model === 'cmyk' || isWide ? open().pipelineColourspace(target) : open();
  const { data, info } = await awaitDecoding(
    opened.toColourspace(target).raw({ depth }).toBuffer({ resolveWithObject: true }),
  );
  const { buffer, byteOffset, byteLength } = data.byteOffset % 4 === 0 ? data : Buffer.from(data);
  const samples: Samples =
    depth === 'float'
      ? new Float32Array(buffer, byteOffset, byteLength / 4)
      : depth === 'ushort'
        ? new Uint16Array(buffer, byteOffset, byteLength / 2)
        : new Uint8Array(buffer, byteOffset, byteLength);
  return { width: info.width, height: info.height, channels: info.channels as number, data: samples };
}

const COLORS = { grey: 1, rgb: 3, cmyk: 4 } as const;

/** Number of extra channels; sharp may return three colour channels for one. */
const extraOf = (channels: number, model: TaggedPicture['model'], extra: readonly unknown[]): number =>
  Math.max(0, Math.min(extra.length, channels - Math.min(COLORS[model], channels)));

/** Values from 0 to 1 fill 16 bits; others are stretched from their minimum (at most 0) to their maximum. */
function scale(data: Samples): { data: Uint16Array; scaled: string } {
  let [low, high] = [0, 0];
  for (const value of data) {
    if (value < low && value > -Infinity) low = value;
    else if (value > high && value < Infinity) high = value;
  }
  const isUnit = low === 0 && high <= 1;
  const [from, to] = isUnit ? [0, 1] : [low, high];
  const factor = 65_535 / (to - from || 1);
  const scaled = new Uint16Array(data.length);
  for (let index = 0; index < data.length; index += 1)
    scaled[index] = Math.max(0, Math.min(65_535, Math.round((data[index]! - from) * factor))) || 0;
  return {
    data: scaled,
    scaled: isUnit ? '0 to 1' : `${Number(from.toPrecision(4))} to ${Number(to.toPrecision(4))}`,
  };
}

interface Picking {
  readonly channels: number;
  readonly colors: number;
  /** Index of the alpha channel among the extra channels. */
  readonly alpha: number | undefined;
}

function pickChannels(
  data: TaggedPicture['data'],
  { channels, colors, alpha }: Picking,
): TaggedPicture['data'] {
  const kept = colors + (alpha === undefined ? 0 : 1);
  if (kept === channels) return data;
  const pixels = data.length / channels;
  const picked = data instanceof Uint16Array ? new Uint16Array(pixels * kept) : new Uint8Array(pixels * kept);
  for (let pixel = 0; pixel < pixels; pixel += 1) {
    for (let color = 0; color < colors; color += 1)
      picked[pixel * kept + color] = data[pixel * channels + color]!;
    if (alpha !== undefined) picked[pixel * kept + colors] = data[pixel * channels + colors + alpha]!;
  }
  return picked;
}

/** Unpremultiplies alpha in place. */
function divideOut(data: TaggedPicture['data'], channels: number): void {
  const max = data instanceof Uint16Array ? 65_535 : 255;
  for (let at = 0; at < data.length; at += channels) {
    const alpha = data[at + channels - 1]!;
    if (alpha === 0 || alpha === max) continue;
    for (let color = at; color < at + channels - 1; color += 1)
      data[color] = Math.min(max, Math.round((data[color]! * max) / alpha));
  }
}
