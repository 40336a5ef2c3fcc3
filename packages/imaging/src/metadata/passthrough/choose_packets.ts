import type { NewPackets } from '../containers/new_packets.ts';
import { type FieldName, type MetadataFields, PLACES } from '../fields.ts';
import { iimTexts, readIim } from '../iim/read_iim.ts';
import { encodeIim } from '../iim/write_iim.ts';
import { METADATA_PROBLEMS_MAX } from '../limits.ts';
import { newProperties } from '../new_properties.ts';
import { readMetadata } from '../read_metadata.ts';
import { isAiSource } from '../rights/origin.ts';
import { DIGITAL_SOURCE_TYPE_URL } from '../vocabularies.ts';
import { listProperty, textProperty } from '../xmp/make_property.ts';
import { qualifiedName } from '../xmp/namespaces.ts';
import type { XmlElement } from '../xmp/parse_xml.ts';
import { type Account, type CarryWish, type Keep, NOT_RIGHTS } from './carried.ts';
import { carriedExif, hasThumbnail } from './carried_exif.ts';
import { withIngredients } from './ingredients.ts';
import type { Source } from './read_source.ts';

/** Containers of results. */
export type Container = 'png' | 'jpeg' | 'webp' | 'avif' | 'gif' | 'tiff' | 'svg' | 'pdf' | 'ico';

type Block = 'iim' | 'exif' | 'texts';

/** Blocks supported in each container, besides XMP, which all support except icons. */
const PLACES_IN: Readonly<Record<Container, readonly Block[]>> = {
  png: ['iim', 'exif', 'texts'],
  jpeg: ['iim', 'exif'],
  webp: ['exif'],
  avif: ['exif'],
  gif: [],
  tiff: ['iim'],
  svg: [],
  pdf: [],
  ico: [],
};
const HAS_NO_PLACE: ReadonlySet<Container> = new Set<Container>(['ico']);

const hasPlaceFor = (container: Container, block: Block): boolean => PLACES_IN[container].includes(block);

/** XMP properties for IIM texts without a field in `PLACES`. IPTC Photo Metadata Standard 2025.1; those of categories are Photoshop's. */
const NAMES: Readonly<Record<string, readonly [xmp: string, isList?: true]>> = {
  '2:04': ['Iptc4xmpCore:IntellectualGenre'],
  '2:10': ['photoshop:Urgency'],
  '2:12': ['Iptc4xmpCore:SubjectCode', true],
  '2:15': ['photoshop:Category'],
  '2:20': ['photoshop:SupplementalCategories', true],
  '2:40': ['photoshop:Instructions'],
  '2:85': ['photoshop:AuthorsPosition'],
  '2:90': ['photoshop:City'],
  '2:92': ['Iptc4xmpCore:Location'],
  '2:95': ['photoshop:State'],
  '2:100': ['Iptc4xmpCore:CountryCode'],
  '2:101': ['photoshop:Country'],
  '2:103': ['photoshop:TransmissionReference'],
  '2:105': ['photoshop:Headline'],
  '2:115': ['photoshop:Source'],
  '2:122': ['photoshop:CaptionWriter'],
};
const OWN_FIELDS = new Set(Object.values(PLACES).flatMap(({ iim }) => (iim ? [iim[0]] : [])));

/**
 * Converts the texts of an IPTC-IIM block without an Atelier field to XMP properties, and lists those without an XMP property.
 * @param has names of existing properties, which take precedence
 */
function iimAsXmp(
  iim: Uint8Array,
  has: ReadonlySet<string>,
): { properties: XmlElement[]; nameless: string[] } {
  const texts = Object.entries(iimTexts(readIim(iim)));
  const properties = texts.flatMap(([number, values]) => {
    const [xmp, isList] = NAMES[number] ?? [];
    if (!xmp || has.has(xmp)) return [];
    return [isList ? listProperty(xmp, 'rdf:Bag', values) : textProperty(xmp, values[0]!)];
  });
  const nameless = texts
    .map(([number]) => number)
    .filter((number) => !NAMES[number] && !OWN_FIELDS.has(number));
  return { properties, nameless };
}

interface Moving {
  /** The image as sent by the client. */
  readonly from: Uint8Array;
  readonly keep: Keep;
  readonly container: Container;
  /** XMP that is copied anyway and takes precedence. */
  readonly carried: readonly XmlElement[];
  /** IPTC-IIM that would be copied. */
  readonly iim: Uint8Array | undefined;
  readonly account: Account;
}

