import type { Sharp } from 'sharp';
import { PALETTE_COLORS } from './limits.ts';

/** Formats that a single libvips pipeline writes. */
export type StillFormat = 'png' | 'jpeg' | 'webp' | 'avif' | 'gif' | 'tiff';

export interface StillOptions {
  readonly format: StillFormat;
  /** 1 to 100, for lossy encoding. */
  readonly quality: number;
  /** Default: true for PNG and TIFF, false for the others. A lossy PNG uses a palette. */
  readonly isLossless?: boolean | undefined;
  /** Dots per inch; written here for TIFF only, and by `setDensity` for the others. */
  readonly dpi?: number | undefined;
  /** Hex colour to flatten transparency onto, for formats without alpha. */
  readonly background?: string | undefined;
  /** Takes about 3 times as long for 5 to 15 % fewer bytes. */
  readonly isCompact?: boolean | undefined;
  /** For a WebP with transparency a quarter of the time: 46 ms of CPU instead of 195 for 1.2 megapixels. */
  readonly isQuick?: boolean | undefined;
}

/** Default background for formats without transparency. */
export const WHITE = '#ffffff';
/** From this quality, JPEG uses full chroma resolution. */
const FULL_CHROMA_QUALITY = 90;

/**
 * Pipeline that encodes an image. AVIF uses effort 2: effort 4 takes 6.6 times as long for 6 % fewer bytes. WebP effort 2 takes half the
 * time of 4, and standard JPEG Huffman tables half the time of optimised ones, each for 1 % more bytes.
 */
export const encodeStill = (picture: Sharp, options: StillOptions): Sharp =>
  ENCODERS[options.format](picture, options);

const chromaOf = (quality: number) => (quality >= FULL_CHROMA_QUALITY ? '4:4:4' : '4:2:0');
const onBackground = (picture: Sharp, { background = WHITE }: StillOptions): Sharp =>
  picture.flatten({ background });

const ENCODERS: Readonly<Record<StillFormat, (picture: Sharp, options: StillOptions) => Sharp>> = {
  png: (picture, { isLossless = true, quality, isCompact = false }) =>
    isLossless
      ? picture.png({ compressionLevel: 6, adaptiveFiltering: isCompact })
      : picture.png({ palette: true, colours: colorsOf(quality), effort: 4 }),
  jpeg: (picture, options) =>
    onBackground(picture, options).jpeg({
      quality: options.quality,
      chromaSubsampling: chromaOf(options.quality),
      progressive: options.isCompact ?? false,
      optimizeCoding: options.isCompact ?? false,
    }),
  webp: (picture, { quality, isLossless = false, isCompact = false, isQuick = false }) =>
    picture.webp(
      isLossless ? { lossless: true, effort: 2 } : { quality, effort: isQuick ? 0 : isCompact ? 4 : 2 },
    ),
  avif: (picture, { quality, isLossless = false }) =>
    picture.avif(
      isLossless
        ? { lossless: true, effort: 2 }
        : { quality, effort: 2, chromaSubsampling: chromaOf(quality) },
    ),
  gif: (picture, { quality }) => picture.gif({ effort: 4, colours: colorsOf(quality) }),
  tiff: (picture, { quality, isLossless = true, ...options }) =>
    isLossless
      ? picture.tiff({ compression: 'deflate', predictor: 'horizontal', ...resolutionOf(options) })
      : onBackground(picture, { quality, ...options }).tiff({
          compression: 'jpeg',
          quality,
          ...resolutionOf(options),
        }),
};

/** Palette colours by quality: all at 100, at least two. */
const colorsOf = (quality: number): number => Math.max(2, Math.round((PALETTE_COLORS * quality) / 100));

const MM_PER_INCH = 25.4;
/** Pixels per millimetre, the unit of libvips. */
const resolutionOf = ({ dpi }: Pick<StillOptions, 'dpi'>) =>
  dpi === undefined ? {} : { xres: dpi / MM_PER_INCH, yres: dpi / MM_PER_INCH };
