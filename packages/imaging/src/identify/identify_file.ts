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

/** Cache: one file is identified several times per call. */
const IDENTITIES = new WeakMap<Uint8Array, FileIdentity>();

/**
 * Reads the properties of the image in a file from its structure alone. Nothing is decoded; time is linear in the number of parts.
 * @throws EngineError undecodable_image, unsupported_image; nothing else, for any bytes
 */
export function identifyFile(format: PictureFormat, bytes: Uint8Array): FileIdentity {
  const known = IDENTITIES.get(bytes);
  if (known) return known;
  const identity = withDecodeErrors(bytes, () => READERS[format](bytes));
  IDENTITIES.set(bytes, identity);
  return identity;
}

/** Runs a parser and maps the RangeError of an offset outside the file to an EngineError. */
export function withDecodeErrors<T>(bytes: Uint8Array, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (error instanceof RangeError)
      throw brokenPicture(`its header is truncated: the file ends after ${bytes.length} bytes`);
    throw error;
  }
}

/** Width and height after orientation is applied. */
export const shownSides = ({
  width,
  height,
  orientation,
}: Pick<FileIdentity, 'width' | 'height' | 'orientation'>) =>
  orientation > 4 ? { width: height, height: width } : { width, height };
