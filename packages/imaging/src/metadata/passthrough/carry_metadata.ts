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

/** Name of an sRGB profile: starts with sRGB, or is `c2`; other names only mention it. */
const isSrgbName = (name: string): boolean => /^(sRGB|c2$)/.test(name);

/** An image made from another one. */
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

/** Formats with sRGB colours that libvips does not open here. */
const NOT_OPENED: ReadonlySet<Container> = new Set<Container>(['ico', 'pdf']);

/**
 * Copies the metadata of an image into a result made from it, and reports on each block. Encoded pixels stay byte-identical; without metadata to
 * copy, so does the file.
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

/**
 * Writes the rights and origin of images into a new file that shows them. Without any, or if the format does not support them, the file is unchanged.
 */
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

/** Reports on the source's profile. Returns whether the result is in sRGB. */
async function tellProfile(
  { icc, exif, properties }: Source,
  { bytes }: Result,
  account: Account,
): Promise<boolean> {
  // For most images, nothing depends on it.
  if (!icc && !exif && properties.length === 0) return true;
  const { icc: own, space } = await sharp(bytes, { limitInputPixels: false }).metadata();
  const name = own ? profileName(own) : 'sRGB';
  if (icc && own && Buffer.compare(own, icc) === 0) account.kept.add('icc');
  else if (icc && !own && isSrgbName(profileName(icc)))
    account.changed.set('icc', 'omitted: colours without a profile are sRGB');
  else if (icc && !isWholeProfile(icc))
    account.changed.set('icc', `the profile is damaged: colours may have been read as ${name}`);
  else if (icc) account.changed.set('icc', `colours were converted from ${profileName(icc)} to ${name}`);
  return space !== 'cmyk' && isSrgbName(name);
}

interface Size {
  readonly width: number;
  readonly height: number;
}

/** The gain map of an image, rotated and cropped like its result; undefined if unsupported or no longer applicable. */
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
  else account.changed.set('gain_map', 'rotated and cropped like the image');
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
  if (wish.shows === 'edited') return 'it belongs to the image before the edit';
  if (container !== 'jpeg') return `only JPEG supports it, and this is ${container}`;
  // The memory budget of this call covers only the image, so nothing larger is decoded.
  const channels = await sharp(bytes, { limitInputPixels: pixelsMax })
    .stats()
    .then((stats) => stats.channels.length)
    .catch(() => 0);
  if (channels === 0) return 'it cannot be decoded, or is larger than its image';
  const isConverted = icc && !isSrgbName(profileName(icc));
  if (channels > 1 && isConverted) return 'its three channels refer to the original colour profile';
  return undefined;
}

/** The part of the upright source that the result shows, as fractions of its sides. */
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

/** The container for a content type. */
const containerOf = (contentType: string): Container => CONTAINERS[contentType]!;

/** Inserts XMP into the `metadata` element of an SVG made here. SVG 2, 5.9 */
export function writeSvgMetadata(bytes: Uint8Array, { properties }: NewPackets): Buffer {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const start = file.indexOf('>') + 1;
  const metadata = Buffer.from(`<metadata>${xmpElement(properties)}</metadata>`);
  return Buffer.concat([file.subarray(0, start), metadata, file.subarray(start)]);
}
