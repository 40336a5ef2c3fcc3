import { deflateSync } from 'node:zlib';
import { sharp } from '../../codecs/sharp.ts';
import { IMAGE_BYTES_MAX } from '../limits.ts';
import type { ColorSpace } from '../pdf/color_space.ts';
import type { PdfDocument } from '../pdf/document.ts';
import type { PdfImage } from '../pdf/images.ts';
import { Name, nameOf, type PdfDictionary, PdfText, type PdfValue } from '../pdf/values.ts';
import { COST } from '../work_budget.ts';
import { differences, entriesOf, IMAGE_PIXELS_MAX, unsupportedReason } from './convert_image.ts';
import { inkLimiter, type LimitInks } from './limit_inks.ts';

const DEFLATE_LEVEL = 3;
const INKS = 4;

type LimitedImage = { entries: PdfDictionary; raw: Uint8Array };

interface LimitOptions {
  /** In per cent. */
  readonly percent: number;
  /** Colour spaces of the resources, for inline images. */
  readonly spaces: PdfDictionary | undefined;
}

/**
 * Reduces an image in inks to a total area coverage limit. Pixels, masks, size and colour space stay, compressed
 * losslessly. In an image with a colour table, only the table changes.
 * @returns undefined if the image is within the limit or not in inks; the reason if it is left unchanged, as a clause
 */
export async function limitImage(
  document: PdfDocument,
  image: PdfImage,
  limiting: LimitOptions,
): Promise<LimitedImage | string | undefined> {
  const { space, isStencil, width, height } = image;
  if (isStencil) return undefined;
  if (space.family === 'Indexed') return limitTable(document, image, limiting);
  const limit = inkLimiter(space, limiting.percent);
  if (!limit) return undefined;
  const unusual = unsupportedReason(document, image);
  if (unusual) return unusual;
  // An image that costs too much work must not stop the repair of the rest of the file.
  if (!document.work.trySpend(COST.jpegPixel * (INKS + space.components) * width * height))
    return 'it is too complex';
  const samples = image.filters.includes('DCTDecode')
    ? await jpegSamples(document, image)
    : plainSamples(document, image);
  if (typeof samples === 'string') return samples;
  if (!limitSamples(samples, space, limit, limiting.percent)) return undefined;
  return encodeImage(document, image, { samples, spaces: limiting.spaces });
}

/** Interleaved ink samples of 8 or 16 bits. */
type Samples = Uint8Array | Uint16Array;

const fullOf = (samples: Samples): number => (samples instanceof Uint16Array ? 65_535 : 255);

/** Reduces pixels to the limit in place. An excess within rounding stays. @returns whether a pixel changed */
function limitSamples(
  samples: Samples,
  { components }: ColorSpace,
  limit: LimitInks,
  percent: number,
): boolean {
  const full = fullOf(samples);
  const most = (percent * full) / 100 + full / 128;
  const inks = new Float64Array(components);
  let isChanged = false;
  for (let at = 0; at + components <= samples.length; at += components) {
    let total = 0;
    for (let ink = 0; ink < components; ink += 1) total += samples[at + ink]!;
    if (total <= most) continue;
    for (let ink = 0; ink < components; ink += 1) inks[ink] = samples[at + ink]! / full;
    const limited = limit(inks);
    if (!limited) continue;
    for (let ink = 0; ink < components; ink += 1) samples[at + ink] = Math.floor(full * limited[ink]! + 1e-6);
    isChanged = true;
  }
  return isChanged;
}

function encodeImage(
  document: PdfDocument,
  image: PdfImage,
  { samples, spaces }: { readonly samples: Samples; readonly spaces: PdfDictionary | undefined },
): LimitedImage {
  const entries = entriesOf(image);
  if (image.space.family !== 'DeviceCMYK') entries.set('ColorSpace', spaceOf(document, image, spaces));
  if (samples instanceof Uint8Array && image.space.components === INKS)
    return { entries, raw: deflateSync(differences(samples, image.width), { level: DEFLATE_LEVEL }) };
  entries.delete('DecodeParms');
  entries.set('BitsPerComponent', samples instanceof Uint8Array ? 8 : 16);
  const bytes =
    samples instanceof Uint8Array ? samples : Buffer.from(samples.buffer, 0, samples.byteLength).swap16();
  return { entries, raw: deflateSync(bytes, { level: DEFLATE_LEVEL }) };
}

/** Returns the colour space of an image without names from the resources, for use in an XObject. */
function spaceOf(document: PdfDocument, { stream }: PdfImage, spaces: PdfDictionary | undefined): PdfValue {
  const value = stream.dictionary.get('ColorSpace') ?? stream.dictionary.get('CS') ?? null;
  const name = nameOf(document.resolve(value));
  return (name !== undefined && spaces?.get(name)) || value;
}

