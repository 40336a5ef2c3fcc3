import { type AtelierError, invalidField } from '../../../core/errors/atelier_error.ts';
import { IIIF_AREA_MAX, IIIF_SIDE_PX_MAX } from '../limits.ts';

const PART_CHARACTERS_SHOWN = 60;

/** Parses exactly this many comma-separated integers; undefined for any other text. */
const wholes = (text: string, count: number): number[] | undefined => numbersOf(text, count, /^\d{1,9}$/);

/**
 * Parses exactly this many comma-separated decimals: digits and a point, without sign or exponent (Image API
 * 3.0, 4.7).
 */
const decimals = (text: string, count: number): number[] | undefined =>
  numbersOf(text, count, /^(\d{1,9}(\.\d{1,15})?|\.\d{1,15})$/);

function numbersOf(text: string, count: number, form: RegExp): number[] | undefined {
  const parts = text.split(',');
  return parts.length === count && parts.every((part) => form.test(part)) ? parts.map(Number) : undefined;
}

/** Error for one part of an image URL, with a valid alternative. */
const refuse = (part: string, message: string): AtelierError =>
  invalidField(
    part,
    message.replace(/"([^"]*)"/, (_, text: string) => `"${text.slice(0, PART_CHARACTERS_SHOWN)}"`),
  );

const FORMS = {
  3: 'max, w,  ,h  pct:n  w,h  or !w,h, with ^ in front to allow a size larger than the region',
  2: 'full, max, w,  ,h  pct:n  w,h  or !w,h',
};

/**
 * Size in px to which a region is scaled.
 * @throws AtelierError invalid_input
 */
function scaledSize(text: string, region: Size, version: ImageVersion): Size {
  const mayGrow = version === 2 || text.startsWith('^');
  const asked = version === 3 && mayGrow ? text.slice(1) : text;
  const size = sizeOf(asked, region, { version, mayGrow });
  if (!size) throw refuse('size', `"${text}" is not a valid size. Send ${FORMS[version]}.`);
  if (size.width < 1 || size.height < 1)
    throw refuse('size', 'The image would have no pixels. Request at least 1 × 1.');
  if (!mayGrow && (size.width > region.width || size.height > region.height))
    throw refuse(
      'size',
      `The region has ${region.width} × ${region.height} pixels, less than requested. Request a smaller size, or write ^${asked}.`,
    );
  if (!isWithinLimits(size))
    throw refuse(
      'size',
      `${size.width} × ${size.height} pixels exceed the limit of ${IIIF_SIDE_PX_MAX} per side and ${IIIF_AREA_MAX} in total. Send max for the largest size.`,
    );
  return size;
}

/** Largest size in which a region is served. */
export const largestOf = (region: Size, mayGrow = false): Size => {
  const scale = scaleToLimits(region);
  return scaledBy(region, mayGrow ? scale : Math.min(1, scale));
};

/** @returns undefined for a text in none of the forms; a size returned may still be too small or too large */
function sizeOf(
  text: string,
  region: Size,
  { version, mayGrow }: { version: ImageVersion; mayGrow: boolean },
): Size | undefined {
  // In version 2, `max` never enlarges a region.
  if (text === 'max') return largestOf(region, version === 3 && mayGrow);
  if (text === 'full' && version === 2) return { width: region.width, height: region.height };
  if (text.startsWith('pct:')) {
    const [percent] = decimals(text.slice(4), 1) ?? [];
    return percent === undefined ? undefined : rounded(region, percent / 100);
  }
  if (text.startsWith('!')) return confined(text.slice(1), region, mayGrow);
  if (/^\d{1,9},$/.test(text)) return byWidth(Number(text.slice(0, -1)), region);
  if (/^,\d{1,9}$/.test(text)) return byHeight(Number(text.slice(1)), region);
  const [width, height] = wholes(text, 2) ?? [];
  return width === undefined || height === undefined ? undefined : { width, height };
}

const byWidth = (width: number, region: Size): Size => ({
  width,
  height: width && atLeastOne((width * region.height) / region.width),
});

const byHeight = (height: number, region: Size): Size => ({
  width: height && atLeastOne((height * region.width) / region.height),
  height,
});

/** Largest size that fits the box, the limits and, unless it may grow, the region. */
function confined(text: string, region: Size, mayGrow: boolean): Size | undefined {
  const [width, height] = wholes(text, 2) ?? [];
  if (width === undefined || height === undefined) return undefined;
  if (width === 0 || height === 0) return { width, height };
  const scale = Math.min(
    width / region.width,
    height / region.height,
    scaleToLimits(region),
    mayGrow ? Number.POSITIVE_INFINITY : 1,
  );
  const { width: wide, height: high } = scaledBy(region, scale);
  return { width: Math.min(wide, width), height: Math.min(high, height) };
}

const scaleToLimits = ({ width, height }: Size): number =>
  Math.min(IIIF_SIDE_PX_MAX / Math.max(width, height), Math.sqrt(IIIF_AREA_MAX / (width * height)));

/** Rounding may exceed the limits from which the scale was computed, so this caps the size. */
function scaledBy(region: Size, scale: number): Size {
  const size = rounded(region, scale);
  const lower = isWithinLimits(size)
    ? size
    : { width: Math.floor(region.width * scale), height: Math.floor(region.height * scale) };
  return { width: Math.max(1, lower.width), height: Math.max(1, lower.height) };
}

