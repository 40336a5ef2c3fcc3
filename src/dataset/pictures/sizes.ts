import type { ArtworkRecord } from '../records/record.ts';

/** Widths in pixels a picture can be asked for in; `full` is as the museum has it. */
export const PICTURE_WIDTHS = { small: 400, medium: 843, large: 1686 } as const;
export const PICTURE_SIZES = ['small', 'medium', 'large', 'full'] as const;
export type PictureSize = (typeof PICTURE_SIZES)[number];

type Image = NonNullable<ArtworkRecord['image']>;

/**
 * Address of a picture on a IIIF image server (Image API 2 and 3) in that size. Width alone is given, which all of them
 * take; never more than the original has, which some refuse.
 */
export function iiifUrl({ url, width }: Image, size: PictureSize): string {
  if (size === 'full') return `${url}/full/${url.includes('/iiif/2/') ? 'full' : 'max'}/0/default.jpg`;
  return `${url}/full/${Math.min(PICTURE_WIDTHS[size], width ?? Number.POSITIVE_INFINITY)},/0/default.jpg`;
}
