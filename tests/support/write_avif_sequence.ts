import { findBox, readBoxes, writeBox, writeFullBox } from '@atelier/imaging/decoders/heif_boxes.ts';

interface Track {
  /** An AVIF of 32 × 16 pixels, whose coded image is the first frame. */
  readonly still: Buffer;
  /** Number of frames that the track declares. */
  readonly frames: number;
}

/** Writes an animated AVIF without a still image beside its tracks; the data come last. */
export function writeAvifSequence({ picture, alpha }: { picture: Track; alpha?: Track }): Buffer {
  const type = writeBox('ftyp', Buffer.from('avis\0\0\0\0avismsf1', 'latin1'));
  const movieAt = (start: number) =>
    writeBox(
      'moov',
      trackOf('pict', picture, start),
      ...(alpha ? [trackOf('auxv', alpha, start + dataOf(picture.still).length)] : []),
    );
  const start = type.length + movieAt(0).length + 8;
  const data = writeBox('mdat', dataOf(picture.still), ...(alpha ? [dataOf(alpha.still)] : []));
  return Buffer.concat([type, movieAt(start), data]);
}

function trackOf(handler: string, { still, frames }: Track, start: number): Buffer {
  const meta = findBox(still, 'meta')!.subarray(4);
  const described = readBoxes(findBox(meta, 'iprp', 'ipco')!).filter(({ type }) => type === 'av1C');
  const fields = Buffer.alloc(78);
  fields.writeUInt16BE(32, 24);
  fields.writeUInt16BE(16, 26);
  const entry = writeBox('av01', fields, ...described.map(({ whole }) => whole));
  const sizes = Array.from({ length: frames }, () => dataOf(still).length);
  const samples = writeBox(
    'stbl',
    writeFullBox('stsd', 0, 0, uint32(1), entry),
    writeFullBox('stsz', 0, 0, uint32(0, frames, ...sizes)),
    writeFullBox('stco', 0, 0, uint32(1, start)),
  );
  const kind = writeFullBox('hdlr', 0, 0, uint32(0), Buffer.from(handler), Buffer.alloc(13));
  return writeBox('trak', writeBox('mdia', kind, writeBox('minf', samples)));
}

const dataOf = (still: Buffer): Buffer => readBoxes(still).find(({ type }) => type === 'mdat')!.data;

function uint32(...values: number[]): Buffer {
  const bytes = Buffer.alloc(4 * values.length);
  for (const [index, value] of values.entries()) bytes.writeUInt32BE(value, 4 * index);
  return bytes;
}
