import type { ColorCoding } from '../color/color_coding.ts';

/** Where a file says what its colours are, in the order browsers ask. */
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
  /** Of one sample. */
  readonly bits: number;
  /** Samples of a pixel as stored, those beside the colours included. */
  readonly channels: number;
  readonly model: SampleModel;
  readonly isFloat?: boolean;
  readonly isSigned?: boolean;
  /** What is beside the colours of each pixel. `other` is a spot colour, a mask, or unspecified. */
  readonly extra: readonly ('alpha' | 'premultiplied' | 'other')[];
}

/** Which of several pictures in the file is the picture, from 1. */
export interface Choice {
  readonly used: number;
  readonly of: number;
  /** The file counts others as part of the document: pages of a letter, not smaller copies of this one. */
  readonly losesOthers: boolean;
}

export interface Animation {
  readonly frames: number;
  /** Of one round. */
  readonly milliseconds: number;
  /** How often it plays; 0 is for ever. */
  readonly loop: number;
}

/** What a file says about the picture in it, read from its structure alone. */
export interface FileIdentity {
  /** As stored, before orientation. */
  readonly width: number;
  readonly height: number;
  /** As in Exif, 1 to 8: what turns the stored picture upright. */
  readonly orientation: number;
  readonly samples: SampleIdentity;
  readonly color: {
    readonly source: ColorSource;
    readonly profile?: Uint8Array | undefined;
    /** What has to be converted, where no ICC profile says so. */
    readonly coding?: ColorCoding | undefined;
  };
  readonly hdr?: 'PQ' | 'HLG' | 'gain map' | undefined;
  /** Coordinates of where it was taken. */
  readonly hasLocation: boolean;
  readonly pages?: Choice | undefined;
  readonly animation?: Animation | undefined;
  /** AVIF: decoders count more pictures than one, and may not begin with the primary. */
  readonly isAmbiguous?: boolean | undefined;
  /** How the pixels are compressed, in the words of the format. */
  readonly compression: string;
  /** Harmless faults, as clauses: "its Software text does not end in a zero byte". */
  readonly faults: readonly string[];
  /** TIFF: where the directory of the picture lies. */
  readonly directory?: number | undefined;
}

/** The compression of an AVIF that has frames and no still picture. */
export const SEQUENCE = 'sequence';
export const UNKNOWN_COLOR = { source: 'default' } as const;
/** Frames, pages and boxes counted at most; a file of more is counted as this many. */
export const PARTS_COUNTED_MAX = 20_000;
