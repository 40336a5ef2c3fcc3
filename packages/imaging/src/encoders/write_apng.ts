import { deflateSync } from 'node:zlib';
import { sharp } from '../codecs/sharp.ts';
import type { DecodedAnimation } from '../decoders/types.ts';
import { pngChunk, pngChunks } from '../pixels/png_chunks.ts';
import { PALETTE_COLORS } from './limits.ts';

const SIGNATURE = Buffer.from('89504e470d0a1a0a', 'hex');
const PALETTE_TYPE = 3;
const DELAY_MS_MAX = 65_535;

interface Box {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

/** Pixel storage of all frames; a file has only one. */
interface Coding {
  readonly colorType: number;
  /** Chunks before the first frame. */
  readonly chunks: readonly Buffer[];
  /** Compressed rows of a rectangle of RGBA pixels. */
  compress(pixels: Uint32Array, size: Pick<Box, 'width' | 'height'>): Buffer | Promise<Buffer>;
}

/**
 * Writes an animated PNG. The first frame is complete and serves as the still image; later frames store only the changed rectangle. An
 * unchanged frame extends the delay of its predecessor. PNG 3rd edition, 11.3.6: https://www.w3.org/TR/png-3/
 */
export async function writeApng({ width, height, frames, loop }: DecodedAnimation): Promise<Buffer> {
  const canvases = frames.map(({ data }) => wordsOf(data));
  const coding = codingOf(canvases);
  const shown = changesOf(canvases, frames, width);
  const pieces: Uint8Array[] = [];
  let sequence = 0;
  for (const [at, { frame, box, delayMs }] of shown.entries()) {
    const data = await coding.compress(cut(canvases[frame]!, width, box), box);
    pieces.push(pngChunk('fcTL', frameControl(sequence, box, delayMs)));
    sequence += 1;
    if (at === 0) pieces.push(pngChunk('IDAT', data));
    else {
      pieces.push(pngChunk('fdAT', Buffer.concat([number32(sequence), data])));
      sequence += 1;
    }
  }
  const header = Buffer.concat([number32(width), number32(height), Buffer.of(8, coding.colorType, 0, 0, 0)]);
  return Buffer.concat([
    SIGNATURE,
    pngChunk('IHDR', header),
    pngChunk('sRGB', Buffer.of(0)),
    pngChunk('acTL', Buffer.concat([number32(shown.length), number32(loop)])),
    ...coding.chunks,
    ...pieces,
    pngChunk('IEND', Buffer.alloc(0)),
  ]);
}

interface Change {
  readonly frame: number;
  readonly box: Box;
  delayMs: number;
}

function changesOf(
  canvases: readonly Uint32Array[],
  frames: DecodedAnimation['frames'],
  width: number,
): Change[] {
  const height = canvases[0]!.length / width;
  const changes: Change[] = [];
  for (const [frame, { delayMs }] of frames.entries()) {
    const box =
      frame === 0
        ? { left: 0, top: 0, width, height }
        : changedBox(canvases[frame - 1]!, canvases[frame]!, width);
    if (box) changes.push({ frame, box, delayMs });
    else changes.at(-1)!.delayMs += delayMs;
  }
  return changes;
}

/** The smallest rectangle around the pixels that differ; undefined if none do. */
function changedBox(before: Uint32Array, after: Uint32Array, width: number): Box | undefined {
  const isSame = (from: number, to: number) => {
    for (let at = from; at < to; at += 1) if (before[at] !== after[at]) return false;
    return true;
  };
  const height = after.length / width;
  let [top, bottom] = [0, height];
  while (top < height && isSame(top * width, (top + 1) * width)) top += 1;
  if (top === height) return undefined;
  while (isSame((bottom - 1) * width, bottom * width)) bottom -= 1;
  let [left, right] = [width, 0];
  for (let y = top; y < bottom; y += 1) {
    for (let x = 0; x < left; x += 1) if (before[y * width + x] !== after[y * width + x]) left = x;
    for (let x = width - 1; x >= right; x -= 1)
      if (before[y * width + x] !== after[y * width + x]) right = x + 1;
  }
  return { left, top, width: right - left, height: bottom - top };
}

function cut(canvas: Uint32Array, canvasWidth: number, { left, top, width, height }: Box): Uint32Array {
  const pixels = new Uint32Array(width * height);
  for (let y = 0; y < height; y += 1) {
    const from = (top + y) * canvasWidth + left;
    pixels.set(canvas.subarray(from, from + width), y * width);
  }
  return pixels;
}

/** Sequence number, box, delay as a fraction of a second; dispose NONE, blend SOURCE. */
function frameControl(sequence: number, { left, top, width, height }: Box, delayMs: number): Buffer {
  const delay = Buffer.alloc(6);
  const isLong = delayMs > DELAY_MS_MAX;
  delay.writeUInt16BE(Math.min(DELAY_MS_MAX, Math.round(isLong ? delayMs / 100 : delayMs)), 0);
  delay.writeUInt16BE(isLong ? 10 : 1000, 2);
  return Buffer.concat([...[sequence, width, height, left, top].map(number32), delay]);
}

/** A palette if all frames together have few enough colours, as those of a GIF often do; otherwise true colour. */
function codingOf(canvases: readonly Uint32Array[]): Coding {
  const palette = paletteOf(canvases);
  return palette ? indexed(palette) : direct(canvases.every(isOpaque));
}

function paletteOf(canvases: readonly Uint32Array[]): Map<number, number> | undefined {
  const palette = new Map<number, number>();
  for (const canvas of canvases) {
    let last = -1;
    for (const pixel of canvas) {
      if (pixel === last) continue;
      last = pixel;
      if (!palette.has(pixel)) palette.set(pixel, palette.size);
      if (palette.size > PALETTE_COLORS) return undefined;
    }
  }
  return palette;
}

function indexed(palette: ReadonlyMap<number, number>): Coding {
  const colors = Buffer.from(Uint32Array.from(palette.keys()).buffer);
  const count = palette.size;
  const rgb = Buffer.alloc(count * 3);
  const alpha = Buffer.alloc(count);
  for (let at = 0; at < count; at += 1) {
    rgb.set(colors.subarray(at * 4, at * 4 + 3), at * 3);
    alpha[at] = colors[at * 4 + 3]!;
  }
  return {
    colorType: PALETTE_TYPE,
    chunks: [pngChunk('PLTE', rgb), ...(alpha.some((value) => value < 255) ? [pngChunk('tRNS', alpha)] : [])],
    compress(pixels, { width, height }) {
      const rows = Buffer.alloc((width + 1) * height);
      for (let y = 0; y < height; y += 1)
        for (let x = 0; x < width; x += 1)
          rows[y * (width + 1) + 1 + x] = palette.get(pixels[y * width + x]!)!;
      return deflateSync(rows, { level: 9 });
    },
  };
}

/** Rows filtered and compressed by libvips, taken from a PNG of the rectangle. */
const direct = (isOpaqueThroughout: boolean): Coding => ({
  colorType: isOpaqueThroughout ? 2 : 6,
  chunks: [],
  async compress(pixels, { width, height }) {
    const picture = sharp(new Uint8Array(pixels.buffer), { raw: { width, height, channels: 4 } });
    const png = await (isOpaqueThroughout ? picture.removeAlpha() : picture)
      .png({ compressionLevel: 6, adaptiveFiltering: true })
      .toBuffer();
    return Buffer.concat(
      pngChunks(png)
        .chunks.filter(({ type }) => type === 'IDAT')
        .map(({ data }) => data),
    );
  },
});

const isOpaque = (canvas: Uint32Array): boolean => {
  const bytes = new Uint8Array(canvas.buffer, canvas.byteOffset, canvas.byteLength);
  for (let at = 3; at < bytes.length; at += 4) if (bytes[at] !== 255) return false;
  return true;
};

function wordsOf(data: Uint8Array): Uint32Array {
  const { buffer, byteOffset, byteLength } = data.byteOffset % 4 === 0 ? data : Uint8Array.from(data);
  return new Uint32Array(buffer, byteOffset, byteLength / 4);
}

function number32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
}
