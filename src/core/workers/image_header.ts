import { refuseCutOff, refuseForeignCutOff } from '@atelier/imaging/codecs/cut_off.ts';
import { identify } from '@atelier/imaging/codecs/identify.ts';
import { readHeader, refuseImpossible } from '@atelier/imaging/codecs/read_header.ts';
import { foreignFormatOf, identifyForeign } from '@atelier/imaging/identify/foreign_format.ts';
import { refusalOf } from '../errors/refusal_of.ts';
import type { SourceImage } from './types.ts';

/**
 * Reads format and size from the header of a downloaded image, before it is decoded. A truncated download is refused.
 * @throws AtelierError unsupported_image, undecodable_image, image_too_large; nothing else, for any bytes
 */
export function pictureHeader(bytes: Uint8Array): ReturnType<typeof readHeader> {
  return headerOf(bytes, true);
}

function headerOf(bytes: Uint8Array, needsEnd: boolean): ReturnType<typeof readHeader> {
  try {
    const header = readHeader(bytes);
    refuseCutOff(header.format, bytes, { needsEnd });
    return header;
  } catch (error) {
    throw refusalOf(error);
  }
}

/**
 * `pictureHeader` for every file that image fields accept: also formats that only the image processes decode, and a JPEG that lacks only
 * its end marker.
 * @throws AtelierError as `pictureHeader` does
 */
export function acceptedHeader(bytes: Uint8Array): Pick<SourceImage, 'format' | 'width' | 'height'> {
  try {
    const format = foreignFormatOf(bytes);
    if (!format) return headerOf(bytes, false);
    const { width, height } = identifyForeign(format, bytes);
    refuseForeignCutOff(format, bytes);
    refuseImpossible(format, { width, height });
    return { format, width, height };
  } catch (error) {
    throw refusalOf(error);
  }
}

/** Refuses a truncated image; other bytes need not be an image. @throws AtelierError undecodable_image */
export function refuseTruncatedImage(bytes: Uint8Array): void {
  const kind = identify(bytes);
  if (!('format' in kind)) return;
  try {
    refuseCutOff(kind.format, bytes);
  } catch (error) {
    throw refusalOf(error);
  }
}
