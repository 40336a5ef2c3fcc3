import type { Size } from '../pixels/plane.ts';

/**
 * Pixels of a resized picture, from the sides in its header alone. A picture that is turned by Exif may come out either way: the larger counts.
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
