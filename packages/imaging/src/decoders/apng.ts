import { brokenPicture } from '../codecs/headers/header.ts';
import { openPicture } from '../codecs/open_picture.ts';
import { decodeRaster } from '../codecs/read_raster.ts';
import { type Chunk, pngChunk, pngChunks } from '../pixels/png_chunks.ts';
import { refuseAnimation, refuseSize, withinFile } from './bounds.ts';
import type { AnimationFrame, DecodedAnimation } from './types.ts';

/** Contents of an `fcTL` chunk. PNG 3rd edition, 11.3.6.2. */
interface Frame {
  readonly width: number;
  readonly height: number;
  readonly x: number;
  readonly y: number;
  readonly delayMs: number;
  readonly dispose: number;
  readonly blend: number;
  readonly data: Uint8Array[];
}

interface Apng {
  readonly header: Buffer;
  readonly loop: number;
  readonly frames: readonly Frame[];
  /** Chunks that each frame needs to be decoded as a separate PNG. */
  readonly shared: readonly Uint8Array[];
}

const SIGNATURE = Buffer.from('89504e470d0a1a0a', 'hex');
const SHARED = ['PLTE', 'tRNS', 'iCCP', 'sRGB', 'gAMA', 'cHRM'];
const DISPOSE = { none: 0, background: 1, previous: 2 } as const;
const BLEND_SOURCE = 0;

/** Whether a PNG is animated. */
export const isApng = (bytes: Uint8Array): boolean =>
  pngChunks(bytes).chunks.some(({ type }) => type === 'acTL');

/**
 * Composites every frame of an animated PNG in sRGB. Source: PNG 3rd edition, 4.9 and 11.3.6.
 * @throws EngineError undecodable_image, image_too_large
 */
export async function decodeApngFrames(bytes: Uint8Array): Promise<DecodedAnimation> {
  const apng = withinFile('APNG', bytes, () => readApng(bytes));
  const [width, height] = [apng.header.readUInt32BE(0), apng.header.readUInt32BE(4)];
  const canvas = new Uint8Array(4 * width * height);
  const frames: AnimationFrame[] = [];
  for (const [index, frame] of apng.frames.entries()) {
    const before = frame.dispose === DISPOSE.previous && index > 0 ? canvas.slice() : undefined;
    const { data } = await decodeRaster(openPicture(pngOf(apng, frame)).toColourspace('srgb').ensureAlpha());
    paint(canvas, width, frame, data);
    frames.push({ data: canvas.slice(), delayMs: frame.delayMs });
    if (before) canvas.set(before);
    else if (frame.dispose !== DISPOSE.none) clear(canvas, width, frame);
  }
  return { width, height, frames, loop: apng.loop };
}

function readApng(bytes: Uint8Array): Apng {
  const { chunks } = pngChunks(bytes);
  const header = chunks[0]?.data;
  const control = chunks.find(({ type }) => type === 'acTL')?.data;
  if (!header || chunks[0]?.type !== 'IHDR' || !control) throw brokenPicture('the PNG is not animated');
  const canvas = { width: header.readUInt32BE(0), height: header.readUInt32BE(4) };
  refuseSize('APNG', canvas);
  refuseAnimation(canvas, chunks.filter(({ type }) => type === 'fcTL').length);
  const frames: Frame[] = [];
  for (const chunk of chunks) addChunk(frames, chunk, canvas);
  if (frames.length === 0) throw brokenPicture('the APNG has no frame');
  const shared = chunks.filter(({ type }) => SHARED.includes(type)).map((chunk) => chunk.bytes);
  return { header, loop: control.readUInt32BE(4), frames, shared };
}

/** An IDAT before the first `fcTL` is the default image, not a frame. */
function addChunk(frames: Frame[], { type, data }: Chunk, canvas: { width: number; height: number }): void {
  if (type === 'IDAT') frames.at(-1)?.data.push(data);
  if (type === 'fdAT') frames.at(-1)?.data.push(data.subarray(4));
  if (type !== 'fcTL') return;
  const frame = {
    width: data.readUInt32BE(4),
    height: data.readUInt32BE(8),
    x: data.readUInt32BE(12),
    y: data.readUInt32BE(16),
    delayMs: Math.round((1000 * data.readUInt16BE(20)) / (data.readUInt16BE(22) || 100)),
    dispose: data.readUInt8(24),
    blend: data.readUInt8(25),
    data: [],
  };
  const isInside = frame.x + frame.width <= canvas.width && frame.y + frame.height <= canvas.height;
  if (!isInside) throw brokenPicture(`frame ${frames.length + 1} of the APNG reaches beyond its canvas`);
  frames.push(frame);
}

function pngOf({ header, shared }: Apng, { width, height, data }: Frame): Uint8Array {
  const own = Buffer.from(header);
  own.writeUInt32BE(width, 0);
  own.writeUInt32BE(height, 4);
  const end = pngChunk('IEND', new Uint8Array(0));
  return Buffer.concat([
    SIGNATURE,
    pngChunk('IHDR', own),
    ...shared,
    pngChunk('IDAT', Buffer.concat(data)),
    end,
  ]);
}

function paint(canvas: Uint8Array, canvasWidth: number, frame: Frame, data: Uint8Array): void {
  for (let row = 0; row < frame.height; row += 1) {
    const pixels = data.subarray(4 * row * frame.width, 4 * (row + 1) * frame.width);
    const start = 4 * ((frame.y + row) * canvasWidth + frame.x);
    if (frame.blend === BLEND_SOURCE) canvas.set(pixels, start);
    else for (let at = 0; at < pixels.length; at += 4) blendOver(canvas, start + at, pixels, at);
  }
}

/** Source over, alpha not premultiplied. PNG 3rd edition, 13.16. */
function blendOver(canvas: Uint8Array, to: number, pixels: Uint8Array, at: number): void {
  const [over, under] = [pixels[at + 3]! / 255, canvas[to + 3]! / 255];
  if (over === 0) return;
  const alpha = over + under * (1 - over);
  for (let channel = 0; channel < 3; channel += 1) {
    const sum = pixels[at + channel]! * over + canvas[to + channel]! * under * (1 - over);
    canvas[to + channel] = Math.round(sum / alpha);
  }
  canvas[to + 3] = Math.round(255 * alpha);
}

function clear(canvas: Uint8Array, canvasWidth: number, { x, y, width, height }: Frame): void {
  for (let row = y; row < y + height; row += 1)
    canvas.fill(0, 4 * (row * canvasWidth + x), 4 * (row * canvasWidth + x + width));
}
