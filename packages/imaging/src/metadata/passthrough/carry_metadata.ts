import { sharp } from '../../codecs/sharp.ts';
import { isWholeProfile, profileName } from '../../color/profile_name.ts';
import { writePackets } from '../containers/write_packets.ts';
import { type Account, accountOf, type CarriedMetadata, type CarryWish, newAccount } from './carried.ts';
import { carriedGainMap } from './carried_gain_map.ts';
import { choosePackets } from './choose_packets.ts';
import type { Container } from './containers.ts';
import { appendGainMap, gainMapProperties } from './gain_map.ts';
import { THUMBNAIL_SIDE_PX, THUMBNAIL_SOURCE_PIXELS_MAX } from './limits.ts';
import { readSource, type Source } from './read_source.ts';
import { isSrgbName } from './srgb_name.ts';

/** A picture that was made of another. */
export interface Result {
  readonly bytes: Uint8Array;
  readonly contentType: string;
  readonly width: number;
  readonly height: number;
}

export interface Carried {
  readonly bytes: Uint8Array;
  readonly metadata: CarriedMetadata;
}

const CONTAINERS: Readonly<Record<string, Container>> = {
  'image/png': 'png',
  'image/jpeg': 'jpeg',
  'image/webp': 'webp',
  'image/tiff': 'tiff',
};

/**
 * Puts what a picture says about itself into one that was made of it, and answers what became of each block. Where there is nothing to
 * carry the result stays as it is, byte for byte; coded pixels always do.
 * @throws EngineError undecodable_image, unsupported_image, image_too_large
 */
export async function carryMetadata(from: Uint8Array, result: Result, wish: CarryWish): Promise<Carried> {
  const source = await readSource(from);
  const container = CONTAINERS[result.contentType]!;
  const { width, height } = result;
  const account = newAccount();
  const isSrgb = await tellProfile(source, result, account);
  const gainMap = await carriedGainMap(source, { result, wish, container, account });
  const chosen = await choosePackets(source, {
    ...{ from, wish, container, account, result: { width, height, isSrgb } },
    thumbnail: () => thumbnailOf(result),
  });
  const properties = [...(gainMap ? gainMapProperties(gainMap) : []), ...chosen.properties];
  const isEmpty = properties.length === 0 && !chosen.iim && !chosen.exif && !chosen.texts;
  const written = isEmpty
    ? result.bytes
    : writePackets(result.bytes, { format: container, width, height }, { ...chosen, properties });
  return { bytes: gainMap ? appendGainMap(written, gainMap) : written, metadata: accountOf(account) };
}

async function thumbnailOf({ bytes, width, height }: Result): Promise<Uint8Array | undefined> {
  if (width * height > THUMBNAIL_SOURCE_PIXELS_MAX) return undefined;
  return sharp(bytes)
    .resize({ width: THUMBNAIL_SIDE_PX, height: THUMBNAIL_SIDE_PX, fit: 'inside' })
    .flatten({ background: '#ffffff' })
    .toColourspace('srgb')
    .jpeg({ quality: 75 })
    .toBuffer();
}

/** Says what became of the source's profile; answers whether the colours of the result are sRGB. */
async function tellProfile(
  { icc, exif, properties }: Source,
  { bytes }: Result,
  account: Account,
): Promise<boolean> {
  // Most pictures say nothing that depends on it.
  if (!icc && !exif && properties.length === 0) return true;
  const { icc: own, space } = await sharp(bytes, { limitInputPixels: false }).metadata();
  const name = own ? profileName(own) : 'sRGB';
  if (icc && own && Buffer.compare(own, icc) === 0) account.kept.add('icc');
  else if (icc && !own && isSrgbName(profileName(icc)))
    account.changed.set('icc', 'left out: without one, colours are sRGB too');
  else if (icc && !isWholeProfile(icc))
    account.changed.set('icc', `the profile is damaged: colours may have been taken for ${name}`);
  else if (icc) account.changed.set('icc', `colours were converted from ${profileName(icc)} to ${name}`);
  return space !== 'cmyk' && isSrgbName(name);
}