const rounded = ({ width, height }: Size, scale: number): Size => ({
  width: Math.round(width * scale),
  height: Math.round(height * scale),
});

const atLeastOne = (side: number): number => Math.max(1, Math.round(side));

const isWithinLimits = ({ width, height }: Size): boolean =>
  Math.max(width, height) <= IIIF_SIDE_PX_MAX && width * height <= IIIF_AREA_MAX;

export const QUALITIES = ['default', 'color', 'gray', 'bitonal'] as const;
export const FORMATS = ['jpg', 'png', 'webp'] as const;
type Quality = (typeof QUALITIES)[number];
export type ImageFormat = (typeof FORMATS)[number];

/** The parts of an image URL after the identifier, as sent. */
export interface ImageRequest {
  readonly version: ImageVersion;
  readonly region: string;
  readonly size: string;
  readonly rotation: string;
  /** `quality.format` */
  readonly file: string;
}

/** Operations on an image, in this order: crop, scale, mirror, rotate clockwise, colour. */
export interface Rendering {
  readonly region: Area;
  readonly size: Size;
  readonly isMirrored: boolean;
  /** 0 to below 360. */
  readonly degrees: number;
  readonly quality: Exclude<Quality, 'default'>;
  readonly format: ImageFormat;
  /** `region/size/rotation/quality.format` in the canonical form of the requested version. */
  readonly canonical: string;
}

/**
 * Parses an image request for an image of the given size (IIIF Image API 3.0, 4; 2.1.1, 4).
 * @throws AtelierError invalid_input naming the part and a valid alternative
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
  if (!quality)
    throw refuse('quality', `"${asked}" is not a supported quality. Send ${QUALITIES.join(', ')}.`);
  if (!format) throw refuse('format', `"${ending}" is not a supported format. Send ${FORMATS.join(', ')}.`);
  return { quality: quality === 'default' ? 'color' : quality, format };
}

function rotationOf(text: string): Pick<Rendering, 'isMirrored' | 'degrees'> {
  const isMirrored = text.startsWith('!');
  const [degrees] = decimals(isMirrored ? text.slice(1) : text, 1) ?? [];
  if (degrees === undefined || degrees > 360)
    throw refuse(
      'rotation',
      `"${text}" is not a valid rotation. Send degrees from 0 to 360, with ! in front to mirror.`,
    );
  return { isMirrored, degrees: degrees % 360 };
}

function canonicalRegion({ left, top, width, height }: Area, full: Size): string {
  const isFull = width === full.width && height === full.height;
  return isFull ? 'full' : [left, top, width, height].join(',');
}

/** Canonical form of a size (Image API 3.0, 4.8). */
function canonicalSize(asked: string, size: Size, region: Size): string {
  if (isSame(size, largestOf(region))) return 'max';
  if (asked.startsWith('^') && isSame(size, largestOf(region, true))) return '^max';
  const isLarger = size.width > region.width || size.height > region.height;
  return `${isLarger ? '^' : ''}${size.width},${size.height}`;
}

/** Canonical form of a size (Image API 2.1.1, 4.7). */
function canonicalSizeOf2(size: Size, region: Size): string {
  if (isSame(size, region)) return 'full';
  const isInProportion = size.height === Math.max(1, Math.round((size.width * region.height) / region.width));
  return isInProportion ? `${size.width},` : `${size.width},${size.height}`;
}

const isSame = (one: Size, other: Size): boolean => one.width === other.width && one.height === other.height;

/**
 * Area named by a region, cropped to the image.
 * @throws AtelierError invalid_input
 */
function regionOf(text: string, full: Size): Area {
  if (text === 'full') return { left: 0, top: 0, ...full };
  if (text === 'square') {
    const side = Math.min(full.width, full.height);
    return {
      left: Math.floor((full.width - side) / 2),
      top: Math.floor((full.height - side) / 2),
      width: side,
      height: side,
    };
  }
  return within(inPixels(text, full), full);
}

function inPixels(text: string, { width, height }: Size): Area {
  const isShare = text.startsWith('pct:');
  const numbers = isShare ? decimals(text.slice(4), 4) : wholes(text, 4);
  if (!numbers)
    throw refuse(
      'region',
      `"${text}" is not a valid region. Send full, square, x,y,w,h in whole pixels, or pct:x,y,w,h in percent.`,
    );
  const [x = 0, y = 0, w = 0, h = 0] = numbers;
  if (!isShare) return { left: x, top: y, width: w, height: h };
  const [left, top] = [Math.round((x * width) / 100), Math.round((y * height) / 100)];
  return {
    left,
    top,
    width: Math.round(((x + w) * width) / 100) - left,
    height: Math.round(((y + h) * height) / 100) - top,
  };
}

function within({ left, top, ...asked }: Area, full: Size): Area {
  const [width, height] = [
    Math.min(asked.width, full.width - left),
    Math.min(asked.height, full.height - top),
  ];
  if (asked.width < 1 || asked.height < 1)
    throw refuse('region', 'The region has no pixels. Send a width and a height of at least 1.');
  if (width < 1 || height < 1)
    throw refuse(
      'region',
      `The region is outside the image, which has ${full.width} × ${full.height} pixels.`,
    );
  return { left, top, width, height };
}

/** Major version of the Image API: 3.0 or 2.1.1. */
export type ImageVersion = 2 | 3;

/** In pixels. */
export interface Size {
  readonly width: number;
  readonly height: number;
}

interface Area extends Size {
  readonly left: number;
  readonly top: number;
}
