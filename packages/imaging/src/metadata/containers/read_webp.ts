import { EXIF_HEAD, startsWith } from './jpeg_segments.ts';
import { nothingFound, type Packets } from './packets.ts';
import { riffChunks } from './riff_chunks.ts';

/** XMP and Exif from the chunks of the extended format. WebP does not define IIM. */
export function readWebp(bytes: Uint8Array): Packets {
  const found = nothingFound();
  for (const { type, data } of riffChunks(bytes).chunks) {
    if (type === 'EXIF') found.exif ??= dropHead(data);
    // Some writers end the type with a zero byte.
    else if (type === 'XMP ' || type === 'XMP\0') found.xmp.push(data);
    else if (type === 'C2PA') found.hasManifest = true;
  }
  return found;
}

/** Removes the Exif header of a JPEG segment, which some writers include. */
export const dropHead = (exif: Buffer): Buffer =>
  startsWith(exif, EXIF_HEAD) ? exif.subarray(EXIF_HEAD.length) : exif;
