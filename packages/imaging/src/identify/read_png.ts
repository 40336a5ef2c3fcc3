import { crc32, inflateSync } from 'node:zlib';
import { brokenPicture } from '../codecs/headers/header.ts';
import { PNG_METADATA_BYTES_MAX } from '../codecs/limits.ts';
import { codingOf, codingOfGamma, isUsable, type Primaries, SRGB } from '../color/color_coding.ts';
import { type Chunk, pngChunks } from '../pixels/png_chunks.ts';
import {
  type Animation,
  type FileIdentity,
  PARTS_COUNTED_MAX,
  type SampleModel,
  UNKNOWN_COLOR,
} from './file_identity.ts';
import { readExif, xmpHasLocation } from './read_exif.ts';

/** By colour type. PNG 3rd edition, 11.2.1 */
const MODELS: Readonly<Record<number, SampleModel>> = {
  0: 'grey',
  2: 'rgb',
  3: 'palette',
  4: 'grey',
  6: 'rgb',
};

const CHANNELS: Readonly<Record<number, number>> = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 };

/** Reads the properties of a PNG. @throws EngineError undecodable_image without a header */
export function identifyPng(bytes: Uint8Array): FileIdentity {
  const { chunks } = pngChunks(bytes);
  const [header] = chunks;
  if (header?.type !== 'IHDR' || header.data.length < 13)
    throw brokenPicture('the PNG does not begin with IHDR');
  const type = header.data[9]!;
  const named = (name: string) => chunks.find((chunk) => chunk.type === name)?.data;
  const exif = readExif(named('eXIf'));
  const color = colorOf(named);
  const transfer = color.coding?.transfer;
  return {
    width: header.data.readUInt32BE(0),
    height: header.data.readUInt32BE(4),
    orientation: exif.orientation,
    samples: {
      bits: header.data[8]!,
      channels: CHANNELS[type] ?? 1,
      model: MODELS[type] ?? 'other',
      extra: type >= 4 || named('tRNS') ? ['alpha'] : [],
    },
    color,
    hdr: transfer === 'pq' ? 'PQ' : transfer === 'hlg' ? 'HLG' : undefined,
    hasLocation:
      exif.hasLocation || chunks.some(({ type: name, data }) => name === 'iTXt' && xmpHasLocation(data)),
    animation: animationOf(chunks),
    compression: 'Deflate',
    faults: faultsOf(chunks, bytes),
  };
}

/** Precedence: cICP, iCCP, sRGB, gAMA and cHRM. PNG 3rd edition, 13.13 */
function colorOf(named: (name: string) => Buffer | undefined): FileIdentity['color'] {
  const cicp = named('cICP');
  if (cicp && cicp.length >= 4) {
    const coding = codingOf(cicp[0]!, cicp[1]!, cicp[3] === 0, 'bt1886');
    // Decoders would use a profile beside cICP.
    return { source: 'cicp', coding: coding ?? (named('iCCP') ? SRGB : undefined) };
  }
  const profile = profileIn(named('iCCP'));
  if (profile) return { source: 'icc', profile };
  if (named('sRGB')) return { source: 'srgb' };
  const [gama, chrm] = [named('gAMA'), named('cHRM')];
  const gamma = gama && gama.length >= 4 ? gama.readUInt32BE(0) / 100_000 : 0;
  const primaries = chrm && chrm.length >= 32 ? chromaticities(chrm) : undefined;
  if (!gamma && !primaries) return UNKNOWN_COLOR;
  // An exponent outside the range of real devices is a writer error.
  const exponent = gamma > 0.1 && gamma < 5 ? 1 / gamma : undefined;
  const coding = codingOfGamma(exponent, primaries && isUsable(primaries) ? primaries : undefined);
  return { source: 'gama_chrm', coding };
}

function profileIn(chunk: Buffer | undefined): Buffer | undefined {
  const nameEnd = chunk?.indexOf(0) ?? -1;
  if (!chunk || nameEnd < 0) return undefined;
  try {
    return inflateSync(chunk.subarray(nameEnd + 2), { maxOutputLength: PNG_METADATA_BYTES_MAX });
  } catch {
    return undefined;
  }
}

function chromaticities(data: Buffer): Primaries {
  const [white, red, green, blue] = [0, 8, 16, 24].map(
    (at) => [data.readUInt32BE(at) / 100_000, data.readUInt32BE(at + 4) / 100_000] as const,
  );
  return { white: white!, red: red!, green: green!, blue: blue! };
}

/** PNG 3rd edition, 11.3.6 */
function animationOf(chunks: readonly Chunk[]): Animation | undefined {
  const control = chunks.find(({ type }) => type === 'acTL')?.data;
  if (!control || control.length < 8) return undefined;
  const frames = chunks
    .filter(({ type, data }) => type === 'fcTL' && data.length >= 26)
    .slice(0, PARTS_COUNTED_MAX);
  if (frames.length < 2) return undefined;
  const milliseconds = frames.reduce((sum, { data }) => {
    const divisor = data.readUInt16BE(22) || 100;
    return sum + (1000 * data.readUInt16BE(20)) / divisor;
  }, 0);
  return { frames: frames.length, milliseconds: Math.round(milliseconds), loop: control.readUInt32BE(4) };
}

/** Lower case marks a chunk that decoders may ignore. */
const isAncillary = (type: string): boolean => type.charCodeAt(0) >= 0x61;

/** Whether an ancillary chunk has a wrong checksum and can be dropped. */
export const isSpoiltChunk = ({ type, bytes }: Chunk): boolean =>
  isAncillary(type) &&
  type !== 'fdAT' &&
  crc32(bytes.subarray(4, -4)) !== bytes.readUInt32BE(bytes.length - 4);

function faultsOf(chunks: readonly Chunk[], bytes: Uint8Array): string[] {
  const spoilt = [...new Set(chunks.filter(isSpoiltChunk).map(({ type }) => type))].slice(0, 8);
  const isOpen = chunks.at(-1)?.type !== 'IEND' && bytes.length > 0;
  return [
    ...(spoilt.length > 0 ? [`the checksum of ${spoilt.join(', ')} is wrong, so it was left out`] : []),
    ...(isOpen ? ['it does not end with IEND'] : []),
  ];
}
