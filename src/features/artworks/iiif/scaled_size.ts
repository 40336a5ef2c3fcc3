import { IIIF_AREA_MAX, IIIF_SIDE_PX_MAX } from '../limits.ts';
import type { ImageVersion, Size } from './geometry.ts';
import { decimals, refuse, wholes } from './request_parts.ts';

const FORMS = {
  3: 'max, w,  ,h  pct:n  w,h  or !w,h, with ^ before it where it may become larger than the region',
  2: 'full, max, w,  ,h  pct:n  w,h  or !w,h',
};

/** How large a part of a picture is to become. @throws AtelierError invalid_input */
export function scaledSize(text: string, region: Size, version: ImageVersion): Size {
  const mayGrow = version === 2 || text.startsWith('^');
  const asked = version === 3 && mayGrow ? text.slice(1) : text;
  const size = sizeOf(asked, region, { version, mayGrow });
  if (!size) throw refuse('size', `"${text}" is no size. Send ${FORMS[version]}.`);
  if (size.width < 1 || size.height < 1)
    throw refuse('size', 'The picture would have no pixels. Ask for at least one in each direction.');
  if (!mayGrow && (size.width > region.width || size.height > region.height))
    throw refuse(
      'size',
      `The region has ${region.width} × ${region.height} pixels and would become larger. Ask for less, or write ^${asked}.`,
    );
  if (!isWithinLimits(size))
    throw refuse(
      'size',
      `${size.width} × ${size.height} pixels are more than are made: at most ${IIIF_SIDE_PX_MAX} a side and ${IIIF_AREA_MAX} in all. Send max for the largest.`,
    );
  return size;
}

/** The largest size a region is given in. */
export const largestOf = (region: Size, mayGrow = false): Size => {
  const scale = scaleToLimits(region);
  return scaledBy(region, mayGrow ? scale : Math.min(1, scale));
};

/** @returns undefined where the text has none of the forms; a size may still be too small or too large */
function sizeOf(
  text: string,
  region: Size,
  { version, mayGrow }: { version: ImageVersion; mayGrow: boolean },
): Size | undefined {
  // In the second version a region is never enlarged by itself.
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

/** As large as fits: into the box, into the limits and, unless it may grow, into the region. */
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

/** Never above the limits that the scale was taken from. */
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
