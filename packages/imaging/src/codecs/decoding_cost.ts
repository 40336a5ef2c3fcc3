import { foreignFormatOf, identifyForeign } from '../identify/foreign_format.ts';
import { identifyFile } from '../identify/identify_file.ts';
import { conversionOf } from '../intake/conversion_of.ts';
import { PIXELS_OF_AN_AVIF_PIXEL } from './limits.ts';
import { readHeader } from './read_header.ts';

/** WebAssembly decoders hold several copies of an image, and it is passed on as a file of its samples. */
const COPIES_OF_FOREIGN = 7;

/**
 * Memory for decoding beyond four bytes per pixel, in pixels of four bytes. An AVIF is decoded as a whole with several copies; an interlaced 16-bit
 * PNG is assembled before its first row. All others are decoded row by row, or with one copy. 0 for bytes that are not an image: the decoder reports
 * them.
 */
export function decodingCost(bytes: Uint8Array): number {
  try {
    const foreign = foreignFormatOf(bytes);
    if (foreign) {
      const { width, height } = identifyForeign(foreign, bytes);
      return COPIES_OF_FOREIGN * width * height;
    }
    const { format, width, height } = readHeader(bytes);
    const conversion = conversionOf(format, bytes, identifyFile(format, bytes));
    // An image that is converted first is held both decoded and as a file of its samples.
    const converted = conversion === 'none' || conversion === 'rewrite' ? 0 : 4;
    const copies =
      converted + (format === 'avif' ? PIXELS_OF_AN_AVIF_PIXEL : isDeepAndInterlaced(format, bytes) ? 2 : 1);
    return (copies - 1) * width * height;
  } catch {
    return 0;
  }
}

/** From the header chunk: the bit depth and, four bytes later, the interlace method. https://www.w3.org/TR/png-3/#11IHDR */
const isDeepAndInterlaced = (format: string, bytes: Uint8Array): boolean =>
  format === 'png' && bytes[24] === 16 && bytes[28] === 1;
