import { identify } from '../../codecs/identify.ts';
import { jpegSegments, manifestSegments } from '../../metadata/containers/jpeg_segments.ts';
import { riffChunks } from '../../metadata/containers/riff_chunks.ts';
import { entryOf, MANIFEST_TAG, readIfd } from '../../metadata/tiff/ifd.ts';
import { pngChunks } from '../../pixels/png_chunks.ts';

/**
 * The embedded C2PA manifest store of a PNG, JPEG, WebP or TIFF file, byte for byte (C2PA 2.2, appendix A.3). Undefined if there is none, or several:
 * readers may then differ in their choice.
 */
export function manifestStoreIn(picture: Uint8Array): Buffer | undefined {
  const kind = identify(picture);
  const found = 'format' in kind ? (STORES[kind.format]?.(picture) ?? []) : [];
  return found.length === 1 && found[0]!.length > 0 ? Buffer.from(found[0]!) : undefined;
}

const STORES: Partial<Record<string, (picture: Uint8Array) => Uint8Array[]>> = {
  png: (picture) =>
    pngChunks(picture)
      .chunks.filter(({ type }) => type === 'caBX')
      .map(({ data }) => data),
  webp: (picture) =>
    riffChunks(picture)
      .chunks.filter(({ type }) => type === 'C2PA')
      .map(({ data }) => data),
  tiff: (picture) => {
    const ifd = readIfd(picture);
    const data = ifd && entryOf(ifd, MANIFEST_TAG)?.data;
    return data ? [data] : [];
  },
  jpeg: storesInJpeg,
};

/** Precedes the box: "JP", box number, and sequence number of the part. */
const PART_HEAD = 8;

/** A byte range of a file: the first byte, and the one after the last. */
export interface Place {
  readonly from: number;
  readonly to: number;
}

/** A store may span several segments, each of which repeats length and type of its box. ISO/IEC 19566-5, annex D. */
function storesInJpeg(picture: Uint8Array): Buffer[] {
  const file = Buffer.from(picture.buffer, picture.byteOffset, picture.byteLength);
  const byNumber = new Map<string, PlacedSegment[]>();
  for (const segment of storeSegments(file)) {
    const number = segment.payload.toString('hex', 2, 4);
    const own = byNumber.get(number);
    if (own) own.push(segment);
    else byNumber.set(number, [segment]);
  }
  return [...byNumber.values()].map((own) =>
    Buffer.concat(placesIn(own).map(({ from, to }) => file.subarray(from, to))),
  );
}

/** Byte ranges of the manifest store in a JPEG with one store. */
export const storeParts = (file: Buffer): Place[] => placesIn(storeSegments(file));

interface PlacedSegment {
  readonly payload: Buffer;
  /** End of the payload in the file. */
  readonly end: number;
}

function storeSegments(file: Buffer): PlacedSegment[] {
  const { segments } = jpegSegments(file);
  const ours = manifestSegments(segments);
  let end = 2;
  return segments.flatMap((segment) => {
    end += segment.bytes.length;
    return ours.has(segment) ? [{ payload: segment.payload, end }] : [];
  });
}

function placesIn(own: readonly PlacedSegment[]): Place[] {
  const first = own[0]?.payload;
  const repeated = first && first.length >= PART_HEAD + 4 && first.readUInt32BE(PART_HEAD) === 1 ? 16 : 8;
  return own.map(({ payload, end }, at) => ({
    from: Math.min(end, end - payload.length + PART_HEAD + (at === 0 ? 0 : repeated)),
    to: end,
  }));
}
