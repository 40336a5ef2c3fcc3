import { sharp } from '../../codecs/sharp.ts';
import { isWholeProfile, profileName } from '../../color/profile_name.ts';
import type { NewPackets } from '../containers/new_packets.ts';
import { writePackets } from '../containers/write_packets.ts';
import { xmpElement } from '../xmp/write_xmp.ts';
import { type Account, accountOf, type CarriedMetadata, type CarryWish, newAccount } from './carried.ts';
import { type Container, choosePackets } from './choose_packets.ts';
import { appendGainMap, type GainMap, gainMapProperties, placeGainMap } from './gain_map.ts';
import { type Ingredient, withIngredients } from './ingredients.ts';
import { THUMBNAIL_SIDE_PX, THUMBNAIL_SOURCE_PIXELS_MAX } from './limits.ts';
import { readSource, type Source, type Sources } from './read_source.ts';

/** Profiles of sRGB call themselves so, or `c2`; others only mention it. */
const isSrgbName = (name: string): boolean => /^(sRGB|c2$)/.test(name);

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

/** Whose colours are sRGB, and which libvips does not open here. */
const NOT_OPENED: ReadonlySet<Container> = new Set<Container>(['ico', 'pdf']);

/**
 * Puts what a picture says about itself into one that was made of it, and answers what became of each block. Where there is nothing to
 * carry the result stays as it is, byte for byte; coded pixels always do.
 * @throws EngineError undecodable_image, unsupported_image, image_too_large
 */
export async function carryMetadata(from: Sources, result: Result, wish: CarryWish): Promise<Carried> {
  const source = await readSource(from);
  const container = containerOf(result.contentType);
  const { width, height } = result;
  const account = newAccount();
  const isSrgb = NOT_OPENED.has(container)
    ? tellConversion(source, account)
    : await tellProfile(source, result, account);
  const gainMap = await carriedGainMap(source, { result, wish, container, account });
  const chosen = await choosePackets(source, {
    from: from.file,
    wish,
    container,
    account,
    result: { width, height, isSrgb },
    thumbnail: async () => (NOT_OPENED.has(container) ? undefined : thumbnailOf(result)),
  });
  const properties = [...(gainMap ? gainMapProperties(gainMap) : []), ...chosen.properties];
  const isEmpty = properties.length === 0 && !chosen.iim && !chosen.exif && !chosen.texts;
  const written = isEmpty
    ? result.bytes
    : writePackets(result.bytes, { format: container, width, height }, { ...chosen, properties });
  return { bytes: gainMap ? appendGainMap(written, gainMap) : written, metadata: accountOf(account) };
}

/** Puts what images say about themselves into a new one that shows them. Where that is nothing, or the format has no place for it, the file stays. */
export function writeIngredients(
  { bytes, contentType, width, height }: Result,
  ingredients: readonly Ingredient[],
): Uint8Array {
  const properties = withIngredients([], ingredients);
  if (properties.length === 0) return bytes;
  if (contentType === 'image/svg+xml') return writeSvgMetadata(bytes, { properties });
  const format = containerOf(contentType);
  if (format === 'ico') return bytes;
  return writePackets(bytes, { format, width, height }, { properties });
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

function tellConversion({ icc }: Source, account: Account): true {
  if (icc) account.changed.set('icc', `colours were converted from ${profileName(icc)} to sRGB`);
  return true;
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

interface Size {
  readonly width: number;
  readonly height: number;
}

/** The gain map of a picture, turned and cut as its result was; nothing where it has no place, or fits no more. */
async function carriedGainMap(
  { gainMap, icc, orientation, width, height }: Source,
  {
    result,
    wish,
    container,
    account,
  }: { result: Size; wish: CarryWish; container: Container; account: Account },
): Promise<GainMap | undefined> {
  if (!gainMap) return undefined;
  const converted = account.kept.has('icc') ? undefined : icc;
  const why = await whyDropped(gainMap, { icc: converted, wish, container, pixelsMax: width * height });
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
  if (wish.shows === 'edited') return 'it shows the image as it was before the edit';
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
  if (shows !== 'centre') return { x: 0, y: 0, width: 1, height: 1 };
  const ratio = result.width / result.height / (source.width / source.height);
  const [width, height] = [Math.min(1, ratio), Math.min(1, 1 / ratio)];
  return { x: (1 - width) / 2, y: (1 - height) / 2, width, height };
}

const CONTAINERS: Readonly<Record<string, Container>> = {
  'image/png': 'png',
  'image/jpeg': 'jpeg',
  'image/apng': 'png',
  'image/webp': 'webp',
  'image/avif': 'avif',
  'image/gif': 'gif',
  'image/tiff': 'tiff',
  'image/x-icon': 'ico',
  'application/pdf': 'pdf',
};

/** The container of a result, by its content type. */
const containerOf = (contentType: string): Container => CONTAINERS[contentType]!;

/** XMP of an SVG made here, in the element that SVG has for it. SVG 2, 5.9 */
export function writeSvgMetadata(bytes: Uint8Array, { properties }: NewPackets): Buffer {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const start = file.indexOf('>') + 1;
  const metadata = Buffer.from(`<metadata>${xmpElement(properties)}</metadata>`);
  return Buffer.concat([file.subarray(0, start), metadata, file.subarray(start)]);
}
