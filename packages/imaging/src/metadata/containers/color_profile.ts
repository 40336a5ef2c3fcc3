import { deflateSync } from 'node:zlib';
import type { PictureFormat } from '../../codecs/identify.ts';
import { pngChunk, pngChunks } from '../../pixels/png_chunks.ts';
import { editIfd } from '../tiff/ifd.ts';
import { jpegSegments, startsWith } from './jpeg_segments.ts';
import { riffChunk, riffChunks } from './riff_chunks.ts';
import { extendedHead } from './write_webp.ts';

const PROFILE_TAG = 34_675;
const ICC_HEAD = Buffer.from('ICC_PROFILE\0', 'latin1');
/** Profile bytes per JPEG segment. ICC.1:2022, annex B.4 */
const PIECE_BYTES = 65_519;
const [APP0, APP1, APP2] = [0xe0, 0xe1, 0xe2];
const WEBP_ICC = 0x20;

/**
 * Removes the colour profile; encoded pixels stay byte-identical.
 * @returns undefined for unsupported formats
 */
export function withoutProfile(bytes: Uint8Array, format: PictureFormat): Uint8Array | undefined {
  if (format === 'jpeg') return jpegWith(bytes, []);
  if (format === 'png') return pngWith(bytes, undefined);
  if (format === 'webp') return webpWith(bytes, undefined);
  return format === 'tiff' ? editIfd(bytes, [{ tag: PROFILE_TAG, type: 7 }]) : undefined;
}

/**
 * Replaces the colour profile; encoded pixels stay byte-identical.
 * @param size of a WebP, whose simple format does not state it
 * @returns undefined for unsupported formats
 */
export function withProfile(
  bytes: Uint8Array,
  format: PictureFormat,
  { icc, size }: { readonly icc: Uint8Array; readonly size: { width: number; height: number } },
): Uint8Array | undefined {
  if (format === 'jpeg') return jpegWith(bytes, profileSegments(icc));
  if (format === 'png') return pngWith(bytes, icc);
  if (format === 'webp') return webpWith(bytes, { icc, size });
  return format === 'tiff' ? editIfd(bytes, [{ tag: PROFILE_TAG, type: 7, data: icc }]) : undefined;
}

function profileSegments(icc: Uint8Array): Buffer[] {
  const count = Math.ceil(icc.length / PIECE_BYTES);
  return Array.from({ length: count }, (_, index) => {
    const piece = icc.subarray(index * PIECE_BYTES, (index + 1) * PIECE_BYTES);
    const head = Buffer.from([0xff, APP2, 0, 0]);
    head.writeUInt16BE(2 + ICC_HEAD.length + 2 + piece.length, 2);
    return Buffer.concat([head, ICC_HEAD, Buffer.from([index + 1, count]), piece]);
  });
}

/** Inserts the profile after JFIF and Exif, which must come first. */
function jpegWith(bytes: Uint8Array, profile: readonly Buffer[]): Buffer {
  const { segments, rest } = jpegSegments(bytes);
  const kept = segments.filter(({ marker, payload }) => !(marker === APP2 && startsWith(payload, ICC_HEAD)));
  const first = kept.findIndex(({ marker }) => marker !== APP0 && marker !== APP1);
  const at = first < 0 ? kept.length : first;
  return Buffer.concat([
    bytes.subarray(0, 2),
    ...kept.slice(0, at).map((segment) => segment.bytes),
    ...profile,
    ...kept.slice(at).map((segment) => segment.bytes),
    bytes.subarray(rest),
  ]);
}

const COLOR_CHUNKS = new Set(['cICP', 'iCCP', 'sRGB', 'gAMA', 'cHRM']);

function pngWith(bytes: Uint8Array, icc: Uint8Array | undefined): Buffer {
  const { chunks, rest } = pngChunks(bytes);
  const [header, ...others] = chunks.filter(({ type }) => !COLOR_CHUNKS.has(type));
  return Buffer.concat([
    bytes.subarray(0, 8),
    header!.bytes,
    ...(icc ? [pngChunk('iCCP', Buffer.concat([Buffer.from('profile\0\0'), deflateSync(icc)]))] : []),
    ...others.map((chunk) => chunk.bytes),
    bytes.subarray(rest),
  ]);
}

function webpWith(
  bytes: Uint8Array,
  profile: { readonly icc: Uint8Array; readonly size: { width: number; height: number } } | undefined,
): Buffer {
  const { chunks, rest } = riffChunks(bytes);
  const kept = chunks.filter(({ type }) => type !== 'VP8X' && type !== 'ICCP');
  const isExtended = profile !== undefined || chunks[0]?.type === 'VP8X';
  const size = profile?.size ?? { width: 1, height: 1 };
  const flags = { set: profile ? WEBP_ICC : 0, clear: WEBP_ICC };
  const body = Buffer.concat([
    ...(isExtended ? [extendedHead(chunks, size, flags)] : []),
    ...(profile ? [riffChunk('ICCP', profile.icc)] : []),
    ...kept.map((chunk) => chunk.bytes),
  ]);
  const head = Buffer.from('RIFF\0\0\0\0WEBP', 'latin1');
  head.writeUInt32LE(body.length + 4, 4);
  return Buffer.concat([head, body, bytes.subarray(rest)]);
}
