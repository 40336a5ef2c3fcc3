import type { ColorCoding } from '../color/color_coding.ts';

/** Where a file defines its colours, in the order of precedence in browsers. */
export type ColorSource =
  | 'icc'
  | 'cicp'
  | 'nclx'
  | 'srgb'
  | 'gama_chrm'
  | 'exif'
  | 'tiff_tags'
  /** It says nothing, and sRGB is meant. */
  | 'default';

export type SampleModel = 'grey' | 'rgb' | 'palette' | 'cmyk' | 'ycbcr' | 'lab' | 'mask' | 'other';

export interface SampleIdentity {
  /** Bits per sample. */
  readonly bits: number;
  /** Stored samples per pixel, extra channels included. */
  readonly channels: number;
  readonly model: SampleModel;
  readonly isFloat?: boolean;
  readonly isSigned?: boolean;
  /** Kinds of the extra channels. `other` is a spot colour, a mask, or unspecified. */
  readonly extra: readonly ('alpha' | 'premultiplied' | 'other')[];
}

/** The selected image of a file with several, from 1. */
export interface Choice {
  readonly used: number;
  readonly of: number;
  /** The other images are part of the document, such as pages of a letter, and not reduced copies of the selected one. */
  readonly losesOthers: boolean;
}

export interface Animation {
  readonly frames: number;
  /** Duration of one loop. */
  readonly milliseconds: number;
  /** Number of loops; 0 is infinite. */
  readonly loop: number;
}

/** Properties of the image in a file, read from its structure alone. */
export interface FileIdentity {
  /** As stored, before orientation is applied. */
  readonly width: number;
  readonly height: number;
  /** Exif orientation, 1 to 8, that turns the stored image upright. */
  readonly orientation: number;
  readonly samples: SampleIdentity;
  readonly color: {
    readonly source: ColorSource;
    readonly profile?: Uint8Array | undefined;
    /** Colours to convert from, if no ICC profile describes them. */
    readonly coding?: ColorCoding | undefined;
  };
  readonly hdr?: 'PQ' | 'HLG' | 'gain map' | undefined;
  /** Coordinates of the place where it was taken. */
  readonly hasLocation: boolean;
  readonly pages?: Choice | undefined;
  readonly animation?: Animation | undefined;
  /** AVIF: decoders count several images, and the primary one may not be the first. */
  readonly isAmbiguous?: boolean | undefined;
  /** Compression of the pixels, in the terms of the format. */
  readonly compression: string;
  /** Harmless faults, as clauses: "its Software text does not end in a zero byte". */
  readonly faults: readonly string[];
  /** TIFF: offset of the image's directory. */
  readonly directory?: number | undefined;
}

/** Compression of an AVIF with frames but no still image. */
export const SEQUENCE = 'sequence';
export const UNKNOWN_COLOR = { source: 'default' } as const;
/** Limit on counted frames, pages and boxes; larger counts are reported as this value. */
export const PARTS_COUNTED_MAX = 20_000;
