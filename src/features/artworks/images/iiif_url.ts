import type { ArtworkRecord } from '../records/record.ts';
import { PICTURE_WIDTHS, type PictureSize } from './sizes.ts';

type Image = NonNullable<ArtworkRecord['image']>;

/**
 * Address of a picture on a IIIF image server (Image API 2 and 3) in that size. Width alone is given, which all of them
 * take; never more than the original has, which some refuse.
 */
export function iiifUrl({ url, width }: Image, size: PictureSize): string {
  if (size === 'full') return `${url}/full/${url.includes('/iiif/2/') ? 'full' : 'max'}/0/default.jpg`;
  return `${url}/full/${Math.min(PICTURE_WIDTHS[size], width ?? Number.POSITIVE_INFINITY)},/0/default.jpg`;
}
