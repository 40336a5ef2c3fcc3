import type { Size } from '../picture/headers/header.ts';

/** The largest rectangle of the wanted aspect ratio in the middle of a picture, in whole pixels, at least 1 × 1. */
export function centreOf(picture: Size, wanted: Size): Size & { left: number; top: number } {
  const scale = Math.max(wanted.width / picture.width, wanted.height / picture.height);
  const width = within(wanted.width / scale, picture.width);
  const height = within(wanted.height / scale, picture.height);
  return {
    width,
    height,
    left: Math.floor((picture.width - width) / 2),
    top: Math.floor((picture.height - height) / 2),
  };
}

const within = (length: number, max: number): number => Math.min(max, Math.max(1, Math.round(length)));
