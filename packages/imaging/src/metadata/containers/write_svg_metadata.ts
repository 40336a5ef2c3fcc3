import { xmpElement } from '../xmp/write_xmp.ts';
import type { NewPackets } from './new_packets.ts';

/** XMP of an SVG made here, in the element that SVG has for it. SVG 2, 5.9 */
export function writeSvgMetadata(bytes: Uint8Array, { properties }: NewPackets): Buffer {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const start = file.indexOf('>') + 1;
  const metadata = Buffer.from(`<metadata>${xmpElement(properties)}</metadata>`);
  return Buffer.concat([file.subarray(0, start), metadata, file.subarray(start)]);
}
