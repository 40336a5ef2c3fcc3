import { sharp } from '../codecs/sharp.ts';
import type { Size } from '../pixels/plane.ts';
import { type ExpectedError, inventedPercent } from './expected_error.ts';

/** Long side of a map. */
const SIDE_PX = 512;
/** Levels off the truth that are drawn white. */
const WHITE_LEVELS = 32;

export interface DetailMap extends Size {
  /** A grey PNG. */
  readonly bytes: Buffer;
  readonly inventedPercent: number;
}

/**
 * A small grey picture of where an enlarged one is probably wrong: black where it shows what was there, the lighter the more is made up.
 * @param size of the source, whose shape it has
 */
export async function drawExpectedError(expected: ExpectedError, size: Size): Promise<DetailMap> {
  const { width, height, levels } = expected;
  const grey = Buffer.from(levels.map((level) => Math.min(255, Math.round((255 * level) / WHITE_LEVELS))));
  const share = Math.min(1, SIDE_PX / Math.max(size.width, size.height));
  const [wide, high] = [size.width, size.height].map((side) => Math.max(1, Math.round(side * share)));
  const { data, info } = await sharp(grey, { raw: { width, height, channels: 1 } })
    .resize({ width: wide!, height: high!, fit: 'fill', kernel: 'cubic' })
    .toColourspace('b-w')
    .png()
    .toBuffer({ resolveWithObject: true });
  return { bytes: data, width: info.width, height: info.height, inventedPercent: inventedPercent(expected) };
}
