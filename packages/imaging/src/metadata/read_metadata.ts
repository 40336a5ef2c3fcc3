import { identify, type PictureFormat } from '../codecs/identify.ts';
import type { Packets } from './containers/packets.ts';
import { nothingFound } from './containers/packets.ts';
import { readJpeg } from './containers/read_jpeg.ts';
import { readPng } from './containers/read_png.ts';
import { readTiff } from './containers/read_tiff.ts';
import { readWebp } from './containers/read_webp.ts';
import type { MetadataFields } from './fields.ts';
import { iimTexts, readIim } from './iim/read_iim.ts';
import { METADATA_PROBLEMS_MAX, XMP_BYTES_MAX } from './limits.ts';
import { readFields } from './read_fields.ts';
import { type AiLabel, readLabel } from './rights/ai_label.ts';
import { type AiOrigin, readImageId, readOrigin } from './rights/origin.ts';
import type { PolicyStatement } from './rights/policy.ts';
import { readPolicy } from './rights/read_policy.ts';
import { ARTIST_TAG, COPYRIGHT_TAG, DESCRIPTION_TAG, entryOf, readIfd, textOf } from './tiff/ifd.ts';
import { type XmlElement, XmlProblem } from './xmp/parse_xml.ts';
import { parseXmp, valuesIn, type XmpValue } from './xmp/parse_xmp.ts';

export interface PictureMetadata {
  /** Undefined for unsupported formats and other bytes. */
  readonly format?: PictureFormat;
  /** Under Atelier names, from any block of the file. */
  readonly fields: MetadataFields;
  /** Every XMP property by qualified name: `dc:title`, `{urn:other}name`. */
  readonly xmp: Readonly<Record<string, XmpValue>>;
  /** Texts of IPTC-IIM record 2 by dataset: `2:25`. */
  readonly iim: Readonly<Record<string, readonly string[]>>;
  /** ImageDescription (270), Artist (315) and Copyright (33432), which mirror IPTC. */
  readonly exif: Readonly<Record<number, string>>;
  /** PNG texts by keyword. */
  readonly texts: Readonly<Record<string, string>>;
  /** Whether the file embeds a C2PA manifest store. */
  readonly hasManifest: boolean;
  /** URL of a remote C2PA manifest, according to XMP. Never fetched. */
  readonly remoteManifest?: string;
  /** Blocks that could not be read and were skipped, as sentences. */
  readonly problems: readonly string[];
}

/**
 * Reads all metadata of a PNG, JPEG, WebP or TIFF file without decoding pixels. Never throws: damaged, too deeply nested or too large blocks are
 * skipped and listed in `problems`. AVIF and GIF are not read.
 */
export function readMetadata(bytes: Uint8Array): PictureMetadata {
  return readParts(bytes).metadata;
}

function readParts(bytes: Uint8Array): { metadata: PictureMetadata; properties: readonly XmlElement[] } {
  const kind = identify(bytes);
  const packets = readPackets(bytes);
  const problems = [...packets.problems];
  const properties = readProperties(packets, problems);
  const xmp = valuesIn(properties);
  const iim = packets.iim ? iimTexts(readIim(packets.iim)) : {};
  const exif = packets.exif ? exifTexts(packets.exif) : {};
  const texts = packets.texts ?? {};
  const { 'dcterms:provenance': remote } = xmp;
  const metadata = {
    ...('format' in kind && { format: kind.format }),
    fields: readFields({ xmp, iim, exif, texts }),
    xmp,
    iim,
    exif,
    texts,
    hasManifest: packets.hasManifest,
    ...(typeof remote === 'string' && /^https?:/i.test(remote) && { remoteManifest: remote }),
    problems: problems.slice(0, METADATA_PROBLEMS_MAX),
  };
  return { metadata, properties };
}

/** Claims of a file: fields, rights, and AI involvement. */
export interface FileClaims {
  readonly fields: MetadataFields;
  readonly statements: readonly PolicyStatement[];
  readonly origin?: AiOrigin;
  /** Digital Image GUID of IPTC. */
  readonly imageId?: string;
  /** The visible label that the file declares. */
  readonly label?: AiLabel;
  readonly problems: readonly string[];
}

/** Reads the claims of a file. Never throws, like `readMetadata`. */
export function readClaims({ bytes }: { bytes: Uint8Array }): FileClaims {
  const { metadata, properties } = readParts(bytes);
  const { fields, xmp, problems } = metadata;
  const origin = readOrigin(xmp);
  const imageId = readImageId(xmp);
  const label = readLabel(xmp);
  return {
    fields,
    statements: readPolicy(properties),
    problems,
    ...(origin && { origin }),
    ...(imageId !== undefined && { imageId }),
    ...(label && { label }),
  };
}

const READERS: Partial<Record<PictureFormat, (bytes: Uint8Array) => Packets>> = {
  png: readPng,
  jpeg: readJpeg,
  webp: readWebp,
  tiff: readTiff,
};

export function readPackets(bytes: Uint8Array): Packets {
  const kind = identify(bytes);
  const read = 'format' in kind ? READERS[kind.format] : undefined;
  return read ? read(bytes) : nothingFound();
}

/** Properties of all readable packets; `problems` lists the others. */
export function readProperties({ xmp }: Packets, problems: string[]): XmlElement[] {
  return xmp.flatMap((packet) => {
    if (packet.length > XMP_BYTES_MAX) {
      problems.push(`XMP: it has more than ${XMP_BYTES_MAX} bytes, so it was left out`);
      return [];
    }
    try {
      return parseXmp(packet);
    } catch (error) {
      if (!(error instanceof XmlProblem)) throw error;
      problems.push(`XMP: ${error.message}, so it was left out`);
      return [];
    }
  });
}

function exifTexts(exif: Uint8Array): Record<number, string> {
  const ifd = readIfd(exif);
  const texts = [DESCRIPTION_TAG, ARTIST_TAG, COPYRIGHT_TAG].map(
    (tag) => [tag, textOf(entryOf(ifd, tag))] as const,
  );
  return Object.fromEntries(texts.filter(([, text]) => text !== undefined)) as Record<number, string>;
}
