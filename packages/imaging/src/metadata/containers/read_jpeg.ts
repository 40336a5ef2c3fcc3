import { createHash } from 'node:crypto';
import { XMP_BYTES_MAX } from '../limits.ts';
import { IIM_RESOURCE, imageResources } from './image_resources.ts';
import {
  APP1,
  APP13,
  EXIF_HEAD,
  EXTENDED_HEAD,
  jpegSegments,
  manifestSegments,
  PHOTOSHOP_HEAD,
  startsWith,
  XMP_HEAD,
} from './jpeg_segments.ts';
import { nothingFound, type Packets } from './packets.ts';

/** Exif and XMP from APP1, assembled ExtendedXMP, IIM from the Photoshop resources of APP13. */
export function readJpeg(bytes: Uint8Array): Packets {
  const found = nothingFound();
  const { segments } = jpegSegments(bytes);
  const payloads = (marker: number, head: Buffer) =>
    segments
      .filter((segment) => segment.marker === marker && startsWith(segment.payload, head))
      .map(({ payload }) => payload.subarray(head.length));

  const [exif] = payloads(APP1, EXIF_HEAD);
  if (exif) found.exif = exif;
  const [xmp] = payloads(APP1, XMP_HEAD);
  if (xmp) found.xmp.push(xmp);
  const extended = xmp && extendedXmp(xmp, payloads(APP1, EXTENDED_HEAD), found.problems);
  if (extended) found.xmp.push(extended);
  const resources = imageResources(Buffer.concat(payloads(APP13, PHOTOSHOP_HEAD)));
  const iim = resources.filter(({ id }) => id === IIM_RESOURCE).map(({ data }) => data);
  if (iim.length > 0) found.iim = Buffer.concat(iim);
  found.hasManifest = manifestSegments(segments).size > 0;
  return found;
}

/** GUID, total length and offset precede each chunk. */
const PIECE_HEAD_BYTES = 40;

/** Assembles the ExtendedXMP chunks that the main packet references (XMP part 3, 1.1.3.1). Other chunks are ignored. */
function extendedXmp(main: Buffer, pieces: readonly Buffer[], problems: string[]): Buffer | undefined {
  const text = main.toString('latin1');
  if (!text.includes('HasExtendedXMP')) return undefined;
  const ours = pieces.filter((piece) => piece.length >= PIECE_HEAD_BYTES && text.includes(guidOf(piece)));
  const named = ours.filter((piece) => guidOf(piece) === guidOf(ours[0]!));
  const whole = joinPieces(named);
  if (whole && createHash('md5').update(whole).digest('hex') === guidOf(named[0]!).toLowerCase())
    return whole;
  const reason = whole ? 'its checksum differs from that in the main packet' : 'parts of it are missing';
  problems.push(`ExtendedXMP: ${reason}, so it was left out`);
  return undefined;
}

const guidOf = (piece: Buffer): string => piece.toString('latin1', 0, 32);

/** Each chunk states the total length and its offset. */
function joinPieces(pieces: readonly Buffer[]): Buffer | undefined {
  const length = pieces[0]?.readUInt32BE(32) ?? 0;
  if (length === 0 || length > XMP_BYTES_MAX) return undefined;
  const parts = pieces
    .map((piece) => ({ offset: piece.readUInt32BE(36), data: piece.subarray(PIECE_HEAD_BYTES) }))
    .sort((a, b) => a.offset - b.offset);
  let end = 0;
  for (const { offset, data } of parts) {
    if (offset !== end) return undefined;
    end += data.length;
  }
  return end === length ? Buffer.concat(parts.map(({ data }) => data)) : undefined;
}
