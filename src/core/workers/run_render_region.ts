import { IMAGE_PIXELS_MAX } from '@atelier/imaging/codecs/limits.ts';
import { sharp } from '@atelier/imaging/codecs/sharp.ts';
import type { Sharp } from 'sharp';

// Pyramids are our own files; only the required parts are read.
sharp.unblock({ operation: ['VipsForeignLoadTiffFile'] });

interface Size {
  readonly width: number;
  readonly height: number;
}

export interface RenderRequest {
  /** Path of a file written by `runMakePyramid`. */
  readonly path: string;
  /** In pixels of the whole image. */
  readonly region: Size & { readonly left: number; readonly top: number };
  readonly size: Size;
  readonly isMirrored: boolean;
  /** Clockwise. */
  readonly degrees: number;
  readonly quality: 'color' | 'gray' | 'bitonal';
  readonly format: 'jpg' | 'png' | 'webp';
}

const MIDDLE_GRAY = 128;

/** Crops, scales, mirrors, rotates, colours and encodes a region, in this order (IIIF Image API 3.0, 4.6). */
export async function runRenderRegion(request: RenderRequest): Promise<Uint8Array> {
  const { isMirrored, degrees, quality } = request;
  let picture = await scaledPart(request);
  // Separate pipelines: within one pipeline libvips would rotate first.
  if (isMirrored) picture = await finished(picture.flop());
  if (degrees > 0) picture = await finished(turned(picture, request));
  if (quality !== 'color') picture = picture.grayscale();
  if (quality === 'bitonal') picture = (await finished(picture)).threshold(MIDDLE_GRAY);
  return encode(picture, request).toBuffer();
}

/** Uses the smallest pyramid level that is at least as large as the requested size. */
async function scaledPart({ path, region, size }: RenderRequest): Promise<Sharp> {
  const shrink = Math.min(region.width / size.width, region.height / size.height);
  const { pages = 1, ...full } = await sharp(path, OPTIONS).metadata();
  const page = Math.min(pages - 1, Math.max(0, Math.floor(Math.log2(shrink))));
  const [left, right] = span(region.left, region.width, { page, side: full.width });
  const [top, bottom] = span(region.top, region.height, { page, side: full.height });
  return sharp(path, { ...OPTIONS, page })
    .extract({ left, top, width: right - left, height: bottom - top })
    .resize({ ...size, fit: 'fill' });
}

const OPTIONS = { failOn: 'warning', limitInputPixels: IMAGE_PIXELS_MAX } as const;

/** Each level has half the pixels of the previous one, without an odd last pixel, counted from the top left. */
function span(
  from: number,
  length: number,
  { page, side }: { page: number; side: number },
): [number, number] {
  const last = Math.max(1, Math.floor(side / 2 ** page));
  const first = Math.min(last - 1, Math.floor(from / 2 ** page));
  return [first, Math.min(last, Math.max(first + 1, Math.ceil((from + length) / 2 ** page)))];
}

/** Uncovered corners are transparent if the format supports it. */
const turned = (picture: Sharp, { degrees, format }: RenderRequest): Sharp =>
  picture.rotate(degrees, {
    background: format === 'jpg' || degrees % 90 === 0 ? '#ffffff' : { r: 255, g: 255, b: 255, alpha: 0 },
  });

async function finished(picture: Sharp): Promise<Sharp> {
  const { data, info } = await picture.raw().toBuffer({ resolveWithObject: true });
  const { width, height, channels } = info;
  return sharp(data, { raw: { width, height, channels } });
}

/** Standard Huffman tables and low effort: about half the time, for 1 % more bytes. */
function encode(picture: Sharp, { format }: RenderRequest): Sharp {
  if (format === 'png') return picture.png({ compressionLevel: 6 });
  if (format === 'webp') return picture.webp({ quality: 82, effort: 2 });
  return picture.jpeg({ quality: 85, optimizeCoding: false });
}