/** Fields of blocks that the container does not support, as XMP. */
function movedFields(
  { texts, exif }: Pick<Source, 'texts' | 'exif'>,
  { from, keep, container, carried, iim, account }: Moving,
): XmlElement[] {
  const lacks = (block: Parameters<typeof hasPlaceFor>[1]) => !hasPlaceFor(container, block);
  const lost = {
    iim: lacks('iim') ? iim : undefined,
    texts: lacks('texts') ? texts : undefined,
    exif: lacks('exif') ? exif : undefined,
  };
  if (!lost.iim && !lost.texts && !lost.exif) return [];
  const names = new Set(carried.map(qualifiedName));
  const fields = Object.entries(readMetadata(from).fields).filter(
    ([name]) =>
      !names.has(PLACES[name as FieldName].xmp) &&
      (keep === 'all' || MOVED_FIELDS_RIGHTS.has(name as FieldName)),
  );
  const own = Object.fromEntries(fields) as MetadataFields;
  const year = own.creation_year && dateOf(own.creation_year);
  return [
    ...newProperties({ ...own, ...(year && { creation_year: year }) }),
    ...(lost.iim ? fromIim(lost.iim, { names, container, account }) : []),
    ...(lost.texts ? fromTexts(lost.texts, { names, keep, container, account }) : []),
  ];
}

/** Converts an IIM date (eight digits, zeros for unknown parts) to XMP, which omits unknown parts. */
const dateOf = (text: string): string => {
  const [, year, month, day] = /^(\d{4})(\d\d)(\d\d)$/.exec(text) ?? [];
  if (!year) return text;
  return [year, month, day].filter((part) => part !== '00').join('-');
};

interface Told extends Pick<Moving, 'container' | 'account'> {
  /** Names of existing properties. */
  readonly names: ReadonlySet<string>;
}

function fromIim(iim: Uint8Array, { names, container, account }: Told): XmlElement[] {
  const { properties, nameless } = iimAsXmp(iim, names);
  account.kept.delete('iptc_iim');
  account.changed.set('iptc_iim', `${container} does not support it: its fields are in XMP`);
  if (nameless.length > 0)
    account.dropped.set(
      'iptc_iim.others',
      `XMP has no property for ${nameless.slice(0, NAMED_MAX).join(', ')}`,
    );
  return properties;
}

function fromTexts(
  texts: Readonly<Record<string, string>>,
  { names, keep, container, account }: Told & { keep: Keep },
): XmlElement[] {
  const others = Object.entries(texts).filter(([keyword]) => !KEYWORDS.has(keyword));
  const prompt =
    keep === 'all' && !names.has(PLACES.ai_prompt.xmp)
      ? others.find(([keyword]) => PROMPT_KEYWORDS.includes(keyword))
      : undefined;
  const lost = others.filter((text) => text !== prompt).map(([keyword]) => keyword);
  if (Object.keys(texts).length > lost.length)
    account.changed.set('png_text', `${container} does not support it: it is in XMP`);
  if (lost.length > 0)
    account.dropped.set(
      'png_text',
      `${container} does not support ${lost.slice(0, NAMED_MAX).join(', ').slice(0, 200)}`,
    );
  return prompt ? [textProperty(PLACES.ai_prompt.xmp, prompt[1])] : [];
}

/** Maximum number of dropped items named in one response. */
const NAMED_MAX = 10;
const MOVED_FIELDS_RIGHTS: ReadonlySet<FieldName> = new Set<FieldName>([
  ...(['creator', 'copyright_notice', 'copyright_holder', 'credit', 'usage_terms', 'rights_url'] as const),
  ...(['digital_source_type', 'data_mining', 'data_mining_constraints'] as const),
  ...(['ai_system', 'ai_system_version'] as const),
]);
const KEYWORDS = new Set(Object.values(PLACES).flatMap(({ png }) => (png ? [png] : [])));
/** Keywords under which generators store their prompt. */
const PROMPT_KEYWORDS = ['parameters', 'prompt', 'Dream', 'invokeai_metadata'];

