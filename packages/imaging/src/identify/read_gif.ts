import { gifSize } from '../codecs/headers/header.ts';
import { type FileIdentity, PARTS_COUNTED_MAX, UNKNOWN_COLOR } from './file_identity.ts';

const [EXTENSION, FRAME] = [0x21, 0x2c];
const [GRAPHIC_CONTROL, APPLICATION] = [0xf9, 0xff];
const tableBytes = (flags: number): number => (flags & 0x80 ? 3 << ((flags & 7) + 1) : 0);

/** GIF89a, 17 to 27. @throws EngineError undecodable_image, RangeError */
export function identifyGif(bytes: Uint8Array): FileIdentity {
  const size = gifSize(new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength));
  const { frames, milliseconds, loop, isTransparent } = walkBlocks(bytes);
  return {
    ...size,
    orientation: 1,
    samples: { bits: 8, channels: 1, model: 'palette', extra: isTransparent ? ['alpha'] : [] },
    color: UNKNOWN_COLOR,
    hasLocation: false,
    animation: frames > 1 ? { frames, milliseconds, loop } : undefined,
    compression: 'LZW',
    faults: [],
  };
}

function walkBlocks(bytes: Uint8Array) {
  const found = { frames: 0, milliseconds: 0, loop: 1, isTransparent: false };
  let at = 13 + tableBytes(bytes[10]!);
  while (at + 2 < bytes.length && found.frames < PARTS_COUNTED_MAX) {
    const kind = bytes[at];
    if (kind === FRAME) {
      found.frames += 1;
      at += 11 + tableBytes(bytes[at + 9] ?? 0);
    } else if (kind === EXTENSION) {
      if (bytes[at + 1] === GRAPHIC_CONTROL && at + 7 < bytes.length) {
        // The delay is in hundredths of a second.
        found.milliseconds += 10 * (bytes[at + 4]! + 256 * bytes[at + 5]!);
        found.isTransparent ||= (bytes[at + 3]! & 1) === 1;
      }
      if (
        bytes[at + 1] === APPLICATION &&
        Buffer.from(bytes.subarray(at + 3, at + 14)).toString('latin1') === 'NETSCAPE2.0'
      )
        found.loop = (bytes[at + 16] ?? 0) + 256 * (bytes[at + 17] ?? 0);
      at += 2;
    } else break;
    while (at < bytes.length && bytes[at] !== 0) at += bytes[at]! + 1;
    at += 1;
  }
  return found;
}
