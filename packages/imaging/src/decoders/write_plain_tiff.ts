import type { Size } from '../pixels/plane.ts';

/** PhotometricInterpretation. TIFF 6.0, section 8. */
export const PHOTOMETRIC = { grey: 1, rgb: 2, inks: 5 } as const;

export interface PlainTiff extends Size {
  readonly channels: number;
  readonly data: Uint8Array | Uint16Array;
  readonly photometric: (typeof PHOTOMETRIC)[keyof typeof PHOTOMETRIC];
  readonly icc?: Uint8Array | undefined;
}

const [SHORT, LONG, UNDEFINED] = [3, 4, 7];
const HEADER_BYTES = 8;
const ENTRY_BYTES = 12;

/**
 * An uncompressed TIFF of one strip, through which libvips reads samples that its raw input cannot describe: inks, a
 * profile. Little-endian, as typed arrays are on x64 and arm64.
 */
export function writePlainTiff({ width, height, channels, data, photometric, icc }: PlainTiff): Uint8Array {
  const samples = Buffer.from(data.buffer, data.byteOffset, data.byteLength);
  const bits = 8 * data.BYTES_PER_ELEMENT;
  const profile = icc ?? new Uint8Array(0);
  const entries = [
    [256, LONG, 1, width],
    [257, LONG, 1, height],
    [258, SHORT, channels, 0],
    [259, SHORT, 1, 1],
    [262, SHORT, 1, photometric],
    [273, LONG, 1, 0],
    [277, SHORT, 1, channels],
    [278, LONG, 1, height],
    [279, LONG, 1, samples.length],
    [284, SHORT, 1, 1],
    ...(profile.length > 0 ? [[34_675, UNDEFINED, profile.length, 0]] : []),
  ] as [tag: number, type: number, count: number, value: number][];
  const bitsAt = HEADER_BYTES + 2 + ENTRY_BYTES * entries.length + 4;
  const profileAt = bitsAt + 2 * channels;
  const pixelsAt = profileAt + profile.length + (profile.length % 2);
  const places: Record<number, number> = {
    258: channels > 2 ? bitsAt : bits,
    273: pixelsAt,
    34675: profileAt,
  };

  const head = Buffer.alloc(pixelsAt);
  head.write('II*\0', 'latin1');
  head.writeUInt32LE(HEADER_BYTES, 4);
  head.writeUInt16LE(entries.length, HEADER_BYTES);
  for (const [index, [tag, type, count, value]] of entries.entries()) {
    const at = HEADER_BYTES + 2 + ENTRY_BYTES * index;
    head.writeUInt16LE(tag, at);
    head.writeUInt16LE(type, at + 2);
    head.writeUInt32LE(count, at + 4);
    head.writeUInt32LE(places[tag] ?? value, at + 8);
  }
  for (let channel = 0; channel < channels; channel += 1) head.writeUInt16LE(bits, bitsAt + 2 * channel);
  head.set(profile, profileAt);
  return Buffer.concat([head, samples]);
}
