import type { NewPackets } from '../containers/new_packets.ts';
import { PLACES } from '../fields.ts';
import { METADATA_PROBLEMS_MAX } from '../limits.ts';
import { DIGITAL_SOURCE_TYPE_URL } from '../vocabularies.ts';
import { textProperty } from '../xmp/make_property.ts';
import { qualifiedName } from '../xmp/namespaces.ts';
import type { XmlElement } from '../xmp/parse_xml.ts';
import type { Account, CarryWish } from './carried.ts';
import { carriedExif, hasThumbnail } from './carried_exif.ts';
import { carriedIim } from './carried_iim.ts';
import { carriedProperties } from './carried_properties.ts';
import { type Container, hasPlaceFor } from './containers.ts';
import { movedFields } from './moved_fields.ts';
import type { Source } from './read_source.ts';

export interface Choosing {
  /** The picture as it was sent. */
  readonly from: Uint8Array;
  readonly result: { readonly width: number; readonly height: number; readonly isSrgb: boolean };
  readonly wish: CarryWish;
  readonly container: Container;
  readonly account: Account;
  /** Makes a thumbnail of the result, where there was one. */
  readonly thumbnail?: () => Promise<Uint8Array | undefined>;
}

/** The blocks of a picture's metadata that go over to its result, put right for it. */
export async function choosePackets(source: Source, choosing: Choosing): Promise<NewPackets> {
  const { from, result, wish, container, account } = choosing;
  for (const [what, why] of Object.entries(source.others)) account.dropped.set(what, why);
  if (source.problems.length > 0)
    account.dropped.set('damaged', source.problems.slice(0, METADATA_PROBLEMS_MAX).join('; '));
  if (wish.keep === 'none') {
    tellNothing(source, account);
    return { properties: sourceTypeOf([], wish, account) };
  }
  const carried = carriedProperties(source.properties, wish, { target: result, account });
  const iim = source.iim && carriedIim(source.iim, wish.keep, account);
  const exif = source.exif && (await exifFor(source.exif, choosing));
  const moved = movedFields(source, { from, keep: wish.keep, container, carried, iim, account });
  const properties = [...carried, ...moved];
  const texts = wish.keep === 'all' && hasPlaceFor(container, 'texts') ? source.texts : undefined;
  if (texts) account.kept.add('png_text');
  return {
    properties: [...properties, ...sourceTypeOf(properties, wish, account), ...parentOf(source, account)],
    ...(iim && hasPlaceFor(container, 'iim') && { iim }),
    ...(exif && { exif }),
    ...(texts && { texts }),
  };
}

async function exifFor(
  exif: Uint8Array,
  { result, wish, container, account, thumbnail }: Choosing,
): Promise<Buffer | undefined> {
  if (!hasPlaceFor(container, 'exif')) {
    account.dropped.set('exif', `what a camera noted is not written into ${container}; its texts are in XMP`);
    return undefined;
  }
  const isWanted = wish.keep === 'all' && hasThumbnail(exif);
  const target = { ...result, dpi: wish.dpi, thumbnail: isWanted ? await thumbnail?.() : undefined };
  return carriedExif(exif, wish, { target, account });
}

function sourceTypeOf(
  properties: readonly XmlElement[],
  { sourceType }: CarryWish,
  account: Account,
): XmlElement[] {
  const { xmp } = PLACES.digital_source_type;
  if (sourceType === undefined || properties.some((property) => qualifiedName(property) === xmp)) return [];
  account.changed.set('digital_source_type', `set to ${sourceType}: a network made these pixels`);
  return [textProperty(xmp, DIGITAL_SOURCE_TYPE_URL + sourceType)];
}

/** A manifest signs the file it is in; of the new one it would be wrong. */
function parentOf({ manifest }: Source, account: Account): XmlElement[] {
  if (!manifest) return [];
  const { sha256, isInside } = manifest;
  account.dropped.set(
    'c2pa',
    `the manifest signs the file as it was; ${sha256 ? `its sha256 ${sha256} is kept in XMP` : isInside ? 'there is more than one' : 'it lies elsewhere'}`,
  );
  return sha256 ? [textProperty('atelier:ParentManifestSha256', sha256)] : [];
}

function tellNothing(source: Source, account: Account): void {
  const blocks = {
    xmp: source.properties.length > 0,
    iptc_iim: source.iim !== undefined,
    exif: source.exif !== undefined,
    png_text: source.texts !== undefined,
    c2pa: source.manifest !== undefined,
  };
  for (const [what, isThere] of Object.entries(blocks))
    if (isThere) account.dropped.set(what, 'keep is "none"');
}
