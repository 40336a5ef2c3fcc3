import { brokenPicture } from '../../codecs/headers/header.ts';
import { type Chunk, pngChunk, pngChunks } from '../../pixels/png_chunks.ts';
import { latin1, pdfStream } from '../../print/pdf_file.ts';
import { editIfd, type IfdChange, IIM_TAG, MANIFEST_TAG, XMP_TAG } from '../tiff/ifd.ts';
import { writeXmp } from '../xmp/write_xmp.ts';
import { IIM_RESOURCE, imageResource } from './image_resources.ts';
import type { NewPackets } from './new_packets.ts';
import { IIM_KEYWORD, isTextChunk, pngText, XMP_KEYWORD } from './png_text.ts';
import { writeAvif } from './write_avif.ts';
import { writeJpeg } from './write_jpeg.ts';
import { writeWebp } from './write_webp.ts';

/**
 * Writes XMP uncompressed before the first IDAT, as XMP part 3 requires, and eXIf and texts; other chunks stay unchanged and in order. PNG does not
 * define IIM: it is written as the raw profile of ImageMagick and ExifTool.
 */
function writePng(bytes: Uint8Array, { properties, iim, exif, texts = {} }: NewPackets): Buffer {
  const { chunks, rest } = pngChunks(bytes);
  const kept = chunks.filter((chunk) => !isReplaced(chunk, exif !== undefined));
  const at = kept.findIndex(({ type }) => type === 'IDAT');
  return Buffer.concat([
    bytes.subarray(0, 8),
    ...kept.slice(0, at).map((chunk) => chunk.bytes),
    ...(properties.length > 0 ? [xmpChunk(writeXmp(properties))] : []),
    ...Object.entries(texts).map(([keyword, text]) => textChunk(keyword, text)),
    ...(exif ? [pngChunk('eXIf', exif)] : []),
    ...(iim ? [iimChunk(iim)] : []),
    ...kept.slice(at).map((chunk) => chunk.bytes),
    bytes.subarray(rest),
  ]);
}

const isReplaced = (chunk: Chunk, exifToo: boolean): boolean =>
  chunk.type === 'caBX' ||
  (exifToo && chunk.type === 'eXIf') ||
  [XMP_KEYWORD, IIM_KEYWORD].includes(keywordOf(chunk) ?? '');

const keywordOf = (chunk: Chunk): string | undefined =>
  isTextChunk(chunk) ? pngText(chunk)?.keyword : undefined;

const xmpChunk = (packet: Buffer): Buffer => textChunk(XMP_KEYWORD, packet);

/** An uncompressed iTXt chunk. @param keyword from a PNG: Latin 1, 1 to 79 characters */
const textChunk = (keyword: string, text: string | Uint8Array): Buffer =>
  pngChunk(
    'iTXt',
    Buffer.concat([Buffer.from(`${keyword}\0\0\0\0\0`, 'latin1'), Buffer.from(text as string)]),
  );

/** IPTC-IIM as written by ImageMagick: the Photoshop resource in hexadecimal, 72 digits per line. */
function iimChunk(iim: Uint8Array): Buffer {
  const profile = imageResource(IIM_RESOURCE, iim);
  const lines = profile.toString('hex').match(/.{1,72}/g) ?? [];
  const text = `\niptc\n${String(profile.length).padStart(8)}\n${lines.join('\n')}\n`;
  return pngChunk('tEXt', Buffer.from(`${IIM_KEYWORD}\0${text}`, 'latin1'));
}

interface Head {
  readonly format: string;
  /** As stored, before the orientation is applied. */
  readonly width: number;
  readonly height: number;
}

/**
 * Writes metadata blocks into an image, or into a PDF of images; encoded pixels stay byte-identical. AVIF, GIF and PDF files must come from our own
 * encoders.
 * @param changes to the tags of a TIFF
 * @throws EngineError undecodable_image for a TIFF without a readable directory
 */
