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
 * XMP uncompressed before the first IDAT, as XMP part 3 asks, eXIf and texts; all other chunks in their order and unchanged.
 * PNG has no place for IIM: what is given goes where ImageMagick and ExifTool keep it, as a raw profile.
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

/** iTXt, uncompressed. @param keyword as a PNG had it: Latin 1, 1 to 79 characters */
const textChunk = (keyword: string, text: string | Uint8Array): Buffer =>
  pngChunk(
    'iTXt',
    Buffer.concat([Buffer.from(`${keyword}\0\0\0\0\0`, 'latin1'), Buffer.from(text as string)]),
  );

/** IPTC-IIM the way ImageMagick writes it: the Photoshop resource in hexadecimal, 72 digits a line. */
function iimChunk(iim: Uint8Array): Buffer {
  const profile = imageResource(IIM_RESOURCE, iim);
  const lines = profile.toString('hex').match(/.{1,72}/g) ?? [];
  const text = `\niptc\n${String(profile.length).padStart(8)}\n${lines.join('\n')}\n`;
  return pngChunk('tEXt', Buffer.from(`${IIM_KEYWORD}\0${text}`, 'latin1'));
}

interface Head {
  readonly format: string;
  /** As stored, before any orientation. */
  readonly width: number;
  readonly height: number;
}

/**
 * Puts blocks of metadata into a picture or a PDF of pictures; coded pixels stay byte for byte. AVIF, GIF and PDF files have to be of
 * our own making.
 * @param changes of a TIFF's own tags
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

/** XMP, IIM and the Exif mirrors as entries of the first directory. Strips and tiles keep their places. */
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
/** Bytes 1, 255, 254 … 0, 0: readers that take the packet for blocks of data are led to its end. XMP part 3, 1.1.2 */
const TRAILER = Buffer.from([1, ...Array.from({ length: 256 }, (_, at) => 255 - at), 0]);

/** XMP as an application extension behind the colour table. Blocks of a GIF may stand in any order before its frames. */
function writeGif(bytes: Uint8Array, { properties }: NewPackets): Buffer {
  const flags = bytes[10]!;
  const at = HEADER_BYTES + (flags & 0x80 ? 3 << ((flags & 7) + 1) : 0);
  const version = Buffer.from(bytes.subarray(0, at));
  // Application extensions are of the later version.
  version.write('GIF89a', 'latin1');
  return Buffer.concat([version, APPLICATION, writeXmp(properties), TRAILER, bytes.subarray(at)]);
}

/**
 * XMP of a PDF made by `writePicturePdf`, as an incremental update: a new catalogue that names it, and a table that continues the one that
 * is there. ISO 32000-1, 7.5.6 and 14.3.2
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
