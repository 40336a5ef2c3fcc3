import { writeXmp } from '../xmp/write_xmp.ts';
import type { NewPackets } from './new_packets.ts';

const HEADER_BYTES = 13;
const APPLICATION = Buffer.from('\x21\xff\x0bXMP DataXMP', 'latin1');
/** Bytes 1, 255, 254 … 0, 0: readers that take the packet for blocks of data are led to its end. XMP part 3, 1.1.2 */
const TRAILER = Buffer.from([1, ...Array.from({ length: 256 }, (_, at) => 255 - at), 0]);

/** XMP as an application extension behind the colour table. Blocks of a GIF may stand in any order before its frames. */
export function writeGif(bytes: Uint8Array, { properties }: NewPackets): Buffer {
  const flags = bytes[10]!;
  const at = HEADER_BYTES + (flags & 0x80 ? 3 << ((flags & 7) + 1) : 0);
  const version = Buffer.from(bytes.subarray(0, at));
  // Application extensions are of the later version.
  version.write('GIF89a', 'latin1');
  return Buffer.concat([version, APPLICATION, writeXmp(properties), TRAILER, bytes.subarray(at)]);
}
