import { brokenPicture } from '../codecs/headers/header.ts';
import { type PictureHeader, readHeader } from '../codecs/read_header.ts';
import { EngineError } from '../errors/engine_error.ts';
import { pngChunks } from '../pixels/png_chunks.ts';
import { jpegSegments } from './containers/jpeg_segments.ts';
import type { NewPackets } from './containers/new_packets.ts';
import type { Packets } from './containers/packets.ts';
import { riffChunks } from './containers/riff_chunks.ts';
import { fitsSegment } from './containers/write_jpeg.ts';
import { writePackets } from './containers/write_packets.ts';
import type { FieldName, MetadataFields } from './fields.ts';
import { writeIim } from './iim/write_iim.ts';
import { newExifChanges, newIimTexts, newProperties } from './new_properties.ts';
import { readMetadata, readPackets, readProperties } from './read_metadata.ts';
import { type AiLabel, labelProperties } from './rights/ai_label.ts';
import { type AiOrigin, isAiSource, originProperties } from './rights/origin.ts';
import type { RightsPolicy, RslLicence } from './rights/policy.ts';
import { EMPTY_EXIF, editIfd, type IfdChange, ORIENTATION_TAG } from './tiff/ifd.ts';
import { element, structureProperty, textProperty } from './xmp/make_property.ts';
import { qualifiedName } from './xmp/namespaces.ts';
import type { XmlElement } from './xmp/parse_xml.ts';

interface WrittenMetadata {
  readonly bytes: Uint8Array;
  /** The picture as it is stored, before any orientation. */
  readonly header: PictureHeader;
  /** Blocks the fields were written into. */
  readonly blocks: readonly ('xmp' | 'iptc_iim' | 'exif')[];
  /** Fields IPTC-IIM has less room for than they take; whole in XMP. */
  readonly shortened: readonly FieldName[];
  /** The file had a C2PA manifest, inside or named in XMP. It told of the old bytes, so it was taken out. */
  readonly droppedManifest: boolean;
  /** What else the caller should know, in words for a person. */
  readonly notes: readonly string[];
}

interface WriteOptions {
  /** The file this one was made of, upright and in sRGB: what it carried is kept. */
  readonly original?: Uint8Array | undefined;
  /** Old properties, by qualified name, that go though nothing takes their place. */
  readonly withdrawn?: readonly string[];
}

/**
 * Writes fields into a PNG, JPEG, WebP or TIFF file by the IPTC Photo Metadata Standard. The coded pixels stay byte for
 * byte, and so does every other piece of metadata that can be read. `properties` are further XMP properties.
 * @throws EngineError unsupported_image, undecodable_image, image_too_large
 */
export function writeMetadata(
  bytes: Uint8Array,
  fields: MetadataFields,
  properties: readonly XmlElement[] = [],
  { original, withdrawn = [] }: WriteOptions = {},
): WrittenMetadata {
  const header = readHeader(bytes);
  refuseWithoutPicture(bytes, header);
  const packets = readPackets(original ?? bytes);
  const notes: string[] = [];
  const old = readProperties(packets, notes).filter(
    (property) => !withdrawn.includes(qualifiedName(property)),
  );
  const added = [...newProperties(fields), ...properties];
  const { iim, shortened } = iimOf(header, packets, fields);
  const changes = newExifChanges(fields);
  const exif = exifOf(header, packets, { changes, notes, isAnew: original !== undefined });
  const metadata: NewPackets = {
    properties: mergeProperties(old, added),
    ...(iim && { iim }),
    ...(exif && { exif }),
  };
  const written = writePackets(bytes, header, metadata, changes);
  return {
    bytes: written,
    header,
    blocks: [
      'xmp',
      ...(iim ? (['iptc_iim'] as const) : []),
      ...(changes.length > 0 && (exif || header.format === 'tiff') ? (['exif'] as const) : []),
    ],
    shortened,
    droppedManifest: packets.hasManifest || old.some(isManifestLink),
    notes,
  };
}

/** Added properties take the place of old ones; where an old one is there twice, the first stays. */
function mergeProperties(old: readonly XmlElement[], added: readonly XmlElement[]): XmlElement[] {
  const seen = new Set(added.map(qualifiedName));
  const kept = old.filter((property) => {
    const name = qualifiedName(property);
    if (seen.has(name) || isManifestLink(property) || name === 'xmpNote:HasExtendedXMP') return false;
    seen.add(name);
    return true;
  });
  return [...kept, ...added];
}

const isManifestLink = (property: XmlElement): boolean => qualifiedName(property) === 'dcterms:provenance';

/** JPEG and TIFF have a place for IIM; a PNG may carry it all the same, and then it must not tell of old titles. */
function iimOf({ format }: PictureHeader, packets: Packets, fields: MetadataFields) {
  const texts = newIimTexts(fields);
  const hasPlace = format === 'jpeg' || format === 'tiff' || (format === 'png' && packets.iim !== undefined);
  if (!hasPlace || (texts.length === 0 && !packets.iim)) return { shortened: [] };
  const { block, shortened } = writeIim(packets.iim, texts);
  return {
    iim: block,
    shortened: texts.filter(({ name }) => shortened.includes(name)).map(({ field }) => field),
  };
}

function exifOf(
  { format }: PictureHeader,
  packets: Packets,
  { changes, notes, isAnew }: { changes: readonly IfdChange[]; notes: string[]; isAnew: boolean },
): Buffer | undefined {
  if (format === 'tiff' || (changes.length === 0 && !(isAnew && packets.exif))) return undefined;
  const upright = isAnew ? [...changes, { tag: ORIENTATION_TAG, type: 2 as const }] : changes;
  const exif = editIfd(packets.exif ?? EMPTY_EXIF, upright);
  if (exif && (format !== 'jpeg' || fitsSegment(exif))) return exif;
  notes.push(
    exif
      ? 'Exif: there is no room left in it, so it was left as it was'
      : 'Exif: it is damaged, so it was left as it was',
  );
  return undefined;
}