export function writePackets(
  bytes: Uint8Array,
  { format, ...size }: Head,
  packets: NewPackets,
  changes: readonly IfdChange[] = [],
): Buffer {
  if (format === 'png') return writePng(bytes, packets);
  if (format === 'jpeg') return writeJpeg(bytes, packets);
  if (format === 'webp') return writeWebp(bytes, packets, size);
  if (format === 'avif') return writeAvif(bytes, packets);
  if (format === 'gif') return writeGif(bytes, packets);
  if (format === 'pdf') return writePdfMetadata(bytes, packets);
  const tiff = writeTiff(bytes, packets, changes);
  if (!tiff) throw brokenPicture('its directory is damaged');
  return tiff;
}

/** XMP, IIM and the Exif mirrors as entries of the first directory. Strips and tiles keep their offsets. */
function writeTiff(
  bytes: Uint8Array,
  { properties, iim }: NewPackets,
  exifChanges: readonly IfdChange[],
): Buffer | undefined {
  return editIfd(bytes, [
    ...exifChanges,
    { tag: XMP_TAG, type: 1, data: writeXmp(properties) },
    ...(iim ? [{ tag: IIM_TAG, type: 7 as const, data: iim }] : []),
    { tag: MANIFEST_TAG, type: 7 },
  ]);
}

const HEADER_BYTES = 13;
const APPLICATION = Buffer.from('\x21\xff\x0bXMP DataXMP', 'latin1');
/** Bytes 1, 255, 254 … 0, 0: lead readers that parse the packet as sub-blocks to its end. XMP part 3, 1.1.2 */
const TRAILER = Buffer.from([1, ...Array.from({ length: 256 }, (_, at) => 255 - at), 0]);

/** Inserts XMP as an application extension after the colour table. GIF allows any order of blocks before its frames. */
function writeGif(bytes: Uint8Array, { properties }: NewPackets): Buffer {
  const flags = bytes[10]!;
  const at = HEADER_BYTES + (flags & 0x80 ? 3 << ((flags & 7) + 1) : 0);
  const version = Buffer.from(bytes.subarray(0, at));
  // Application extensions require GIF89a.
  version.write('GIF89a', 'latin1');
  return Buffer.concat([version, APPLICATION, writeXmp(properties), TRAILER, bytes.subarray(at)]);
}

/**
 * Adds XMP to a PDF made by `writePicturePdf` as an incremental update: a new catalogue that references it, and a cross-reference table that
 * continues the old one. ISO 32000-1, 7.5.6 and 14.3.2
 */
function writePdfMetadata(bytes: Uint8Array, { properties }: NewPackets): Buffer {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const trailer = file.toString('latin1', file.lastIndexOf('trailer'));
  const [, size, rest, previous] =
    /<< \/Size (\d+) \/Root 1 0 R (.*) >>\nstartxref\n(\d+)/.exec(trailer) ?? [];
  const [, pages] =
    /\n1 0 obj\n<< \/Type \/Catalog \/Pages (\d+) 0 R >>/.exec(file.toString('latin1', 0, 200)) ?? [];
  if (!size || !pages) throw new Error('a PDF of an unexpected shape was written');
  const catalog = latin1(`1 0 obj\n<< /Type /Catalog /Pages ${pages} 0 R /Metadata ${size} 0 R >>\nendobj\n`);
  const packet = Buffer.concat([
    latin1(`${size} 0 obj\n`),
    pdfStream('/Type /Metadata /Subtype /XML', writeXmp(properties)),
    latin1('\nendobj\n'),
  ]);
  const places = [bytes.length, bytes.length + catalog.length];
  const table = bytes.length + catalog.length + packet.length;
  const row = (place: number) => `${String(place).padStart(10, '0')} 00000 n \n`;
  return Buffer.concat([
    bytes,
    catalog,
    packet,
    latin1(
      `xref\n1 1\n${row(places[0]!)}${size} 1\n${row(places[1]!)}trailer\n<< /Size ${Number(size) + 1} /Root 1 0 R ${rest} /Prev ${previous} >>\nstartxref\n${table}\n%%EOF\n`,
    ),
  ]);
}
