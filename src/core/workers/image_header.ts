import { refuseCutOff } from '@atelier/imaging/codecs/cut_off.ts';
import { identify } from '@atelier/imaging/codecs/identify.ts';
import { readHeader, refuseImpossible } from '@atelier/imaging/codecs/read_header.ts';
import { foreignFormatOf, identifyForeign } from '@atelier/imaging/identify/foreign_format.ts';
import { refusalOf } from '../errors/refusal_of.ts';
import type { SourceImage } from './types.ts';

/**
 * Format and size a picture gives for itself, before anything decodes it; one that broke off on its way is refused here.
 * @throws AtelierError unsupported_image, undecodable_image, image_too_large; nothing else, whatever the bytes
 */
export function pictureHeader(bytes: Uint8Array): ReturnType<typeof readHeader> {
  try {
    const header = readHeader(bytes);
    refuseCutOff(header.format, bytes);
    return header;
  } catch (error) {
    throw refusalOf(error);
  }
}

/**
 * The same of every file that image fields accept: also of formats that only the image processes decode.
 * @throws AtelierError as `pictureHeader` does
 */
export function acceptedHeader(bytes: Uint8Array): Pick<SourceImage, 'format' | 'width' | 'height'> {
  try {
    const format = foreignFormatOf(bytes);
    if (!format) return pictureHeader(bytes);
    const { width, height } = identifyForeign(format, bytes);
    refuseImpossible(format, { width, height });
    return { format, width, height };
  } catch (error) {
    throw refusalOf(error);
  }
}

/** The same of bytes that need not be a picture. @throws AtelierError undecodable_image */
export function refuseBrokenOff(bytes: Uint8Array): void {
  const kind = identify(bytes);
  if (!('format' in kind)) return;
  try {
    refuseCutOff(kind.format, bytes);
  } catch (error) {
    throw refusalOf(error);
  }
}
