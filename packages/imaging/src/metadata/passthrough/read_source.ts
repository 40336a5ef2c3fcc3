import { createHash } from 'node:crypto';
import { basicMetadata } from '../../codecs/basic_metadata.ts';
import { identify } from '../../codecs/identify.ts';
import { foreignFormatOf } from '../../identify/foreign_format.ts';
import { exifInHeif } from '../../identify/read_heif.ts';
import { rewriteBrand } from '../../intake/rewrite_file.ts';
import { manifestStoreIn } from '../../provenance/c2pa/manifest_store.ts';
import { IIM_DIGEST_RESOURCE, IIM_RESOURCE, imageResources } from '../containers/image_resources.ts';
import {
  APP13,
  jpegSegments,
  PHOTOSHOP_HEAD,
  type Segment,
  startsWith,
} from '../containers/jpeg_segments.ts';
import type { Packets } from '../containers/packets.ts';
import { dropHead } from '../containers/read_webp.ts';
import { readPackets, readProperties } from '../read_metadata.ts';
import { qualifiedName } from '../xmp/namespaces.ts';
import type { XmlElement } from '../xmp/parse_xml.ts';
import { type GainMap, readGainMap } from './gain_map.ts';

const COMMENT = 0xfe;
const [APP0, APP15] = [0xe0, 0xef];
/** Segments that are read elsewhere or describe the encoded pixels: JFIF, Exif, XMP, profile, multi-picture index, JUMBF, Photoshop, Adobe. */
const KNOWN =
  /^(\xe0JFIF|\xe1(Exif\0|http:\/\/ns\.adobe\.com\/(xap|xmp))|\xe2(ICC_PROFILE|MPF\0|urn:iso:std:iso:ts:21496)|\xebJP|\xedPhotoshop|\xeeAdobe)/;
const NAMED_MAX = 8;

/** Blocks of a JPEG that are never copied, with an explanation: comments, Photoshop resources, proprietary segments, trailing data. */
function otherBlocks(bytes: Uint8Array): Record<string, string> {
  const { segments } = jpegSegments(bytes);
  const others = [...new Set(segments.filter(isOther).map(nameOf))];
  return {
    ...(segments.some(({ marker }) => marker === COMMENT) && {
      comment: 'JPEG comments are not copied',
    }),
    ...(hasResources(segments) && { photoshop: 'Photoshop resources are not copied' }),
    ...(others.length > 0 && {
      app_segments: `proprietary segments: ${others.slice(0, NAMED_MAX).join(', ')}`,
    }),
    ...(hasTrailer(bytes) && { trailer: 'data after the image is not copied' }),
  };
}

const isOther = ({ marker, payload }: Segment): boolean =>
  marker >= APP0 &&
  marker <= APP15 &&
  !KNOWN.test(String.fromCharCode(marker) + payload.toString('latin1', 0, 40));

/** `APP2 FPXR`, with the letters at the start of the segment. */
function nameOf({ marker, payload }: Segment): string {
  const [letters = ''] = /^[\w ]{0,12}/.exec(payload.toString('latin1', 0, 12)) ?? [];
  return `APP${marker - APP0} ${letters}`.trim();
}

function hasResources(segments: readonly Segment[]): boolean {
  const resources = segments
    .filter(({ marker, payload }) => marker === APP13 && startsWith(payload, PHOTOSHOP_HEAD))
    .map(({ payload }) => payload.subarray(PHOTOSHOP_HEAD.length));
  return imageResources(Buffer.concat(resources)).some(
    ({ id }) => id !== IIM_RESOURCE && id !== IIM_DIGEST_RESOURCE,
  );
}

/** Whether data follows the last end-of-image marker, which ends the file, a gain map or a preview. Zero padding does not count. */
function hasTrailer(bytes: Uint8Array): boolean {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const end = buffer.lastIndexOf(Buffer.from([0xff, 0xd9]));
  return end >= 0 && buffer.subarray(end + 2).some((byte) => byte !== 0);
}

/** All metadata of an image, unfiltered. */
export interface Source extends Pick<Packets, 'iim' | 'exif' | 'texts'> {
  readonly properties: readonly XmlElement[];
  readonly icc?: Uint8Array | undefined;
  readonly gainMap?: GainMap | undefined;
  /** Its C2PA manifest, with the SHA-256 of the store in hex; undefined if stored elsewhere, or if there are several. */
  readonly manifest?: { readonly isInside: boolean; readonly sha256?: string } | undefined;
  readonly orientation: number;
  /** Of the upright image. */
  readonly width: number;
  readonly height: number;
  /** Other blocks of a JPEG, which are never copied, with an explanation. */
  readonly others: Readonly<Record<string, string>>;
  readonly problems: readonly string[];
}

/** One image, as sent by the client and as decoded for the engines. */
export interface Sources {
  readonly file: Uint8Array;
  readonly picture: Uint8Array;
}

/** @throws EngineError undecodable_image, unsupported_image, image_too_large */
export async function readSource({ file: bytes, picture }: Sources): Promise<Source> {
  const { icc, orientation, upright } = await basicMetadata(picture);
  const kind = identify(bytes);
  const format = 'format' in kind ? kind.format : undefined;
  const heicExif = foreignFormatOf(bytes) === 'heic' ? exifInHeif(bytes) : undefined;
  const own = { ...readPackets(bytes), ...(heicExif && { exif: heicExif }) };
  const { exif, xmp } = format === 'avif' ? await basicMetadata(rewriteBrand(bytes)) : {};
  const packets =
    format === 'avif'
      ? { ...own, xmp: xmp ? [xmp] : [], ...(exif && { exif: dropHead(exif) }) }
      : format === 'gif'
        ? { ...own, xmp: gifXmp(bytes) }
        : own;
  const problems = [...packets.problems];
  const properties = readProperties(packets, problems);
  return {
    ...packets,
    properties,
    icc,
    orientation,
    ...upright,
    gainMap: format === 'jpeg' ? readGainMap(bytes) : undefined,
    manifest: manifestOf(bytes, packets.hasManifest, properties),
    others: format === 'jpeg' ? otherBlocks(bytes) : {},
    problems,
  };
}

const GIF_XMP = Buffer.from('\x21\xff\x0bXMP DataXMP', 'latin1');
/** The packet is followed by 258 bytes by which readers of sub-blocks find its end: XMP part 3, 1.1.2. */
const GIF_TRAILER_BYTES = 258;

function gifXmp(bytes: Uint8Array): Uint8Array[] {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const at = buffer.indexOf(GIF_XMP);
  if (at < 0) return [];
  const from = at + GIF_XMP.length;
  const trailer = buffer.indexOf(Buffer.from([0x01, 0xff, 0xfe, 0xfd]), from);
  return trailer < 0 || trailer + GIF_TRAILER_BYTES > buffer.length + 2
    ? []
    : [buffer.subarray(from, trailer)];
}

function manifestOf(
  bytes: Uint8Array,
  hasManifest: boolean,
  properties: readonly XmlElement[],
): Source['manifest'] {
  if (!hasManifest)
    return properties.some((property) => qualifiedName(property) === 'dcterms:provenance')
      ? { isInside: false }
      : undefined;
  const store = manifestStoreIn(bytes);
  return { isInside: true, ...(store && { sha256: createHash('sha256').update(store).digest('hex') }) };
}
