import { brokenPicture } from '../codecs/headers/header.ts';
import { AVIF_PIXELS_MAX } from '../codecs/limits.ts';
import { openPicture } from '../codecs/open_picture.ts';
import { decodeRaster, readRaster } from '../codecs/read_raster.ts';
import { EngineError } from '../errors/engine_error.ts';
import { refuseSize, slice, withinFile } from './bounds.ts';
import { findBox, readBoxes, sizeProperty, writeHeif } from './heif_boxes.ts';
import type { DecodedPicture } from './types.ts';

/** The first frame of a track as a still image file, and the number of frames. */
interface FirstFrame {
  readonly still: Uint8Array;
  readonly frames: number;
}

/** Bytes of a VisualSampleEntry before its boxes, without size and type. ISO/IEC 14496-12, 12.1.3. */
const SAMPLE_ENTRY_BYTES = 78;

/**
 * Decodes the first frame of an animated AVIF. The libheif in sharp does not open files without a still image, so the frame is written to a file with
 * one. Source: AVIF 1.2, section 3; ISO/IEC 14496-12, 8.
 */
export async function decodeAvifSequence(bytes: Uint8Array): Promise<DecodedPicture> {
  const { picture, alpha } = withinFile('AVIF', bytes, readTracks);
  const raster = await readRaster(picture.still);
  const warnings =
    picture.frames > 1 ? [`The animated AVIF was read as the first of its ${picture.frames} frames.`] : [];
  const frames = picture.frames > 1 ? picture.frames : undefined;
  if (!alpha || raster.data instanceof Uint16Array) return { ...raster, frames, warnings };
  const { data } = await decodeRaster(openPicture(alpha.still).toColourspace('b-w').extractChannel(0));
  const rgb = raster.data;
  const rgba = new Uint8Array(4 * raster.width * raster.height);
  for (let pixel = 0; pixel < raster.width * raster.height; pixel += 1) {
    for (let channel = 0; channel < 3; channel += 1)
      rgba[4 * pixel + channel] = rgb[pixel * raster.channels + (raster.channels < 3 ? 0 : channel)]!;
    rgba[4 * pixel + 3] = data[pixel] ?? 255;
  }
  return { width: raster.width, height: raster.height, channels: 4, data: rgba, frames, warnings };
}

function readTracks(file: Buffer): { picture: FirstFrame; alpha: FirstFrame | undefined } {
  const movie = findBox(file, 'moov');
  if (!movie) throw brokenPicture('the AVIF has no animation');
  const tracks = readBoxes(movie).filter(({ type }) => type === 'trak');
  const trackOf = (handler: string) =>
    tracks.find(({ data }) => findBox(data, 'mdia', 'hdlr')?.toString('latin1', 8, 12) === handler)?.data;
  const pictures = trackOf('pict');
  if (!pictures) throw brokenPicture('the AVIF has no track of pictures');
  const alpha = trackOf('auxv');
  return { picture: firstFrame(file, pictures), alpha: alpha && firstFrame(file, alpha) };
}

function firstFrame(file: Buffer, track: Buffer): FirstFrame {
  const samples = findBox(track, 'mdia', 'minf', 'stbl');
  const entry = readBoxes(findBox(samples, 'stsd')?.subarray(8) ?? Buffer.alloc(0))[0];
  const [sizes, near, far] = ['stsz', 'stco', 'co64'].map((type) => findBox(samples, type));
  if (!entry || !sizes || !(near ?? far)) throw brokenPicture('a track of the AVIF is incomplete');
  if (entry.type !== 'av01')
    throw new EngineError(
      'unsupported_image',
      'The frames of the animation are not compressed with AV1. Send one of them as JPEG or PNG.',
    );
  const [width, height] = [entry.data.readUInt16BE(24), entry.data.readUInt16BE(26)];
  refuseSize('AVIF', { width, height }, AVIF_PIXELS_MAX);
  // One size for all samples, or a list of sizes.
  const length = sizes.readUInt32BE(4) || sizes.readUInt32BE(12);
  const start = near ? near.readUInt32BE(8) : Number(far!.readBigUInt64BE(8));
  const described = readBoxes(entry.data.subarray(SAMPLE_ENTRY_BYTES)).filter(({ type }) =>
    ['av1C', 'colr', 'pixi'].includes(type),
  );
  const properties = [sizeProperty(width, height), ...described.map(({ whole }) => whole)];
  const item = { type: 'av01', data: slice(file, start, length), properties };
  return { still: writeHeif(['avif', 'mif1', 'miaf'], [item]), frames: sizes.readUInt32BE(8) };
}
