import type { Pixels } from './types.ts';

/** The same processes with some members replaced. The others are inherited, so that their values stay current. */
export const wrapPixels = (pixels: Pixels, replaced: Pick<Pixels, 'run'> & Partial<Pixels>): Pixels =>
  Object.assign(Object.create(pixels) as Pixels, replaced);
