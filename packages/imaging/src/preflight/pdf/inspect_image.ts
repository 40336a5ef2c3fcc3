import { sharp } from '../../codecs/sharp.ts';
import { COST } from '../work_budget.ts';
import type { PdfDocument } from './document.ts';
import { type PdfImage, readSamples, type Samples } from './images.ts';
import { approximateRgb, inksOf, totalInk } from './inks.ts';

/** Start of frame: all except DHT (C4), JPG (C8) and DAC (CC). ISO/IEC 10918-1, table B.1 */
const isFrame = (marker: number): boolean =>
  marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
const START_OF_SCAN = 0xda;

/**
 * Counts the pixels and scans of a JPEG from its markers. Decoding cost is their product: each scan of a progressive
 * JPEG may touch every pixel. An embedded thumbnail counts too; other data have neither.
 */
function readJpegSize(bytes: Uint8Array): { pixels: number; scans: number } {
  let [pixels, scans] = [0, 0];
  for (let at = bytes.indexOf(0xff); at >= 0; at = bytes.indexOf(0xff, at + 1)) {
    const marker = bytes[at + 1] ?? 0;
    if (marker === START_OF_SCAN) scans += 1;
    if (!isFrame(marker) || at + 9 > bytes.length) continue;
    const height = (bytes[at + 5]! << 8) | bytes[at + 6]!;
    const width = (bytes[at + 7]! << 8) | bytes[at + 8]!;
    pixels = Math.max(pixels, width * height);
  }
  return { pixels, scans: Math.max(1, scans) };
}

/** Result of inspecting the pixels of an image. */
export interface ImageInspection {
  /** The pixels cannot be decoded, or not all of them. */
  readonly isBroken?: boolean;
  /** RGB thumbnail for the page drawing. */
  readonly thumb?: { readonly width: number; readonly height: number; readonly rgb: Uint8Array };
  /** Total area coverage in per cent that 99.9 % of the pixels do not exceed. Undefined for colours not in inks. */
  readonly inkPercent?: number | undefined;
}

const THUMB_SIDE = 96;
/** Maximum pixels sampled per side to measure ink coverage. */
const SAMPLED_SIDE = 256;
const INK_STEPS = 512;
const PERCENTILE = 0.999;
/** Maximum pixels of a JPEG that is decoded. */
const JPEG_PIXELS_MAX = 200_000_000;

/**
 * Inspects the pixels of an image. Undefined for unsupported encodings (JPEG 2000, JBIG2, fax) and very large images.
 * @throws WorkBudgetExceeded
 */
export async function inspectImage(
  document: PdfDocument,
  image: PdfImage,
): Promise<ImageInspection | 'too_much_work' | undefined> {
  const { components } = image.space;
  const asked = (SAMPLED_SIDE ** 2 + THUMB_SIDE ** 2) * (1 + components) * COST.sample;
  if (!document.work.trySpend(asked)) return 'too_much_work';
  const samples = image.filters.includes('DCTDecode')
    ? await jpegSamples(document, image)
    : readSamples(document, image);
  if (samples === 'too_much_work') return samples;
  if (samples === 'broken') return { isBroken: true };
  if (!samples) return undefined;
  return {
    isBroken: samples.isTruncated,
    thumb: thumbOf(image, samples),
    inkPercent: image.isStencil ? undefined : inkOf(image, samples),
  };
}

/** Decodes a JPEG at reduced size, without colour conversion. */
async function jpegSamples(
  document: PdfDocument,
  image: PdfImage,
): Promise<Samples | 'broken' | 'too_much_work' | undefined> {
  const { data, codec } = document.decode(image.stream);
  if (codec !== 'DCTDecode') return undefined;
  const { components } = image.space;
  const colors = ({ 1: 'b-w', 3: 'srgb', 4: 'cmyk' } as const)[components as 1 | 3 | 4];
  if (!colors) return undefined;
  const { pixels, scans } = readJpegSize(data);
  if (!document.work.trySpend(COST.jpegByte * data.length + COST.jpegPixel * pixels * scans))
    return 'too_much_work';
  try {
    const { data: raw, info } = await sharp(data, { limitInputPixels: JPEG_PIXELS_MAX, failOn: 'none' })
      .pipelineColourspace(colors)
      .resize({ width: SAMPLED_SIDE, height: SAMPLED_SIDE, fit: 'inside', withoutEnlargement: true })
      .toColourspace(colors)
      .raw()
      .toBuffer({ resolveWithObject: true });
    if (info.channels !== components) return undefined;
    // libvips inverts every CMYK JPEG, as Photoshop writes them (measured with and without the Adobe marker); in a PDF only the Decode array inverts.
    const isTurned = (components === 4) !== image.isInverted;
    return {
      isTruncated: false,
      width: info.width,
      height: info.height,
      components,
      at: (x, y) =>
        Array.from({ length: components }, (_, index) => {
          const share = raw[(y * info.width + x) * components + index]! / 255;
          return isTurned ? 1 - share : share;
        }),
    };
  } catch {
    return 'broken';
  }
}

function thumbOf(image: PdfImage, samples: Samples): NonNullable<ImageInspection['thumb']> {
  const width = Math.min(THUMB_SIDE, samples.width);
  const height = Math.min(THUMB_SIDE, samples.height);
  const rgb = new Uint8Array(3 * width * height);
  for (let y = 0; y < height; y += 1)
    for (let x = 0; x < width; x += 1) {
      const from: [number, number] = [
        Math.floor(((x + 0.5) * samples.width) / width),
        Math.floor(((y + 0.5) * samples.height) / height),
      ];
      const values = samples.at(...from);
      const bit = 255 * values[0]!;
      rgb.set(image.isStencil ? [bit, bit, bit] : approximateRgb(image.space, values), 3 * (y * width + x));
    }
  return { width, height, rgb };
}

function inkOf({ space }: PdfImage, samples: Samples): number | undefined {
  const counts = new Uint32Array(INK_STEPS + 1);
  const [columns, rows] = [Math.min(SAMPLED_SIDE, samples.width), Math.min(SAMPLED_SIDE, samples.height)];
  for (let y = 0; y < rows; y += 1)
    for (let x = 0; x < columns; x += 1) {
      const inks = inksOf(
        space,
        samples.at(
          Math.floor(((x + 0.5) * samples.width) / columns),
          Math.floor(((y + 0.5) * samples.height) / rows),
        ),
      );
      if (!inks) return undefined;
      counts[Math.min(INK_STEPS, Math.round(totalInk(inks)))]! += 1;
    }
  let left = PERCENTILE * columns * rows;
  for (let percent = 0; percent <= INK_STEPS; percent += 1) {
    left -= counts[percent]!;
    if (left <= 0) return percent;
  }
  return INK_STEPS;
}
