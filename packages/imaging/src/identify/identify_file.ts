import { brokenPicture } from '../codecs/headers/header.ts';
import type { PictureFormat } from '../codecs/identify.ts';
import type { FileIdentity } from './file_identity.ts';
import { identifyGif } from './read_gif.ts';
import { identifyHeif } from './read_heif.ts';
import { identifyJpeg } from './read_jpeg.ts';
import { identifyPng } from './read_png.ts';
import { identifyTiff } from './read_tiff.ts';
import { identifyWebp } from './read_webp.ts';

const READERS: Readonly<Record<PictureFormat, (bytes: Uint8Array) => FileIdentity>> = {
  png: identifyPng,
  jpeg: identifyJpeg,
  webp: identifyWebp,
  avif: identifyHeif,
  tiff: identifyTiff,
  gif: identifyGif,
};

/** One file is asked about several times in a call. */
const KNOWN = new WeakMap<Uint8Array, FileIdentity>();

/**
 * What a file says about the picture in it, from its structure alone: nothing is decoded, and the time is linear in the number of its parts.
 * @throws EngineError undecodable_image, unsupported_image; nothing else, whatever the bytes
 */
export function identifyFile(format: PictureFormat, bytes: Uint8Array): FileIdentity {
  const known = KNOWN.get(bytes);
  if (known) return known;
  const identity = cleanly(bytes, () => READERS[format](bytes));
  KNOWN.set(bytes, identity);
  return identity;
}

/** Offsets outside the file make views throw a RangeError. */
export function cleanly<T>(bytes: Uint8Array, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (error instanceof RangeError)
      throw brokenPicture(`its header is cut off: it ends after ${bytes.length} bytes`);
    throw error;
  }
}

/** Sides of the picture as it is shown. */
export const shownSides = ({
  width,
  height,
  orientation,
}: Pick<FileIdentity, 'width' | 'height' | 'orientation'>) =>
  orientation > 4 ? { width: height, height: width } : { width, height };
