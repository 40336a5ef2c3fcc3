import type { SmallPicture } from '../fingerprint/small_picture.ts';
import { sharp } from '../picture/sharp.ts';
import type { ChangeMap } from './change_map.ts';

const SIDE_PX_MAX = 256;
const BEYOND = [40, 70, 160] as const;

/** The picture sent in pale grey, what has changed from yellow to red, what lies beyond the original in blue. PNG. */
export async function heatMap(
  { grey, width, height }: SmallPicture,
  { change, beyond }: ChangeMap,
): Promise<Uint8Array> {
  const rgb = new Uint8Array(width * height * 3);
  for (let at = 0; at < width * height; at++) {
    const pale = 110 + 0.5 * grey.data[at]!;
    const heat = Math.min(1, 1.4 * change.data[at]!);
    const hot = [230, 200 * (1 - heat), 20];
    for (let side = 0; side < 3; side++) {
      rgb[3 * at + side] = beyond[at]
        ? 0.35 * pale + 0.65 * BEYOND[side]!
        : pale * (1 - heat) + hot[side]! * heat;
    }
  }
  const raw = { width, height, channels: 3 } as const;
  const small = sharp(rgb, { raw }).resize(SIDE_PX_MAX, SIDE_PX_MAX, {
    fit: 'inside',
    withoutEnlargement: true,
  });
  return new Uint8Array(await small.png({ palette: true, colours: 32 }).toBuffer());
}