/** Maximum rows of a colour table. Missing rows stay missing. */
const ROWS_MAX = 256;

function limitTable(
  document: PdfDocument,
  image: PdfImage,
  { percent, spaces }: LimitOptions,
): LimitedImage | string | undefined {
  const found = document.resolve(spaceOf(document, image, spaces));
  const limited = limitIndexed(document, found, { space: image.space, percent });
  if (!limited) return undefined;
  const { stream, bits } = image;
  const mask = document.dictionary(stream.dictionary.get('SMask'));
  if (mask?.has('Matte')) return 'its colours are preblended with a matte colour';
  const entries = entriesOf(image);
  entries.set('BitsPerComponent', bits);
  entries.set('ColorSpace', limited);
  const filters = document.filters(stream.dictionary).map((one) => new Name(one));
  entries.delete('DecodeParms');
  entries.delete('Filter');
  if (filters.length > 0) entries.set('Filter', filters);
  for (const [key, short] of [
    ['DecodeParms', 'DP'],
    ['Decode', 'D'],
  ] as const) {
    const value = stream.dictionary.get(key) ?? stream.dictionary.get(short);
    if (value !== undefined) entries.set(key, value);
  }
  return { entries, raw: stream.raw };
}

/**
 * Reduces the colour table of an Indexed space to an ink limit.
 * @param value the array of the space
 * @returns undefined if all colours are within the limit, and for tables not in inks
 */
export function limitIndexed(
  document: PdfDocument,
  value: PdfValue,
  { space, percent }: { readonly space: ColorSpace; readonly percent: number },
): PdfValue[] | undefined {
  const { base, lookup } = space;
  const limit = base && inkLimiter(base, percent);
  if (!limit || !lookup || !Array.isArray(value)) return undefined;
  const table = Uint8Array.from(lookup.subarray(0, ROWS_MAX * base.components));
  document.work.spend(COST.sample * table.length);
  return limitSamples(table, base, limit, percent)
    ? [value[0]!, value[1]!, value[2] ?? 0, new PdfText(table)]
    : undefined;
}

async function jpegSamples(document: PdfDocument, image: PdfImage): Promise<Uint8Array | string> {
  const { data, codec } = document.decode(image.stream);
  if (codec !== 'DCTDecode' || image.space.components !== INKS) return 'its encoding is not supported';
  try {
    const { data: raw, info } = await sharp(data, { limitInputPixels: IMAGE_PIXELS_MAX })
      .pipelineColourspace('cmyk')
      .toColourspace('cmyk')
      .raw()
      .toBuffer({ resolveWithObject: true });
    if (info.channels !== INKS || info.width !== image.width || info.height !== image.height)
      return 'its JPEG differs in size or colours from its dictionary';
    // libvips inverts every CMYK JPEG; in a PDF only the Decode array inverts.
    return image.isInverted ? raw : raw.map((byte) => 255 - byte);
  } catch {
    return 'its JPEG is damaged';
  }
}

/** Expands samples of fewer than 8 bits to 8, so that they can be reduced. */
function plainSamples(
  document: PdfDocument,
  { stream, space, width, height, bits, isInverted }: PdfImage,
): Samples | string {
  const rowBytes = Math.ceil((width * space.components * bits) / 8);
  const count = space.components * width * height;
  if (![1, 2, 4, 8, 16].includes(bits) || count * (bits === 16 ? 2 : 1) > IMAGE_BYTES_MAX)
    return 'it is too large';
  const { data, codec, problem } = document.decode(stream, IMAGE_BYTES_MAX);
  if (codec || problem) return 'its encoding is not supported';
  if (data.length < rowBytes * height) return 'some of its pixels are missing';
  const samples = bits === 16 ? new Uint16Array(count) : new Uint8Array(count);
  const full = fullOf(samples);
  const most = 2 ** bits - 1;
  const inRow = space.components * width;
  for (let at = 0; at < count; at += 1) {
    const [row, index] = [Math.floor(at / inRow), at % inRow];
    const value = sampleAt(data, row * rowBytes, { index, bits });
    samples[at] = isInverted ? full - (value * full) / most : (value * full) / most;
  }
  return samples;
}

function sampleAt(
  data: Uint8Array,
  row: number,
  { index, bits }: { readonly index: number; readonly bits: number },
): number {
  if (bits === 8) return data[row + index]!;
  if (bits === 16) return (data[row + 2 * index]! << 8) | data[row + 2 * index + 1]!;
  const bit = index * bits;
  return (data[row + (bit >> 3)]! >> (8 - bits - (bit & 7))) & (2 ** bits - 1);
}
