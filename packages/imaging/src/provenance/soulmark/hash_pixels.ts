import { createHash } from 'node:crypto';
import { IMAGE_PIXELS_MAX } from '../../codecs/limits.ts';
import { awaitDecoding } from '../../codecs/open_picture.ts';
import { readHeader } from '../../codecs/read_header.ts';
import { sharp } from '../../codecs/sharp.ts';

export interface PixelHash {
  /** Hex. */
  readonly sha256: string;
  /** Size as shown, after EXIF orientation; for an animation, all frames stacked vertically. */
  readonly width: number;
  readonly height: number;
}

/**
 * SHA-256 of the decoded pixels: "atelier-pixels-1 <width>x<height>x<channels>x<bits>" and a line feed, then the samples row by row, interleaved,
 * little-endian: RGBA as stored, without colour management (CMYK stays CMYK). Lossless re-encoding and metadata changes keep the hash; any changed
 * sample changes it.
 * @throws EngineError like `openPicture` and `awaitDecoding`
 */
export async function hashPixels({ bytes }: { bytes: Uint8Array }): Promise<PixelHash> {
  const { format } = readHeader(bytes);
  const picture = sharp(bytes, {
    failOn: 'warning',
    limitInputPixels: IMAGE_PIXELS_MAX,
    // Pages of a TIFF are separate images; frames of an animation belong together.
    pages: format === 'webp' || format === 'gif' ? -1 : 1,
    autoOrient: true,
    ignoreIcc: true,
  });
  const { space, depth } = await awaitDecoding(picture.metadata());
  const isDeep = depth === 'ushort';
  const pixels =
    space === 'cmyk'
      ? picture.pipelineColourspace('cmyk').toColourspace('cmyk')
      : picture.ensureAlpha().toColourspace(isDeep ? 'rgb16' : 'srgb');
  const { data, info } = await awaitDecoding(
    pixels.raw({ depth: isDeep ? 'ushort' : 'uchar' }).toBuffer({ resolveWithObject: true }),
  );
  const { width, height, channels } = info;
  const head = `atelier-pixels-1 ${width}x${height}x${channels}x${isDeep ? 16 : 8}\n`;
  return { sha256: createHash('sha256').update(head).update(data).digest('hex'), width, height };
}
