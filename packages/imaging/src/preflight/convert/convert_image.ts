import { deflateSync } from 'node:zlib';
import { sharp } from '../../codecs/sharp.ts';
import type { ColorSpace } from '../pdf/color_space.ts';
import type { PdfDocument } from '../pdf/document.ts';
import { type PdfImage, readSamples } from '../pdf/images.ts';
import { type PdfDictionary, PdfStream, type PdfValue } from '../pdf/values.ts';
import { COST } from '../work_budget.ts';
import { imageEntries } from './image_entries.ts';
import type { PressColors } from './press_colors.ts';

/** Maximum pixels of one converted image. */
export const IMAGE_PIXELS_MAX = 30_000_000;
const DEFLATE_LEVEL = 3;

/** Tests whether an image is in RGB or Lab. */
export const isRgbOrLabImage = ({ space, isStencil }: PdfImage): boolean =>
  !isStencil && (space.basis === 'rgb' || space.basis === 'lab');

/**
 * Converts an RGB image to CMYK with the same pixels, masks and size, compressed losslessly.
 * @returns the reason if it is left unchanged, as a clause
 * @throws WorkBudgetExceeded
 */
export async function convertImage(
  document: PdfDocument,
  image: PdfImage,
  colors: PressColors,
): Promise<{ entries: PdfDictionary; raw: Uint8Array } | string> {
  const { width, height, space } = image;
  if (space.basis === 'lab' || space.base?.basis === 'lab') return 'it is in Lab';
  const unusual = unsupportedReason(document, image);
  if (unusual) return unusual;
  document.work.spend(COST.jpegPixel * 8 * width * height);
  const rgb = image.filters.includes('DCTDecode')
    ? await jpegPixels(document, image)
    : plainPixels(document, image);
  if (typeof rgb === 'string') return rgb;
  const inks = colors.inksOfPixels(basisOf(space), rgb);
  return { entries: entriesOf(image), raw: deflateSync(differences(inks, width), { level: DEFLATE_LEVEL }) };
}

/** Returns the reason why the pixels of an image cannot be changed, as a clause. */
export function unsupportedReason(document: PdfDocument, image: PdfImage): string | undefined {
  const { width, height, stream } = image;
  if (width * height > IMAGE_PIXELS_MAX) return `it has more than ${IMAGE_PIXELS_MAX / 1e6} million pixels`;
  if (Array.isArray(document.resolve(stream.dictionary.get('Mask')))) return 'it has a colour key mask';
  const mask = document.dictionary(stream.dictionary.get('SMask'));
  if (mask?.has('Matte')) return 'its colours are preblended with a matte colour';
  const decode = document.numbers(stream.dictionary.get('Decode') ?? stream.dictionary.get('D'));
  return isDefaultDecode(decode, image) ? undefined : 'its Decode array is unusual';
}

const basisOf = (space: ColorSpace): ColorSpace =>
  space.family === 'Indexed' && space.base ? space.base : space;

/** Tests for the default or the inverted Decode array. */
const isDefaultDecode = (decode: readonly number[], { space, isInverted }: PdfImage): boolean =>
  decode.length === 0 ||
  space.family === 'Indexed' ||
  decode.every((value, index) => value === (index % 2 === (isInverted ? 1 : 0) ? 0 : 1));

export function entriesOf({ width, height, stream }: PdfImage): PdfDictionary {
  const kept: [string, PdfValue][] = ['SMask', 'Mask', 'Interpolate', 'Intent', 'OC'].flatMap((key) => {
    const value = stream.dictionary.get(key);
    return value === undefined ? [] : [[key, value] as [string, PdfValue]];
  });
  const predictor: PdfDictionary = new Map<string, PdfValue>([
    ['Predictor', 2],
    ['Colors', 4],
    ['BitsPerComponent', 8],
    ['Columns', width],
  ]);
  return new Map([...imageEntries({ width, height }, 'DeviceCMYK'), ['DecodeParms', predictor], ...kept]);
}

async function jpegPixels(document: PdfDocument, image: PdfImage): Promise<Uint8Array | string> {
  const { data, codec } = document.decode(image.stream);
  if (codec !== 'DCTDecode' || image.space.components !== 3) return 'its encoding is not supported';
  try {
    const { data: raw, info } = await sharp(data, { limitInputPixels: IMAGE_PIXELS_MAX })
      .toColourspace('srgb')
      .raw()
      .toBuffer({ resolveWithObject: true });
    if (info.channels !== 3 || info.width !== image.width || info.height !== image.height)
      return 'its JPEG differs in size or colours from its dictionary';
    return image.isInverted ? raw.map((byte) => 255 - byte) : raw;
  } catch {
    return 'its JPEG is damaged';
  }
}

function plainPixels(document: PdfDocument, image: PdfImage): Uint8Array | string {
  const samples = readSamples(document, image);
  if (samples === undefined) return 'its encoding is not supported';
  if (samples === 'broken' || samples.isTruncated) return 'some of its pixels are missing';
  const { width, height, space, bits, isInverted } = image;
  if (space.family !== 'Indexed' && bits === 8 && !isInverted)
    return document.decode(image.stream).data.subarray(0, 3 * width * height);
  document.work.spend(COST.sample * samples.components * width * height);
  const rgb = new Uint8Array(3 * width * height);
  for (let y = 0, to = 0; y < height; y += 1)
    for (let x = 0; x < width; x += 1, to += 3) {
      const values = samples.at(x, y);
      if (space.family === 'Indexed') {
        const from = 3 * Math.round(values[0]!);
        for (let at = 0; at < 3; at += 1) rgb[to + at] = space.lookup?.[from + at] ?? 0;
      } else for (let at = 0; at < 3; at += 1) rgb[to + at] = Math.round(255 * (values[at] ?? 0));
    }
  return rgb;
}

/** Subtracts the sample of the same ink to the left: TIFF predictor 2. ISO 32000-1, 7.4.4.4 */
export function differences(inks: Uint8Array, width: number): Uint8Array {
  const result = Uint8Array.from(inks);
  for (let row = 0; row < result.length; row += 4 * width)
    for (let at = row + 4 * width - 1; at >= row + 4; at -= 1) result[at]! -= inks[at - 4]!;
  return result;
}

/** Creates the stream of a converted image and copies the objects it refers to. */
export const imageStream = (
  { entries, raw }: { entries: PdfDictionary; raw: Uint8Array },
  copy: (value: PdfValue) => PdfValue,
): PdfStream => new PdfStream(new Map([...entries].map(([key, value]) => [key, copy(value)])), raw);
