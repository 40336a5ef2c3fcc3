import type { Area, ImageVersion, Size } from './geometry.ts';
import { regionOf } from './region.ts';
import { decimals, refuse } from './request_parts.ts';
import { largestOf, scaledSize } from './scaled_size.ts';

export const QUALITIES = ['default', 'color', 'gray', 'bitonal'] as const;
export const FORMATS = ['jpg', 'png', 'webp'] as const;
type Quality = (typeof QUALITIES)[number];
export type ImageFormat = (typeof FORMATS)[number];

/** The address of a picture behind its identifier, as it was sent. */
export interface ImageRequest {
  readonly version: ImageVersion;
  readonly region: string;
  readonly size: string;
  readonly rotation: string;
  /** `quality.format` */
  readonly file: string;
}

/** What is to be made of a picture, in this order: cut, scaled, mirrored, turned clockwise, coloured. */
export interface Rendering {
  readonly region: Area;
  readonly size: Size;
  readonly isMirrored: boolean;
  /** From 0 to below 360. */
  readonly degrees: number;
  readonly quality: Exclude<Quality, 'default'>;
  readonly format: ImageFormat;
  /** `region/size/rotation/quality.format` in the canonical form of the version that was asked. */
  readonly canonical: string;
}

/**
 * Reads a request for a picture of that size (IIIF Image API 3.0, 4; 2.1.1, 4).
 * @throws AtelierError invalid_input, which names the part and what to send instead
 */
export function readImageRequest(request: ImageRequest, full: Size): Rendering {
  const { version } = request;
  const { quality, format } = fileOf(request.file);
  const region = regionOf(request.region, full);
  const size = scaledSize(request.size, region, version);
  const rotation = rotationOf(request.rotation);
  const canonical = [
    canonicalRegion(region, full),
    version === 3 ? canonicalSize(request.size, size, region) : canonicalSizeOf2(size, region),
    `${rotation.isMirrored ? '!' : ''}${rotation.degrees}`,
    `${quality === 'color' ? 'default' : quality}.${format}`,
  ].join('/');
  return { region, size, ...rotation, quality, format, canonical };
}

function fileOf(file: string): Pick<Rendering, 'quality' | 'format'> {
  const dot = file.lastIndexOf('.');
  const [asked, ending] = dot < 0 ? [file, ''] : [file.slice(0, dot), file.slice(dot + 1)];
  const quality = QUALITIES.find((one) => one === asked);
  const format = FORMATS.find((one) => one === ending);
  if (!quality) throw refuse('quality', `"${asked}" is no quality. Send ${QUALITIES.join(', ')}.`);
  if (!format) throw refuse('format', `"${ending}" is not made here. Send ${FORMATS.join(', ')}.`);
  return { quality: quality === 'default' ? 'color' : quality, format };
}

function rotationOf(text: string): Pick<Rendering, 'isMirrored' | 'degrees'> {
  const isMirrored = text.startsWith('!');
  const [degrees] = decimals(isMirrored ? text.slice(1) : text, 1) ?? [];
  if (degrees === undefined || degrees > 360)
    throw refuse(
      'rotation',
      `"${text}" is no rotation. Send degrees from 0 to 360, with ! before them to mirror.`,
    );
  return { isMirrored, degrees: degrees % 360 };
}

function canonicalRegion({ left, top, width, height }: Area, full: Size): string {
  const isFull = width === full.width && height === full.height;
  return isFull ? 'full' : [left, top, width, height].join(',');
}

/** Image API 3.0, 4.8. */
function canonicalSize(asked: string, size: Size, region: Size): string {
  if (isSame(size, largestOf(region))) return 'max';
  if (asked.startsWith('^') && isSame(size, largestOf(region, true))) return '^max';
  const isLarger = size.width > region.width || size.height > region.height;
  return `${isLarger ? '^' : ''}${size.width},${size.height}`;
}

/** Image API 2.1.1, 4.7. */
function canonicalSizeOf2(size: Size, region: Size): string {
  if (isSame(size, region)) return 'full';
  const isInProportion = size.height === Math.max(1, Math.round((size.width * region.height) / region.width));
  return isInProportion ? `${size.width},` : `${size.width},${size.height}`;
}

const isSame = (one: Size, other: Size): boolean => one.width === other.width && one.height === other.height;
