import { once } from 'node:events';
import { constants, createDeflate } from 'node:zlib';
import { pngChunk } from '../pixels/png_chunks.ts';

export interface PngShape {
  readonly width: number;
  readonly height: number;
  /** Grey, grey and alpha, RGB, RGBA. */
  readonly channels: number;
  readonly depth: 8 | 16;
}

const SIGNATURE = Buffer.from('89504e470d0a1a0a', 'hex');
/** Colour type by the number of channels. PNG 3rd edition, 11.2.1 */
const COLOR_TYPES = [undefined, 0, 4, 2, 6] as const;
/** sRGB chunk: perceptual intent. */
const SRGB = Buffer.of(0);
const UP = 2;
/** Bytes filtered and compressed at a time; a band may have hundreds of megabytes. */
const SLICE_BYTES = 1024 * 1024;

export interface PngWriter {
  /** Writes whole rows from the top, interleaved. The buffer may be reused once the promise resolves. */
  rows(samples: Uint8Array | Uint16Array): Promise<void>;
  /** The file in pieces, after all rows are written. */
  finish(): Promise<Uint8Array[]>;
}

/**
 * Writes a PNG band by band, so that only one band of a large image and the file are in memory: sharp accepts only whole images. Uses the Up filter
 * and run-length compression only: 19 MB of an enlarged photograph took 165 ms and made 6.7 MB, against 2000 ms and 7.2 MB at zlib's level 6; a
 * drawing became 20 % larger in a seventh of the time.
 */
export function writePng({ width, height, channels, depth }: PngShape): PngWriter {
  const rowBytes = width * channels * (depth / 8);
  const deflate = createDeflate({ strategy: constants.Z_RLE, memLevel: 9 });
  const pieces: Uint8Array[] = [
    SIGNATURE,
    pngChunk('IHDR', header({ width, height, channels, depth })),
    pngChunk('sRGB', SRGB),
  ];
  deflate.on('data', (data: Buffer) => pieces.push(pngChunk('IDAT', data)));
  const ended = once(deflate, 'end');
  ended.catch(() => {});
  let above: Uint8Array = new Uint8Array(rowBytes);
  return {
    async rows(samples) {
      const row = width * channels;
      const step = row * Math.max(1, Math.floor(SLICE_BYTES / rowBytes));
      for (let at = 0; at < samples.length; at += step) {
        const slice = samples.subarray(at, at + step);
        const bytes = slice instanceof Uint16Array ? bigEndian(slice) : slice;
        const filtered = filterUp(bytes, above, rowBytes);
        above = bytes.slice(bytes.length - rowBytes);
        if (!deflate.write(filtered)) await once(deflate, 'drain');
      }
    },
    async finish() {
      deflate.end();
      await ended;
      return [...pieces, pngChunk('IEND', new Uint8Array(0))];
    },
  };
}

function header({ width, height, channels, depth }: PngShape): Uint8Array {
  const bytes = Buffer.alloc(13);
  bytes.writeUInt32BE(width, 0);
  bytes.writeUInt32BE(height, 4);
  bytes.set([depth, COLOR_TYPES[channels]!, 0, 0, 0], 8);
  return bytes;
}

/** PNG 3rd edition, 9.2, filter type 2: each byte minus the one above, with a filter byte before each row. */
function filterUp(bytes: Uint8Array, first: Uint8Array, rowBytes: number): Uint8Array {
  const rows = bytes.length / rowBytes;
  const filtered = new Uint8Array(bytes.length + rows);
  filtered[0] = UP;
  for (let at = 0; at < rowBytes; at += 1) filtered[1 + at] = bytes[at]! - first[at]!;
  for (let row = 1, from = rowBytes, to = rowBytes + 1; row < rows; row += 1) {
    filtered[to++] = UP;
    for (const end = from + rowBytes; from < end; from += 1, to += 1)
      filtered[to] = bytes[from]! - bytes[from - rowBytes]!;
  }
  return filtered;
}

function bigEndian(samples: Uint16Array): Uint8Array {
  return Buffer.from(new Uint8Array(samples.buffer, samples.byteOffset, samples.byteLength)).swap16();
}
