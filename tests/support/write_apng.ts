import { sharp } from '@atelier/imaging/codecs/sharp.ts';
import { pngChunk, pngChunks } from '@atelier/imaging/pixels/png_chunks.ts';

export interface ApngFrame {
  readonly width: number;
  readonly height: number;
  readonly x?: number;
  readonly y?: number;
  /** RGBA. */
  readonly data: Uint8Array;
  readonly dispose?: 0 | 1 | 2;
  readonly blend?: 0 | 1;
  /** A fraction of a second. */
  readonly delay?: readonly [numerator: number, denominator: number];
}

interface Apng {
  readonly width: number;
  readonly height: number;
  readonly loop: number;
  readonly frames: readonly ApngFrame[];
  /** Default image for programs without animation; absent: the first frame. */
  readonly still?: ApngFrame;
}

/** Writes an animated PNG with every field as given, valid or not. */
export async function writeApng({ width, height, loop, frames, still }: Apng): Promise<Uint8Array> {
  let sequence = 0;
  const parts: Uint8Array[] = [];
  if (still) parts.push(pngChunk('IDAT', await compress(still)));
  for (const [index, frame] of frames.entries()) {
    parts.push(pngChunk('fcTL', controlOf(frame, sequence++)));
    const data = await compress(frame);
    if (index === 0 && !still) parts.push(pngChunk('IDAT', data));
    else parts.push(pngChunk('fdAT', Buffer.concat([uint32(sequence++), data])));
  }
  const header = Buffer.concat([uint32(width), uint32(height), Buffer.of(8, 6, 0, 0, 0)]);
  const control = Buffer.concat([uint32(frames.length), uint32(loop)]);
  return Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    pngChunk('IHDR', header),
    pngChunk('acTL', control),
    ...parts,
    pngChunk('IEND', new Uint8Array(0)),
  ]);
}

function controlOf(
  { width, height, x = 0, y = 0, dispose = 0, blend = 0, delay = [0, 1] }: ApngFrame,
  sequence: number,
) {
  const end = Buffer.alloc(6);
  end.writeUInt16BE(delay[0], 0);
  end.writeUInt16BE(delay[1], 2);
  end.set([dispose, blend], 4);
  return Buffer.concat([...[sequence, width, height, x, y].map(uint32), end]);
}

function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
}

async function compress({ width, height, data }: ApngFrame): Promise<Uint8Array> {
  const png = await sharp(data, { raw: { width, height, channels: 4 } })
    .png({ palette: false })
    .toBuffer();
  return Buffer.concat(
    pngChunks(png)
      .chunks.filter(({ type }) => type === 'IDAT')
      .map((chunk) => chunk.data),
  );
}
