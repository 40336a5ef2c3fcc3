import { roundTo } from '../pixels/round_to.ts';

/** What is told where nothing differs. */
const SAME_DB = 99;

/** Peak signal to noise ratio in decibels, of the mean square of differences of samples from 0 to 255. */
export const psnrDb = (meanSquare: number): number =>
  meanSquare === 0 ? SAME_DB : roundTo(Math.min(SAME_DB, 10 * Math.log10(255 ** 2 / meanSquare)), 2);
