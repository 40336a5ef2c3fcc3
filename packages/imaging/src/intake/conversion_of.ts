import type { PictureFormat } from '../codecs/identify.ts';
import { type FileIdentity, SEQUENCE } from '../identify/file_identity.ts';
import { readIfd } from '../metadata/tiff/ifd.ts';
import { isSequence } from './rewrite_file.ts';

/** TIFF compressions that sharp does not support, but a decoder does. */
export const DECODED_COMPRESSIONS: ReadonlySet<string> = new Set(['Zstandard', 'LZMA']);

/** Preparation that a file needs before engines read it. */
export type Conversion = 'none' | 'rewrite' | 'find_page' | 'convert' | 'decode';

/** Decides from the structure alone, so that the memory of a call is known before it runs. */
export function conversionOf(format: PictureFormat, bytes: Uint8Array, identity: FileIdentity): Conversion {
  const { samples, color, faults } = identity;
  if (format === 'avif') {
    if (identity.compression === SEQUENCE) return 'decode';
    if (color.coding || samples.extra.includes('premultiplied')) return 'convert';
    if (isSequence(bytes)) return 'rewrite';
    return identity.isAmbiguous ? 'find_page' : 'none';
  }
  if (format === 'tiff') {
    if (DECODED_COMPRESSIONS.has(identity.compression) || samples.model === 'lab') return 'decode';
    const isOdd = samples.isFloat || samples.isSigned || samples.bits > 16;
    // libvips itself unpremultiplies the alpha of a TIFF.
    if (isOdd || samples.extra.includes('other')) return 'convert';
    const isFirst = readIfd(bytes)?.offset === identity.directory;
    return isFirst && !color.coding && faults.length === 0 ? 'none' : 'rewrite';
  }
  return color.coding || faults.length > 0 ? 'rewrite' : 'none';
}
