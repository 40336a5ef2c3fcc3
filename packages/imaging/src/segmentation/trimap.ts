import { growMask } from '../pixels/grow_mask.ts';
import type { Plane } from '../pixels/plane.ts';

export const BACKGROUND = 0;
export const FOREGROUND = 1;
export const UNKNOWN = 2;

/** What is certain of each pixel: BACKGROUND, FOREGROUND, or UNKNOWN where opacity has to be estimated. */
export interface Trimap {
  readonly width: number;
  readonly height: number;
  readonly data: Uint8Array;
}

export interface TrimapRules {
  /** At most this probability is background, at least one minus this is foreground. */
  readonly certainty: number;
  /** How far from both the estimate reaches, in pixels. */
  readonly reach: number;
}

/** Leaves open what the mask is unsure of and a band along every boundary. */
export function trimapOf(mask: Plane, { certainty, reach }: TrimapRules): Trimap {
  const notForeground = growMask(
    { ...mask, data: mask.data.map((value) => (value < 1 - certainty ? 1 : 0)) },
    reach,
  );
  const notBackground = growMask(
    { ...mask, data: mask.data.map((value) => (value > certainty ? 1 : 0)) },
    reach,
  );
  const data = new Uint8Array(mask.data.length);
  for (let pixel = 0; pixel < data.length; pixel++) {
    if (notForeground.data[pixel] === 0) data[pixel] = FOREGROUND;
    else data[pixel] = notBackground.data[pixel] === 0 ? BACKGROUND : UNKNOWN;
  }
  return { width: mask.width, height: mask.height, data };
}
