import { foreignFormatOf, identifyForeign } from '../identify/foreign_format.ts';
import { identifyFile } from '../identify/identify_file.ts';
import { conversionOf } from '../intake/conversion_of.ts';
import { PIXELS_OF_AN_AVIF_PIXEL } from './limits.ts';
import { readHeader } from './read_header.ts';

/** Decoders in WebAssembly hold a picture several times, and it is handed on as a file of its samples. */
const COPIES_OF_FOREIGN = 7;

/**
 * What decoding a picture takes beyond four bytes a pixel, in pixels of four bytes. An AVIF is decoded whole and held in
 * several copies; an interlaced PNG of 16 bits is put together before its first row is known. All others come row by row, or
 * with one copy. Nothing for bytes that are no image: the decoder will report them.
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
    // What is converted before engines read it is held decoded and as a file of its samples.
    const converted = conversion === 'none' || conversion === 'rewrite' ? 0 : 4;
    const copies =
      converted + (format === 'avif' ? PIXELS_OF_AN_AVIF_PIXEL : isDeepAndInterlaced(format, bytes) ? 2 : 1);
    return (copies - 1) * width * height;
  } catch {
    return 0;
  }
}

/** In the header chunk: the bit depth and, four bytes on, the interlace method. https://www.w3.org/TR/png-3/#11IHDR */
const isDeepAndInterlaced = (format: string, bytes: Uint8Array): boolean =>
  format === 'png' && bytes[24] === 16 && bytes[28] === 1;
