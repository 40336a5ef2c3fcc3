/** Output formats. `apng`, `gif` and `webp` support frames; `pdf` and `tiff` support pages. */
export const OUTPUT_FORMATS = ['png', 'jpeg', 'webp', 'avif', 'gif', 'tiff', 'pdf', 'ico', 'apng'] as const;
export type OutputFormat = (typeof OUTPUT_FORMATS)[number];

export interface FormatTraits {
  readonly contentType: string;
  /** Absent: transparency is flattened onto a background. `binary`: a pixel is either opaque or transparent. */
  readonly alpha?: 'full' | 'binary';
  readonly hasFrames?: true;
  readonly hasPages?: true;
  /** Supported kinds of compression; with `both`, `lossless` selects one. */
  readonly coding: 'lossless' | 'lossy' | 'both';
  /** Default quality if neither quality nor lossless is requested; undefined means lossless. */
  readonly quality?: number;
  /** Largest side in pixels. */
  readonly sideMax: number;
  /** Larger images are scaled down to fit instead of rejected. */
  readonly isReduced?: true;
}

/** Largest sides: PNG and TIFF 2³¹; JPEG T.81 B.2.2; VP8 14 bits; GIF89a 18; libheif rejects more than 16,384; PDF 1.7 Annex C. */
export const FORMAT_TRAITS: Readonly<Record<OutputFormat, FormatTraits>> = {
  png: { contentType: 'image/png', alpha: 'full', coding: 'both', sideMax: 100_000 },
  jpeg: { contentType: 'image/jpeg', coding: 'lossy', quality: 85, sideMax: 65_500 },
  webp: {
    contentType: 'image/webp',
    alpha: 'full',
    hasFrames: true,
    coding: 'both',
    quality: 82,
    sideMax: 16_383,
  },
  avif: { contentType: 'image/avif', alpha: 'full', coding: 'both', quality: 60, sideMax: 16_384 },
  gif: {
    contentType: 'image/gif',
    alpha: 'binary',
    hasFrames: true,
    coding: 'lossy',
    quality: 100,
    sideMax: 65_535,
  },
  tiff: { contentType: 'image/tiff', alpha: 'full', hasPages: true, coding: 'both', sideMax: 100_000 },
  pdf: { contentType: 'application/pdf', hasPages: true, coding: 'both', quality: 85, sideMax: 65_500 },
  ico: { contentType: 'image/x-icon', alpha: 'full', coding: 'lossless', sideMax: 256, isReduced: true },
  apng: { contentType: 'image/apng', alpha: 'full', hasFrames: true, coding: 'lossless', sideMax: 100_000 },
};

/** Display names. */
export const FORMAT_NAMES: Readonly<Record<OutputFormat, string>> = {
  png: 'PNG',
  jpeg: 'JPEG',
  webp: 'WebP',
  avif: 'AVIF',
  gif: 'GIF',
  tiff: 'TIFF',
  pdf: 'PDF',
  ico: 'ICO',
  apng: 'APNG',
};
