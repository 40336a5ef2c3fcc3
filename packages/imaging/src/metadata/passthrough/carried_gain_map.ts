import { sharp } from '../../codecs/sharp.ts';
import { profileName } from '../../color/profile_name.ts';
import type { Account, CarryWish } from './carried.ts';
import type { Container } from './containers.ts';
import { type GainMap, placeGainMap } from './gain_map.ts';
import type { Source } from './read_source.ts';
import { isSrgbName } from './srgb_name.ts';

interface Size {
  readonly width: number;
  readonly height: number;
}

/** The gain map of a picture, turned and cut as its result was; nothing where it has no place, or fits no more. */
export async function carriedGainMap(
  { gainMap, icc, orientation, width, height }: Source,
  {
    result,
    wish,
    container,
    account,
  }: { result: Size; wish: CarryWish; container: Container; account: Account },
): Promise<GainMap | undefined> {
  if (!gainMap) return undefined;
  const why = await whyDropped(gainMap, { icc, wish, container, pixelsMax: width * height });
  if (why) {
    account.dropped.set('gain_map', why);
    return undefined;
  }
  const part = partShown({ width, height }, result, wish);
  const placed = await placeGainMap(gainMap, { orientation, part });
  if (placed === gainMap) account.kept.add('gain_map');
  else account.changed.set('gain_map', 'turned and cut as the picture was');
  return placed;
}

async function whyDropped(
  { bytes }: GainMap,
  {
    icc,
    wish,
    container,
    pixelsMax,
  }: Pick<Source, 'icc'> & { wish: CarryWish; container: Container; pixelsMax: number },
): Promise<string | undefined> {
  if (wish.keep !== 'all') return `keep is "${wish.keep}"`;
  if (container !== 'jpeg') return `only JPEG has a place for it, and this is ${container}`;
  // Only the picture itself was counted for this call, so nothing larger than it is decoded.
  const channels = await sharp(bytes, { limitInputPixels: pixelsMax })
    .stats()
    .then((stats) => stats.channels.length)
    .catch(() => 0);
  if (channels === 0) return 'it cannot be decoded, or is larger than its picture';
  const isConverted = icc && !isSrgbName(profileName(icc));
  if (channels > 1 && isConverted)
    return 'its three colours belong to the profile the picture was converted from';
  return undefined;
}

/** The part of the upright source that is in the result, in shares of its sides. */
function partShown(source: Size, result: Size, { shows }: CarryWish) {
  if (shows === 'whole') return { x: 0, y: 0, width: 1, height: 1 };
  const ratio = result.width / result.height / (source.width / source.height);
  const [width, height] = [Math.min(1, ratio), Math.min(1, 1 / ratio)];
  return { x: (1 - width) / 2, y: (1 - height) / 2, width, height };
}
