import { EXIF_HEAD, startsWith } from './jpeg_segments.ts';
import { nothingFound, type Packets } from './packets.ts';
import { riffChunks } from './riff_chunks.ts';

/** XMP and Exif from the chunks of the extended format. WebP has no place for IIM. */
export function readWebp(bytes: Uint8Array): Packets {
  const found = nothingFound();
  for (const { type, data } of riffChunks(bytes).chunks) {
    if (type === 'EXIF') found.exif ??= dropHead(data);
    // Some writers spell it with a zero byte at its end.
    else if (type === 'XMP ' || type === 'XMP\0') found.xmp.push(data);
    else if (type === 'C2PA') found.hasManifest = true;
  }
  return found;
}

/** Some writers put the head of a JPEG's Exif segment before it. */
export const dropHead = (exif: Buffer): Buffer =>
  startsWith(exif, EXIF_HEAD) ? exif.subarray(EXIF_HEAD.length) : exif;
