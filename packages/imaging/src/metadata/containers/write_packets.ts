import { brokenPicture } from '../../codecs/headers/header.ts';
import { type Chunk, pngChunk, pngChunks } from '../../pixels/png_chunks.ts';
import { editIfd, type IfdChange } from '../tiff/edit_ifd.ts';
import { IIM_TAG, MANIFEST_TAG, XMP_TAG } from '../tiff/tags.ts';
import { writeXmp } from '../xmp/write_xmp.ts';
import { IIM_RESOURCE, imageResource } from './image_resources.ts';
import type { NewPackets } from './new_packets.ts';
import { IIM_KEYWORD, isTextChunk, pngText, XMP_KEYWORD } from './png_text.ts';
import { writeAvif } from './write_avif.ts';
import { writeGif } from './write_gif.ts';
import { writeJpeg } from './write_jpeg.ts';
import { writePdfMetadata } from './write_pdf_metadata.ts';
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
