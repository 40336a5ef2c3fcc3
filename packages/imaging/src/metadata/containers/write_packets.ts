import { brokenPicture } from '../../codecs/headers/header.ts';
import type { IfdChange } from '../tiff/edit_ifd.ts';
import type { NewPackets } from './new_packets.ts';
import { writeJpeg } from './write_jpeg.ts';
import { writePng } from './write_png.ts';
import { writeTiff } from './write_tiff.ts';
import { writeWebp } from './write_webp.ts';

interface Head {
  readonly format: string;
  /** As stored, before any orientation. */
  readonly width: number;
  readonly height: number;
}

/**
 * Puts blocks of metadata into a PNG, JPEG, WebP or TIFF file; coded pixels stay byte for byte.
 * @param changes of a TIFF's own tags
 * @throws EngineError undecodable_image for a TIFF without a readable directory
 */
export function writePackets(
  bytes: Uint8Array,
  { format, ...size }: Head,
  packets: NewPackets,
  changes: readonly IfdChange[] = [],
): Buffer {
  if (format === 'png') return writePng(bytes, packets);
  if (format === 'jpeg') return writeJpeg(bytes, packets);
  if (format === 'webp') return writeWebp(bytes, packets, size);
  const tiff = writeTiff(bytes, packets, changes);
  if (!tiff) throw brokenPicture('its directory is damaged');
  return tiff;
}