/** Only what has a picture behind its header is worth writing into. */
function refuseWithoutPicture(bytes: Uint8Array, { format }: PictureHeader): void {
  const has = HAS_PICTURE[format];
  if (!has) {
    throw new EngineError(
      'unsupported_image',
      `Metadata is written into PNG, JPEG, WebP and TIFF files; this one is ${format.toUpperCase()}. Convert it first: convert_image writes them.`,
    );
  }
  if (!has(bytes)) throw brokenPicture('the file is cut off before its first pixel');
}

const HAS_PICTURE: Partial<Record<string, (bytes: Uint8Array) => boolean>> = {
  png: (bytes) => pngChunks(bytes).chunks.some(({ type }) => type === 'IDAT'),
  jpeg: (bytes) => {
    const { rest } = jpegSegments(bytes);
    return bytes[rest] === 0xff && bytes.indexOf(0xda, rest) > 0;
  },
  webp: (bytes) => riffChunks(bytes).chunks.some(({ type }) => ['VP8 ', 'VP8L', 'ANMF'].includes(type)),
  tiff: () => true,
};

export interface InfuseRequest {
  readonly bytes: Uint8Array;
  readonly fields: MetadataFields;
  /** Packed as `packCodex` does, and the soulmark that signs it. */
  readonly codex?: { readonly packed: string; readonly soulmark: string };
  readonly policy?: RightsPolicy;
  readonly origin?: AiOrigin;
  /** Drawn in the pixels. */
  readonly label?: AiLabel;
  /** The file as it was before its pixels were marked; its metadata is kept. */
  readonly original?: Uint8Array;
}

export interface InfusedPicture extends WrittenMetadata {
  /** The file carried a codex of its own, which this one took the place of. */
  readonly replacedCodex: boolean;
  readonly engine: { name: string; version: string };
}

const ENGINE = { name: 'atelier-metadata', version: '1' } as const;

/** `writeMetadata`, with codex and soulmark, policy and origin where there are any. @throws EngineError as that does */
export function infuse({
  bytes,
  fields,
  codex,
  policy,
  origin,
  label,
  original,
}: InfuseRequest): InfusedPicture {
  const properties = [
    ...(codex
      ? [textProperty('atelier:Codex', codex.packed), textProperty('atelier:Soulmark', codex.soulmark)]
      : []),
    ...(policy ? policyProperties(policy) : []),
    ...(origin ? originProperties(origin) : []),
    ...(label ? labelProperties(label) : []),
  ];
  const withdrawn = policy?.replacesUse ? USE_PROPERTIES : [];
  const written = writeMetadata(bytes, fields, properties, { original, withdrawn });
  const before = codex || fields.digital_source_type ? readMetadata(original ?? bytes) : undefined;
  const replacedCodex = codex !== undefined && before !== undefined && 'atelier:Codex' in before.xmp;
  const notes = [...written.notes, ...lostMark(before?.fields, fields)];
  return { ...written, notes, replacedCodex, engine: ENGINE };
}

/** That a machine made a picture is not to be taken back unseen: measure 1.2 of the EU code of practice. */
function lostMark(
  before: MetadataFields | undefined,
  { digital_source_type: now }: MetadataFields,
): string[] {
  const was = before?.digital_source_type;
  if (was === undefined || now === undefined || !isAiSource(was) || isAiSource(now)) return [];
  return [
    `The file said that AI made it (${was}). It says ${now} now; send ${was} again if that was no mistake.`,
  ];
}

/** Properties that speak about machines. They are replaced together, so that none is left to contradict the others. */
export const USE_PROPERTIES = [
  'plus:DataMining',
  'plus:OtherConstraints',
  'tdm:reservation',
  'tdm:policy',
  'rsl:rsl',
] as const;

/** A policy as XMP properties: those that are no fields of `MetadataFields`. */
export function policyProperties({ licensor, tdm, rsl }: RightsPolicy): XmlElement[] {
  return [
    ...(licensor ? [structureProperty('plus:Licensor', licensorParts(licensor))] : []),
    ...(tdm ? [textProperty('tdm:reservation', String(tdm.reservation))] : []),
    ...(tdm?.policy ? [textProperty('tdm:policy', tdm.policy)] : []),
    ...(rsl ? [licenceElement(rsl)] : []),
  ];
}

function licensorParts({ name, email, url }: NonNullable<RightsPolicy['licensor']>): Record<string, string> {
  return {
    ...(name && { 'plus:LicensorName': name }),
    ...(email && { 'plus:LicensorEmail': email }),
    ...(url && { 'plus:LicensorURL': url }),
  };
}

/** One term in an element, as drafts and RSL 1.0 part several by different signs. */
function licenceElement({ url, permits, prohibits, holder, terms }: RslLicence): XmlElement {
  const usage = (name: string) => (term: string) =>
    element(name, { text: term, attributes: [plainAttribute('type', 'usage')] });
  const license = element('rsl:license', {
    children: [...permits.map(usage('rsl:permits')), ...prohibits.map(usage('rsl:prohibits'))],
  });
  const content = element('rsl:content', {
    attributes: [plainAttribute('url', url)],
    children: [
      license,
      ...(holder ? [element('rsl:copyright', { text: holder })] : []),
      ...(terms ? [element('rsl:terms', { text: terms })] : []),
    ],
  });
  return element('rsl:rsl', { children: [content] });
}

const plainAttribute = (name: string, value: string) => ({ uri: '', name, prefix: '', value });
