import { inflateSync } from 'node:zlib';
import type { Size } from '../../pixels/plane.ts';
import { PNG_METADATA_BYTES_MAX } from '../limits.ts';
import { brokenPicture, bytesOf, fourCharacters, HEADER_PARTS_MAX } from './header.ts';

const SIGNATURE_BYTES = 8;
/** Length, type and checksum around the data of a chunk. */
const CHUNK_FRAME_BYTES = 12;

/**
 * Size from IHDR. Also adds up what compressed ICC profiles and texts inflate to: decoders inflate them all, and a few
 * kilobytes can hold gigabytes.
 */
export function pngSize(view: DataView): Size {
  if (fourCharacters(view, SIGNATURE_BYTES + 4) !== 'IHDR')
    throw brokenPicture('the PNG does not begin with IHDR');
  const size = { width: view.getUint32(16), height: view.getUint32(20) };
  refuseInflatingMetadata(view);
  return size;
}

function refuseInflatingMetadata(view: DataView): void {
  let left = PNG_METADATA_BYTES_MAX;
  let offset = SIGNATURE_BYTES;
  for (let chunks = 0; offset + CHUNK_FRAME_BYTES <= view.byteLength; chunks += 1) {
    if (chunks > HEADER_PARTS_MAX) throw brokenPicture('the PNG has too many chunks');
    const length = view.getUint32(offset);
    const type = fourCharacters(view, offset + 4);
    if (type === 'IEND') return;
    if (type === 'iCCP' || type === 'zTXt' || type === 'iTXt') {
      left -= countInflated(compressedPart(type, bytesOf(view, offset + 8, offset + 8 + length)), left);
    }
    offset += length + CHUNK_FRAME_BYTES;
  }
}

/** The zlib stream inside a chunk; empty where there is none. PNG 3rd edition, 11.3.2.3 and 11.3.3. */
function compressedPart(type: string, data: Uint8Array): Uint8Array {
  const nameEnd = data.indexOf(0);
  if (nameEnd < 0) return data.subarray(0, 0);
  if (type !== 'iTXt') return data.subarray(nameEnd + 2);
  const isCompressed = data[nameEnd + 1] === 1;
  const languageEnd = data.indexOf(0, nameEnd + 3);
  const keywordEnd = languageEnd < 0 ? -1 : data.indexOf(0, languageEnd + 1);
  return isCompressed && keywordEnd >= 0 ? data.subarray(keywordEnd + 1) : data.subarray(0, 0);
}

function countInflated(compressed: Uint8Array, bytesMax: number): number {
  if (compressed.length === 0) return 0;
  try {
    return inflateSync(compressed, { maxOutputLength: Math.max(1, bytesMax) }).length;
  } catch (error) {
    // A damaged stream inflates to nothing; whether that matters is the decoder's to say.
    if ((error as NodeJS.ErrnoException).code !== 'ERR_BUFFER_TOO_LARGE') return 0;
    throw brokenPicture(
      `its compressed metadata inflates to more than ${PNG_METADATA_BYTES_MAX / 1024 / 1024} MiB`,
    );
  }
}
