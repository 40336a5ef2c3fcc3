import type { Size } from '../pixels/plane.ts';

/**
 * Number of pixels of a resized image, from the dimensions in its header alone. If Exif orientation may swap the sides, the larger count
 * applies.
 */
export function resizedPixels(
  picture: Size,
  { width, height, mode }: Size & { readonly mode: 'contain' | 'cover' | 'stretch' },
): number {
  if (mode !== 'contain') return width * height;
  const scales = [
    Math.min(width / picture.width, height / picture.height),
    Math.min(width / picture.height, height / picture.width),
  ];
  return Math.ceil(picture.width * picture.height * Math.max(...scales) ** 2);
}
