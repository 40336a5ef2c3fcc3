import { deflateSync } from 'node:zlib';
import { sharp } from '../../codecs/sharp.ts';
import { reducedInks } from '../../print/ink_limit.ts';
import type { PdfDocument } from '../pdf/document.ts';
import type { PdfImage } from '../pdf/images.ts';
import type { PdfDictionary } from '../pdf/values.ts';
import { COST } from '../work_budget.ts';
import { differences, entriesOf, IMAGE_PIXELS_MAX, whyUnusual } from './convert_image.ts';

const DEFLATE_LEVEL = 3;
const INKS = 4;

/** Whether the pixels of an image are inks of the press themselves. */
export const isOfInks = ({ space, isStencil }: PdfImage): boolean =>
  !isStencil && space.basis === 'cmyk' && space.family !== 'Indexed' && space.components === INKS;

/**
 * A CMYK image whose darkest parts take no more ink than a press does: the same pixels, masks, size and colour space, packed without loss.
 * @param limit in per cent
 * @returns undefined where it takes no more; why it is left as it is, in words that follow "as "
 */
export async function limitImage(
  document: PdfDocument,
  image: PdfImage,
  limit: number,
): Promise<{ entries: PdfDictionary; raw: Uint8Array } | string | undefined> {
  const unusual = whyUnusual(document, image);
  if (unusual) return unusual;
  // The rest of the file is repaired even where an image would be too much work.
  if (!document.work.trySpend(COST.jpegPixel * INKS * image.width * image.height))
    return 'it is too much work';
  const inks = image.filters.includes('DCTDecode')
    ? await jpegInks(document, image)
    : plainInks(document, image);
  if (typeof inks === 'string') return inks;
  if (!limitInks(inks, limit)) return undefined;
  const entries = entriesOf(image);
  const space = image.stream.dictionary.get('ColorSpace') ?? image.stream.dictionary.get('CS');
  if (image.space.family === 'ICCBased' && space !== undefined) entries.set('ColorSpace', space);
  return { entries, raw: deflateSync(differences(inks, image.width), { level: DEFLATE_LEVEL }) };
}

/**
 * Brings pixels of four inks to a limit, in place. A sum above it by less than rounding stays.
 * @param limit in per cent
 * @returns whether anything was changed
 */
export function limitInks(inks: Uint8Array, limit: number): boolean {
  const most = (limit * 255) / 100;
  let isChanged = false;
  for (let at = 0; at + INKS <= inks.length; at += INKS) {
    const [cyan, magenta, yellow, black] = [inks[at]!, inks[at + 1]!, inks[at + 2]!, inks[at + 3]!];
    if (cyan + magenta + yellow + black <= most + 2) continue;
    const reduced = reducedInks([cyan, magenta, yellow, black], most);
    for (let ink = 0; ink < INKS; ink += 1) inks[at + ink] = Math.floor(reduced[ink]!);
    isChanged = true;
  }
  return isChanged;
}

async function jpegInks(document: PdfDocument, image: PdfImage): Promise<Uint8Array | string> {
  const { data, codec } = document.decode(image.stream);
  if (codec !== 'DCTDecode') return 'it is packed in an unusual way';
  try {
    const { data: raw, info } = await sharp(data, { limitInputPixels: IMAGE_PIXELS_MAX })
      .pipelineColourspace('cmyk')
      .toColourspace('cmyk')
      .raw()
      .toBuffer({ resolveWithObject: true });
    if (info.channels !== INKS || info.width !== image.width || info.height !== image.height)
      return 'its JPEG has another size or other colours than it says';
    // libvips turns every CMYK JPEG round; in a PDF only Decode does.
    return image.isInverted ? raw : raw.map((byte) => 255 - byte);
  } catch {
    return 'its JPEG is broken';
  }
}

function plainInks(
  document: PdfDocument,
  { stream, width, height, bits, isInverted }: PdfImage,
): Uint8Array | string {
  if (bits !== 8) return `it has ${bits} bits an ink`;
  const { data, codec, problem } = document.decode(stream);
  if (codec || problem) return 'it is packed in a way that is not read here';
  const length = INKS * width * height;
  if (data.length < length) return 'its pixels are not all there';
  const inks = Uint8Array.from(data.subarray(0, length));
  return isInverted ? inks.map((byte) => 255 - byte) : inks;
}