/** Properties about ownership, permitted use, and AI involvement. */
const CARRIED_PROPERTIES_RIGHTS = new RegExp(
  `^(${[
    'dc:rights',
    'dc:creator',
    'xmpRights:\\w+',
    'plus:\\w+',
    'dcterms:(license|rights|rightsHolder)',
    'photoshop:(Credit|Source|AuthorsPosition)',
    'Iptc4xmpCore:CreatorContactInfo',
    'Iptc4xmpExt:(DigitalSourceType|DigitalSourceFileType|AI\\w+|ArtworkOrObject|Contributor)',
    '\\{http://creativecommons\\.org/ns#\\}\\w+',
    '(rsl|tdm):[\\w-]+',
  ].join('|')})$`,
);

/** Position of the camera. Depicted places (city, country, LocationShown) are content and are kept. */
const LOCATION = /^(exif:GPS\w+|Iptc4xmpExt:LocationCreated)$/;

/** Properties of the old file that do not apply to the new one. */
const OUTDATED: readonly (readonly [pattern: RegExp, what: string, why: string])[] = [
  [/^xmp:Thumbnails$/, 'xmp.thumbnails', 'they show the original image'],
  [
    /^\{http:\/\/ns\.google\.com\/photos\/1\.0\/(depthmap|image|audio|camera)\/\}/,
    'xmp.phone_extras',
    'depth, sound and motion are stored after the original image',
  ],
  [
    /^\{http:\/\/ns\.google\.com\/photos\/1\.0\/container\/\}|^\{http:\/\/ns\.adobe\.com\/hdr-gain-map\/1\.0\/\}|^\{http:\/\/ns\.apple\.com\/HDRGainMap\/1\.0\/\}/,
    '',
    '',
  ],
  [/^(photoshop:(ICCProfile|ColorMode)|dcterms:provenance|xmpNote:HasExtendedXMP)$/, '', ''],
];

interface Target {
  readonly width: number;
  readonly height: number;
  readonly isSrgb: boolean;
}

/** The XMP properties to copy, with size and orientation updated. Of duplicates, the first counts. */
function carriedProperties(
  properties: readonly XmlElement[],
  { keep, keepLocation }: Pick<CarryWish, 'keep' | 'keepLocation'>,
  { target, account }: { target: Target; account: Account },
): XmlElement[] {
  const rewritten = sizeOf(target);
  const seen = new Set<string>();
  let others = 0;
  const carried = properties.flatMap((property) => {
    const name = qualifiedName(property);
    if (seen.has(name)) return [];
    seen.add(name);
    const outdated = OUTDATED.find(([pattern]) => pattern.test(name));
    if (outdated) {
      if (outdated[1]) account.dropped.set(outdated[1], outdated[2]);
      return [];
    }
    if (LOCATION.test(name) && !keepLocation) {
      account.dropped.set('xmp.location', 'the place of creation is kept only with keep_location');
      return [];
    }
    if (keep === 'rights' && !CARRIED_PROPERTIES_RIGHTS.test(name)) {
      others += 1;
      return [];
    }
    const value = rewritten[name];
    return value === undefined ? [property] : [textProperty(name, value)];
  });
  if (others > 0) account.dropped.set('xmp', `${NOT_RIGHTS}: ${others} other properties went`);
  if (carried.length > 0) account.kept.add('xmp');
  return carried;
}

const sizeOf = ({ width, height, isSrgb }: Target): Readonly<Record<string, string>> => ({
  'tiff:Orientation': '1',
  'tiff:ImageWidth': String(width),
  'tiff:ImageLength': String(height),
  'exif:PixelXDimension': String(width),
  'exif:PixelYDimension': String(height),
  'exif:ColorSpace': isSrgb ? '1' : '65535',
});

/** Version, character set, By-line and its title, Credit, Source, Copyright Notice. IIM 4.2, chapter 6. */
const RIGHTS = new Set(['1:90', '2:0', '2:80', '2:85', '2:110', '2:115', '2:116']);

/** The IPTC-IIM datasets to copy, unchanged. */
function carriedIim(iim: Uint8Array, keep: Keep, account: Account): Buffer | undefined {
  const datasets = readIim(iim);
  const kept =
    keep === 'all' ? datasets : datasets.filter(({ record, number }) => RIGHTS.has(`${record}:${number}`));
  if (kept.length < datasets.length)
    account.dropped.set('iptc_iim', `${NOT_RIGHTS}: ${datasets.length - kept.length} other datasets went`);
  if (!kept.some(({ record, number }) => record === 2 && number > 0)) return undefined;
  account.kept.add('iptc_iim');
  return encodeIim(kept);
}

