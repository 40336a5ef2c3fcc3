import { webpBytes, webpChunksAreWhole, webpSize } from '../codecs/headers/header.ts';
import { riffChunks } from '../metadata/containers/riff_chunks.ts';
import { type FileIdentity, PARTS_COUNTED_MAX } from './file_identity.ts';
import { readExif, xmpHasLocation } from './read_exif.ts';

const ALPHA_FLAG = 0x10;

/** RFC 9649. @throws EngineError undecodable_image */
export function identifyWebp(bytes: Uint8Array): FileIdentity {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const size = webpSize(view);
  const { chunks } = riffChunks(bytes);
  const named = (name: string) => chunks.find(({ type }) => type.startsWith(name))?.data;
  const frames = chunks
    .filter(({ type, data }) => type === 'ANMF' && data.length >= 16)
    .slice(0, PARTS_COUNTED_MAX);
  const first = frames[0]?.data;
  const isLossless = named('VP8L') !== undefined || first?.toString('latin1', 16, 20) === 'VP8L';
  const exif = readExif(dropExifHead(named('EXIF')));
  const profile = named('ICCP');
  const xmp = named('XMP');
  const hasAlpha = ((named('VP8X')?.[0] ?? 0) & ALPHA_FLAG) !== 0 || alphaOfLossless(named('VP8L'));
  return {
    ...size,
    orientation: exif.orientation,
    samples: {
      bits: 8,
      channels: hasAlpha ? 4 : 3,
      model: isLossless ? 'rgb' : 'ycbcr',
      extra: hasAlpha ? ['alpha'] : [],
    },
    color: profile ? { source: 'icc', profile } : { source: 'default' },
    hasLocation: exif.hasLocation || (xmp !== undefined && xmpHasLocation(xmp)),
    animation:
      frames.length > 1
        ? {
            frames: frames.length,
            milliseconds: frames.reduce((sum, { data }) => sum + data.readUIntLE(12, 3), 0),
            loop: (named('ANIM')?.length ?? 0) >= 6 ? named('ANIM')!.readUInt16LE(4) : 0,
          }
        : undefined,
    compression: isLossless ? 'lossless WebP' : 'lossy WebP',
    faults:
      webpBytes(view) !== bytes.length && webpChunksAreWhole(view)
        ? ['the length in its header is wrong']
        : [],
  };
}

/** Bit 28 after the signature byte signals alpha. */
const alphaOfLossless = (data: Buffer | undefined): boolean =>
  data !== undefined && data.length >= 5 && (data[4]! & 0x10) !== 0;

const dropExifHead = (exif: Buffer | undefined): Buffer | undefined =>
  exif?.toString('latin1', 0, 4) === 'Exif' ? exif.subarray(6) : exif;
