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
  /** The image as stored, before its orientation is applied. */
  readonly header: PictureHeader;
  /** Blocks the fields were written into. */
  readonly blocks: readonly ('xmp' | 'iptc_iim' | 'exif')[];
  /** Fields truncated in IPTC-IIM; complete in XMP. */
  readonly shortened: readonly FieldName[];
  /** The file had a C2PA manifest, embedded or referenced. It described the old bytes and was removed. */
  readonly droppedManifest: boolean;
  /** Other notes for the client, as sentences. */
  readonly notes: readonly string[];
}

interface WriteOptions {
  /** The file that this upright sRGB version was made from; its metadata is kept. */
  readonly original?: Uint8Array | undefined;
  /** Properties to remove even if nothing replaces them, by qualified name. */
  readonly withdrawn?: readonly string[];
}

/**
 * Writes fields into a PNG, JPEG, WebP or TIFF file according to the IPTC Photo Metadata Standard. Encoded pixels stay byte-identical, and all other
 * readable metadata is kept. `properties` are additional XMP properties.
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

/** Replaces old properties by added ones; of duplicate old ones, the first is kept. */
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

/** IIM is written to JPEG and TIFF, and to a PNG that already has it, so that no outdated titles remain. */
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
      ? 'Exif: there is no space left in it, so it was not changed'
      : 'Exif: it is damaged, so it was not changed',
  );
  return undefined;
}

/** Rejects formats that cannot hold metadata here, and files without pixels after their header. */
function refuseWithoutPicture(bytes: Uint8Array, { format }: PictureHeader): void {
  const has = HAS_PICTURE[format];
  if (!has) {
    throw new EngineError(
      'unsupported_image',
      `Metadata is written into PNG, JPEG, WebP and TIFF files; this one is ${format.toUpperCase()}. Convert it first: convert_image writes them.`,
    );
  }
  if (!has(bytes)) throw brokenPicture('the file ends before its first pixel');
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
  /** The label drawn into the pixels. */
  readonly label?: AiLabel;
  /** The file before its pixels were watermarked; its metadata is kept. */
  readonly original?: Uint8Array;
}

export interface InfusedPicture extends WrittenMetadata {
  /** Whether the file had a codex, which was replaced. */
  readonly replacedCodex: boolean;
  readonly engine: { name: string; version: string };
}

const ENGINE = { name: 'atelier-metadata', version: '1' } as const;

/** `writeMetadata` with optional codex and soulmark, policy, origin and label. @throws EngineError like `writeMetadata` */
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

/** Reports the removal of an AI marking: measure 1.2 of the EU code of practice. */
function lostMark(
  before: MetadataFields | undefined,
  { digital_source_type: now }: MetadataFields,
): string[] {
  const was = before?.digital_source_type;
  if (was === undefined || now === undefined || !isAiSource(was) || isAiSource(now)) return [];
  return [
    `The file was marked as AI-generated (${was}). It is now marked as ${now}. To restore the marking, send ${was} again.`,
  ];
}

/** Properties about machine use. They are replaced together, so that no contradiction remains. */
export const USE_PROPERTIES = [
  'plus:DataMining',
  'plus:OtherConstraints',
  'tdm:reservation',
  'tdm:policy',
  'rsl:rsl',
] as const;

/** A policy as XMP properties: those that are not fields of `MetadataFields`. */
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

/** One element per term, because drafts of RSL and RSL 1.0 use different separators. */
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