export interface Choosing {
  /** The image as sent by the client. */
  readonly from: Uint8Array;
  readonly result: { readonly width: number; readonly height: number; readonly isSrgb: boolean };
  readonly wish: CarryWish;
  readonly container: Container;
  readonly account: Account;
  /** Makes a thumbnail of the result, if the source has one. */
  readonly thumbnail?: () => Promise<Uint8Array | undefined>;
}

/** Selects the metadata blocks to copy and adapts them to the result. */
export async function choosePackets(source: Source, choosing: Choosing): Promise<NewPackets> {
  const { from, result, wish, container, account } = choosing;
  for (const [what, why] of Object.entries(source.others)) account.dropped.set(what, why);
  if (source.problems.length > 0)
    account.dropped.set('damaged', source.problems.slice(0, METADATA_PROBLEMS_MAX).join('; '));
  if (HAS_NO_PLACE.has(container)) {
    tellNothing(source, account, `${container} does not support it`);
    return { properties: [] };
  }
  if (wish.keep === 'none') {
    tellNothing(source, account, 'keep is "none"');
    const ofAi = (wish.ingredients ?? []).filter(({ isAi }) => isAi);
    return { properties: withIngredients(sourceTypeOf([], wish, account), ofAi) };
  }
  const carried = carriedProperties(source.properties, wish, { target: result, account });
  const iim = source.iim && carriedIim(source.iim, wish.keep, account);
  const exif = source.exif && (await exifFor(source.exif, choosing));
  const moved = movedFields(source, { from, keep: wish.keep, container, carried, iim, account });
  const properties = withoutWeaker([...carried, ...moved], { from, wish });
  const texts = wish.keep === 'all' && hasPlaceFor(container, 'texts') ? source.texts : undefined;
  if (texts) account.kept.add('png_text');
  const own = [...properties, ...sourceTypeOf(properties, wish, account), ...parentOf(source, account)];
  return {
    properties: withIngredients(own, wish.ingredients ?? []),
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
    account.dropped.set('exif', `camera data is not written to ${container}; its texts are in XMP`);
    return undefined;
  }
  const isWanted = wish.keep === 'all' && hasThumbnail(exif);
  const target = { ...result, dpi: wish.dpi, thumbnail: isWanted ? await thumbnail?.() : undefined };
  return carriedExif(exif, wish, { target, account });
}

const isSourceType = (property: XmlElement): boolean =>
  qualifiedName(property) === PLACES.digital_source_type.xmp;

/** Resolves the digital source type: AI takes precedence over a camera's statement. */
function withoutWeaker(
  properties: readonly XmlElement[],
  { from, wish }: Pick<Choosing, 'from' | 'wish'>,
): readonly XmlElement[] {
  if (wish.sourceType === undefined || !isAiSource(wish.sourceType)) return properties;
  const stated = readMetadata(from).fields.digital_source_type?.split('/').at(-1);
  if (stated === undefined || isAiSource(stated)) return properties;
  return properties.filter((property) => !isSourceType(property));
}

function sourceTypeOf(
  properties: readonly XmlElement[],
  { sourceType }: CarryWish,
  account: Account,
): XmlElement[] {
  if (sourceType === undefined || properties.some(isSourceType)) return [];
  const { xmp } = PLACES.digital_source_type;
  account.changed.set('digital_source_type', `set to ${sourceType}: a model generated these pixels`);
  return [textProperty(xmp, DIGITAL_SOURCE_TYPE_URL + sourceType)];
}

/** A manifest signs its own file and would be invalid in the new one; its hash is recorded instead. */
function parentOf({ manifest }: Source, account: Account): XmlElement[] {
  if (!manifest) return [];
  const { sha256, isInside } = manifest;
  account.dropped.set(
    'c2pa',
    `the manifest signs the original file; ${sha256 ? `its sha256 ${sha256} is kept in XMP` : isInside ? 'there is more than one' : 'it is stored elsewhere'}`,
  );
  return sha256 ? [textProperty('atelier:ParentManifestSha256', sha256)] : [];
}

function tellNothing(source: Source, account: Account, why: string): void {
  const blocks = {
    xmp: source.properties.length > 0,
    iptc_iim: source.iim !== undefined,
    exif: source.exif !== undefined,
    png_text: source.texts !== undefined,
    c2pa: source.manifest !== undefined,
  };
  for (const [what, isThere] of Object.entries(blocks)) if (isThere) account.dropped.set(what, why);
}
