export interface Segment {
  readonly marker: number;
  /** From the first byte of the marker to the end of the segment. */
  readonly bytes: Buffer;
  /** Content after marker and length. */
  readonly payload: Buffer;
}

const START_OF_SCAN = 0xda;
const END_OF_IMAGE = 0xd9;

/**
 * The segments before the first scan, and the offset of the rest: scan, encoded pixels and trailing data. A truncated or damaged file ends the list
 * early. ITU-T T.81, annex B.1.1.
 */
export function jpegSegments(bytes: Uint8Array): { segments: Segment[]; rest: number } {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const segments: Segment[] = [];
  let at = 2;
  while (at + 4 <= buffer.length && buffer[at] === 0xff) {
    // Any number of fill bytes (0xff) may precede a marker.
    let marker = at + 1;
    while (buffer[marker] === 0xff) marker += 1;
    const code = buffer[marker];
    if (code === undefined || code === START_OF_SCAN || code === END_OF_IMAGE || marker + 3 > buffer.length)
      break;
    const end = marker + 1 + buffer.readUInt16BE(marker + 1);
    if (end < marker + 3 || end > buffer.length) break;
    segments.push({
      marker: code,
      bytes: buffer.subarray(at, end),
      payload: buffer.subarray(marker + 3, end),
    });
    at = end;
  }
  return { segments, rest: at };
}

export const APP1 = 0xe1;
export const APP11 = 0xeb;
export const APP13 = 0xed;
export const EXIF_HEAD = Buffer.from('Exif\0\0', 'latin1');
export const XMP_HEAD = Buffer.from('http://ns.adobe.com/xap/1.0/\0', 'latin1');
export const EXTENDED_HEAD = Buffer.from('http://ns.adobe.com/xmp/extension/\0', 'latin1');
export const PHOTOSHOP_HEAD = Buffer.from('Photoshop 3.0\0', 'latin1');

export const startsWith = (bytes: Uint8Array, head: Buffer): boolean =>
  bytes.length >= head.length && head.equals(bytes.subarray(0, head.length));

/**
 * The segments of C2PA manifest stores: JUMBF in APP11 whose outermost box is one (C2PA 2.2, A.3.1). A store may span several segments, which share
 * the number after "JP".
 */
export function manifestSegments(segments: readonly Segment[]): Set<Segment> {
  const jumbf = segments.filter(
    ({ marker, payload }) => marker === APP11 && payload.toString('latin1', 0, 2) === 'JP',
  );
  const numberOf = ({ payload }: Segment) => payload.toString('hex', 2, 4);
  const ours = new Set(jumbf.filter(({ payload }) => payload.includes('c2pa')).map(numberOf));
  return new Set(jumbf.filter((segment) => ours.has(numberOf(segment))));
}
