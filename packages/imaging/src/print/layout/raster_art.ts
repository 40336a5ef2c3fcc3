import { once } from 'node:events';
import { createDeflate, deflateSync } from 'node:zlib';
import { applyLink, type ColorLink } from '../../color/color_link.ts';
import type { Raster } from '../../pixels/raster.ts';
import type { Box } from '../../preflight/content/matrix.ts';
import { differences } from '../../preflight/convert/convert_image.ts';
import { flateStream } from '../../preflight/convert/flate_stream.ts';
import { imageEntries } from '../../preflight/convert/image_entries.ts';
import type { NewDocument } from '../../preflight/convert/new_document.ts';
import { writeNumber } from '../../preflight/convert/write_value.ts';
import { Name, PdfStream, type PdfValue, type Reference } from '../../preflight/pdf/values.ts';
import type { LiveArt } from '../vector/live_art.ts';
import { boxValues } from '../vector/print_document.ts';

const INKS = 4;
const CONVERTED = 5;
const BAND_PIXELS = 262_144;
const DEFLATE_LEVEL = 3;

/**
 * Writes an image XObject in inks with all pixels of an image, compressed during conversion.
 * @param raster RGB, or four inks without `link`
 * @param opacity one byte per pixel; absent: opaque
 */
export async function inkImage(
  { width, height, channels, data }: Raster,
  {
    link,
    made,
    opacity,
  }: {
    readonly link: ColorLink | undefined;
    readonly made: NewDocument;
    readonly opacity?: Uint8Array | undefined;
  },
): Promise<Reference> {
  const deflate = createDeflate({ level: DEFLATE_LEVEL });
  const pieces: Buffer[] = [];
  deflate.on('data', (piece: Buffer) => pieces.push(piece));
  const ended = once(deflate, 'end');
  const rows = Math.max(1, Math.floor(BAND_PIXELS / width));
  for (let top = 0; top < height; top += rows) {
    const band = data.subarray(channels * width * top, channels * width * Math.min(height, top + rows));
    const inks = link ? dropGamutError(applyLink(link, band)) : band;
    if (!deflate.write(differences(inks, width))) await once(deflate, 'drain');
  }
  deflate.end();
  await ended;
  const predictor = new Map<string, PdfValue>([
    ['Predictor', 2],
    ['Colors', INKS],
    ['BitsPerComponent', 8],
    ['Columns', width],
  ]);
  const entries = imageEntries({ width, height }, 'DeviceCMYK');
  entries.set('DecodeParms', predictor);
  if (opacity) {
    const mask = new PdfStream(imageEntries({ width, height }, 'DeviceGray'), deflateSync(opacity));
    entries.set('SMask', made.add(mask));
  }
  return made.add(new PdfStream(entries, Buffer.concat(pieces)));
}

function dropGamutError(five: Uint8ClampedArray): Uint8Array {
  const inks = new Uint8Array((five.length / CONVERTED) * INKS);
  for (let from = 0, to = 0; from < five.length; from += CONVERTED, to += INKS) {
    inks[to] = five[from]!;
    inks[to + 1] = five[from + 1]!;
    inks[to + 2] = five[from + 2]!;
    inks[to + 3] = five[from + 3]!;
  }
  return inks;
}

/**
 * Wraps an image as artwork that is placed like a drawing.
 * @param shown position of the image from the lower left corner of the artwork, in its units
 */
export function imageArt(
  image: Reference,
  { made, width, height, shown }: { made: NewDocument; width: number; height: number; shown: Box },
): LiveArt {
  const { left, bottom, right, top } = shown;
  const content = `q ${[right - left, 0, 0, top - bottom, left, bottom].map(writeNumber).join(' ')} cm /Im Do Q`;
  const art = flateStream(
    new Map<string, PdfValue>([
      ['Type', new Name('XObject')],
      ['Subtype', new Name('Form')],
      ['BBox', boxValues(shown)],
      ['Resources', new Map([['XObject', new Map([['Im', image]])]])],
    ]),
    Buffer.from(content, 'latin1'),
  );
  return { made, art, upright: [1, 0, 0, 1, 0, 0], width, height, reach: shown, spots: [], notes: [] };
}
