import { LANCZOS_LOBES } from '../pixels/lanczos.ts';
import type { Size } from '../pixels/plane.ts';
import type { Part } from './enlarge.ts';

/** What of a picture becomes a picture of another size. */
export interface Placing extends Size {
  /** Whole pixels to read: the part and what decides about its border. */
  readonly cut: Part;
  /** The part that is shown, from the upper left corner of the cut, in pixels and parts of them. */
  readonly part: Part;
}

/** The size that comes out and the part of the picture that fills it: all of it, or for `cover` its middle. */
export function placingOf(
  picture: Size,
  { width, height, mode }: Size & { readonly mode: 'contain' | 'cover' | 'stretch' },
): Placing {
  const whole = { left: 0, top: 0, width: picture.width, height: picture.height };
  const [across, down] = [width / picture.width, height / picture.height];
  if (mode === 'stretch') return { width, height, cut: whole, part: whole };
  if (mode === 'contain') {
    const scale = Math.min(across, down);
    return { ...scaleSize(picture, scale), cut: whole, part: whole };
  }
  const scale = Math.max(across, down);
  const columns = middleOf(picture.width, width / scale);
  const rows = middleOf(picture.height, height / scale);
  return {
    width,
    height,
    cut: { left: columns.from, top: rows.from, width: columns.count, height: rows.count },
    part: { left: columns.start, top: rows.start, width: width / scale, height: height / scale },
  };
}

const scaleSize = ({ width, height }: Size, scale: number): Size => ({
  width: Math.max(1, Math.round(width * scale)),
  height: Math.max(1, Math.round(height * scale)),
});

/** The pixels around the middle of a side, and where within them the middle itself begins. */
function middleOf(side: number, length: number): { from: number; count: number; start: number } {
  const start = (side - length) / 2;
  const from = Math.max(0, Math.floor(start) - LANCZOS_LOBES);
  const end = Math.min(side, Math.ceil(start + length) + LANCZOS_LOBES);
  return { from, count: end - from, start: start - from };
}
