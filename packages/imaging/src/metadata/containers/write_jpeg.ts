import { createHash } from 'node:crypto';
import { textProperty } from '../xmp/make_property.ts';
import type { XmlElement } from '../xmp/parse_xml.ts';
import { writeXmp } from '../xmp/write_xmp.ts';
import { IIM_DIGEST_RESOURCE, IIM_RESOURCE, imageResource, imageResources } from './image_resources.ts';
import {
  APP1,
  APP13,
  EXIF_HEAD,
  EXTENDED_HEAD,
  jpegSegments,
  manifestSegments,
  PHOTOSHOP_HEAD,
  type Segment,
  startsWith,
  XMP_HEAD,
} from './jpeg_segments.ts';
import type { NewPackets } from './new_packets.ts';

/** A segment's length has two bytes and includes them. */
const PAYLOAD_BYTES_MAX = 0xffff - 2;
const PIECE_BYTES_MAX = PAYLOAD_BYTES_MAX - EXTENDED_HEAD.length - 40;

/**
 * Writes Exif, XMP and Photoshop resources directly after the JFIF header, where readers expect them. Other segments keep their order; from the first
 * scan on, no byte changes.
 */
export function writeJpeg(bytes: Uint8Array, { properties, iim, exif }: NewPackets): Buffer {
  const { segments, rest } = jpegSegments(bytes);
  const first = segments.findIndex(({ marker }) => marker !== 0xe0);
  const head = segments.slice(0, first < 0 ? segments.length : first);
  const manifests = manifestSegments(segments);
  const kept = segments
    .slice(head.length)
    .filter((segment) => !manifests.has(segment) && !isReplaced(segment));
  return Buffer.concat([
    bytes.subarray(0, 2),
    ...head.map((segment) => segment.bytes),
    ...exifSegments(segments, exif),
    ...xmpSegments(properties),
    ...photoshopSegments(segments, iim),
    ...kept.map((segment) => segment.bytes),
    bytes.subarray(rest),
  ]);
}

const isReplaced = (segment: Segment): boolean =>
  (segment.marker === APP1 &&
    [EXIF_HEAD, XMP_HEAD, EXTENDED_HEAD].some((head) => startsWith(segment.payload, head))) ||
  (segment.marker === APP13 && startsWith(segment.payload, PHOTOSHOP_HEAD));

/** Exif cannot be split; a block that has become too large is not changed. */
function exifSegments(segments: readonly Segment[], exif: Uint8Array | undefined): Buffer[] {
  if (exif && fitsSegment(exif)) return [segment(APP1, EXIF_HEAD, exif)];
  return segments
    .filter((old) => old.marker === APP1 && startsWith(old.payload, EXIF_HEAD))
    .map((old) => old.bytes);
}

export const fitsSegment = (exif: Uint8Array): boolean => exif.length + EXIF_HEAD.length <= PAYLOAD_BYTES_MAX;

/** Moves properties that exceed one segment to ExtendedXMP, the largest first (XMP part 3, 1.1.3.1). */
function xmpSegments(properties: readonly XmlElement[]): Buffer[] {
  if (properties.length === 0) return [];
  const [main, extended] = divideProperties(properties);
  if (extended.length === 0) return [segment(APP1, XMP_HEAD, writeXmp(main))];
  const packet = writeXmp(extended);
  const guid = createHash('md5').update(packet).digest('hex').toUpperCase();
  const pieces = Array.from({ length: Math.ceil(packet.length / PIECE_BYTES_MAX) }, (_, index) => {
    const head = Buffer.alloc(40);
    head.write(guid, 'latin1');
    head.writeUInt32BE(packet.length, 32);
    head.writeUInt32BE(index * PIECE_BYTES_MAX, 36);
    const data = packet.subarray(index * PIECE_BYTES_MAX, (index + 1) * PIECE_BYTES_MAX);
    return segment(APP1, Buffer.concat([EXTENDED_HEAD, head]), data);
  });
  const named = [...main, textProperty('xmpNote:HasExtendedXMP', guid)];
  return [segment(APP1, XMP_HEAD, writeXmp(named)), ...pieces];
}

/** Splits off as few of the largest properties as necessary, by binary search: an untrusted packet may have 200,000. */
function divideProperties(properties: readonly XmlElement[]): [XmlElement[], XmlElement[]] {
  const bySize = properties
    .map((property) => ({ property, bytes: writeXmp([property]).length }))
    .sort((one, other) => one.bytes - other.bytes);
  const divided = (moves: number): [XmlElement[], XmlElement[]] => {
    const moved = new Set(bySize.slice(bySize.length - moves).map(({ property }) => property));
    return [
      properties.filter((property) => !moved.has(property)),
      properties.filter((property) => moved.has(property)),
    ];
  };
  const hasRoom = (moves: number) =>
    writeXmp([...divided(moves)[0], textProperty('xmpNote:HasExtendedXMP', 'x'.repeat(32))]).length +
      XMP_HEAD.length <=
    PAYLOAD_BYTES_MAX;
  let [fewest, enough] = [0, properties.length];
  while (fewest < enough) {
    const half = Math.floor((fewest + enough) / 2);
    if (hasRoom(half)) enough = half;
    else fewest = half + 1;
  }
  return divided(enough);
}

/** The IIM block with its digest, which shows readers that IIM and XMP were written together (MWG 2.0). */
function photoshopSegments(segments: readonly Segment[], iim: Uint8Array | undefined): Buffer[] {
  const old = segments
    .filter(({ marker, payload }) => marker === APP13 && startsWith(payload, PHOTOSHOP_HEAD))
    .map(({ payload }) => payload.subarray(PHOTOSHOP_HEAD.length));
  const others = imageResources(Buffer.concat(old)).filter(
    ({ id }) => id !== IIM_RESOURCE && id !== IIM_DIGEST_RESOURCE,
  );
  const block = Buffer.concat([
    ...(iim
      ? [
          imageResource(IIM_RESOURCE, iim),
          imageResource(IIM_DIGEST_RESOURCE, createHash('md5').update(iim).digest()),
        ]
      : []),
    ...others.map((resource) => resource.bytes),
  ]);
  const room = PAYLOAD_BYTES_MAX - PHOTOSHOP_HEAD.length;
  return Array.from({ length: Math.ceil(block.length / room) }, (_, index) =>
    segment(APP13, PHOTOSHOP_HEAD, block.subarray(index * room, (index + 1) * room)),
  );
}

function segment(marker: number, head: Uint8Array, data: Uint8Array): Buffer {
  const start = Buffer.from([0xff, marker, 0, 0]);
  start.writeUInt16BE(head.length + data.length + 2, 2);
  return Buffer.concat([start, head, data]);
}
