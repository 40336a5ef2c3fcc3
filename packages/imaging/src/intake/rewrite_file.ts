import { deflateSync } from 'node:zlib';
import { writeProfile } from '../color/write_profile.ts';
import type { FileIdentity } from '../identify/file_identity.ts';
import { isOpen } from '../identify/read_jpeg.ts';
import { isSpoiltChunk } from '../identify/read_png.ts';
import { APP1, jpegSegments } from '../metadata/containers/jpeg_segments.ts';
import { type Ifd, type IfdEntry, readIfd } from '../metadata/tiff/ifd.ts';
import { pngChunk, pngChunks } from '../pixels/png_chunks.ts';

/** Chunks that define colours; one ICC profile replaces them all. */
const COLOR_CHUNKS = new Set(['cICP', 'iCCP', 'sRGB', 'gAMA', 'cHRM']);

/** Describes the colours of a PNG by an ICC profile, removes damaged chunks and completes IEND. Coded pixels are unchanged. */
export function rewritePng(bytes: Uint8Array, { color: { coding }, samples }: FileIdentity): Buffer {
  const { chunks } = pngChunks(bytes);
  const kept = chunks.filter((chunk) => !isSpoiltChunk(chunk) && !(coding && COLOR_CHUNKS.has(chunk.type)));
  const profile = coding && writeProfile(coding, samples.model === 'grey' ? 'grey' : 'rgb');
  const [header, ...others] = kept.map((chunk) => chunk.bytes);
  return Buffer.concat([
    bytes.subarray(0, 8),
    header!,
    ...(profile ? [pngChunk('iCCP', Buffer.concat([Buffer.from('coding\0\0'), deflateSync(profile)]))] : []),
    ...others,
    ...(kept.at(-1)?.type === 'IEND' ? [] : [pngChunk('IEND', new Uint8Array(0))]),
  ]);
}

const END_OF_IMAGE = Buffer.from([0xff, 0xd9]);
const ICC_HEAD = Buffer.from('ICC_PROFILE\0\x01\x01', 'latin1');

/** Describes the colours of a JPEG by an ICC profile and completes its end marker. Coded pixels are unchanged. */
export function rewriteJpeg(bytes: Uint8Array, { color: { coding } }: FileIdentity): Buffer {
  const { segments, rest } = jpegSegments(bytes);
  const firstOther = segments.find(({ marker }) => marker !== 0xe0 && marker !== APP1);
  const at = firstOther ? firstOther.bytes.byteOffset - bytes.byteOffset : rest;
  // Half a marker at the end does not count.
  const end = isOpen(bytes, rest) && bytes.at(-1) === 0xff ? bytes.length - 1 : bytes.length;
  return Buffer.concat([
    bytes.subarray(0, at),
    ...(coding ? [profileSegment(writeProfile(coding, 'rgb'))] : []),
    bytes.subarray(at, end),
    ...(isOpen(bytes, rest) ? [END_OF_IMAGE] : []),
  ]);
}

function profileSegment(profile: Buffer): Buffer {
  const start = Buffer.from([0xff, 0xe2, 0, 0]);
  start.writeUInt16BE(2 + ICC_HEAD.length + profile.length, 2);
  return Buffer.concat([start, ICC_HEAD, profile]);
}

/** A WebP with the correct length and the padding byte of its last chunk. */
export function rewriteWebp(bytes: Uint8Array): Buffer {
  const even = Buffer.concat([bytes, Buffer.alloc(bytes.length & 1)]);
  even.writeUInt32LE(even.length - 8, 4);
  return even;
}

/** Whether the first brand of an AVIF is the animation brand. */
export const isSequence = (bytes: Uint8Array): boolean =>
  Buffer.from(bytes.subarray(8, 12)).toString('latin1') === 'avis';

/** Changes the brand of an animated AVIF with a still image to the brand decoders recognise as a still. ISO/IEC 23000-22, 6 */
export function rewriteBrand(bytes: Uint8Array): Uint8Array {
  if (!isSequence(bytes)) return bytes;
  const still = Buffer.from(bytes);
  still.write('avif', 8, 'latin1');
  return still;
}

const PROFILE_TAG = 34_675;
const UNDEFINED = 7;

/**
 * Reduces a TIFF to one page: the directory is copied to the end, sorted, without entries that decoders warn about, and with a profile if
 * the colours were described otherwise. Pixel data stays in place.
 */
export function rewriteTiff(
  bytes: Uint8Array,
  { directory, color: { coding }, samples }: FileIdentity,
): Buffer {
  const ifd = readIfd(bytes, directory)!;
  const profile = coding && writeProfile(coding, samples.model === 'grey' ? 'grey' : 'rgb');
  const entries = ifd.entries.filter(
    ({ tag, type, data }, index) =>
      !(type === 2 && data.at(-1) !== 0) &&
      !(profile && tag === PROFILE_TAG) &&
      ifd.entries.findIndex((entry) => entry.tag === tag) === index,
  );
  const start = bytes.length + (bytes.length & 1);
  const profileAt = start + (ifd.big ? 16 : 6) + (entries.length + 1) * (ifd.big ? 20 : 12);
  const raws = [
    ...entries.map(({ tag, raw }) => ({ tag, raw })),
    ...(profile ? [{ tag: PROFILE_TAG, raw: entryFor(ifd, profile, profileAt) }] : []),
  ].sort((one, other) => one.tag - other.tag);
  const table = Buffer.concat([
    number(ifd, raws.length, ifd.big ? 8 : 2),
    ...raws.map(({ raw }) => raw),
    number(ifd, 0, ifd.big ? 8 : 4),
    ...(profile ? [profile] : []),
  ]);
  const head = Buffer.from(bytes.subarray(0, 16));
  number(ifd, start, ifd.big ? 8 : 4).copy(head, ifd.big ? 8 : 4);
  return Buffer.concat([head, bytes.subarray(16), Buffer.alloc(bytes.length & 1), table]);
}

function entryFor(ifd: Ifd, profile: Buffer, at: number): IfdEntry['raw'] {
  const size = ifd.big ? 8 : 4;
  return Buffer.concat([
    number(ifd, PROFILE_TAG, 2),
    number(ifd, UNDEFINED, 2),
    number(ifd, profile.length, size),
    number(ifd, at, size),
  ]);
}

function number({ little }: Ifd, value: number, bytes: 2 | 4 | 8): Buffer {
  const buffer = Buffer.alloc(bytes);
  if (bytes === 8) buffer.writeBigUInt64LE(BigInt(value));
  else buffer.writeUIntLE(value, 0, bytes);
  return little ? buffer : buffer.reverse();
}
