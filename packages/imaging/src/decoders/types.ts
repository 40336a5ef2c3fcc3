import type { Size } from '../pixels/plane.ts';

/** A picture as its decoder returns it: rows from the top, upright, alpha not premultiplied, samples in native byte order. */
export interface DecodedPicture {
  readonly width: number;
  readonly height: number;
  /** Grey, grey and alpha, RGB, RGBA. */
  readonly channels: 1 | 2 | 3 | 4;
  /** 8 or 16 bits a sample, using the full range. */
  readonly data: Uint8Array | Uint16Array;
  /** ICC profile. Absent with `cicp`: as that says. Absent without: sRGB. */
  readonly icc?: Uint8Array | undefined;
  /** Code points of ITU-T H.273, where the file describes its colours by them and has no ICC profile. */
  readonly cicp?: CodingPoints | undefined;
  /** Pages or pictures in the file, where more than one. */
  readonly pages?: number | undefined;
  /** Frames of an animation, where more than one. */
  readonly frames?: number | undefined;
  /** Sentences for the client: what was repaired, left out or chosen. */
  readonly warnings: readonly string[];
}

export interface CodingPoints {
  readonly primaries: number;
  readonly transfer: number;
}

/** Every frame of an animation, composited to the full canvas. */
export interface DecodedAnimation {
  readonly width: number;
  readonly height: number;
  readonly frames: readonly AnimationFrame[];
  /** How often it plays; 0 is without end. */
  readonly loop: number;
}

export interface AnimationFrame {
  /** RGBA in 8 bits, sRGB, alpha not premultiplied. */
  readonly data: Uint8Array;
  readonly delayMs: number;
}

/** What sharp does not read and a decoder of this folder does; of AVIF and TIFF, files that sharp refuses. */
export type DecodedFormat = 'heic' | 'avif' | 'bmp' | 'ico' | 'psd' | 'svg' | 'pdf' | 'jxl' | 'raw' | 'tiff';

/** The WebAssembly modules of decoders, by the packages that contain them. */
export type DecoderModule =
  | 'libheif-js'
  | '@embedpdf/pdfium'
  | '@resvg/resvg-wasm'
  | '@jsquash/jxl'
  | 'harfbuzzjs'
  | 'zxing-wasm';

/** Files that decoders need and that the service opens for them. */
export interface DecoderResources {
  /** A module's bytes; undefined where its optional package is not installed. */
  readModule(name: DecoderModule): Uint8Array<ArrayBuffer> | undefined;
  /** Fonts for the text of an SVG, TTF or WOFF2. */
  readFonts(): readonly Uint8Array[];
}

export interface DecodeOptions {
  /** Page of a PDF, TIFF or icon, picture of a HEIC, from 1. Absent: the first page, the primary or largest picture. */
  readonly page?: number | undefined;
  /** Pixels an inch of a PDF or SVG, which have no pixels of their own. Absent: 150 and 96. */
  readonly dpi?: number | undefined;
  /** Whether a page of a PDF is drawn on nothing instead of white: only what it paints is opaque. */
  readonly isClear?: boolean | undefined;
  /** Size in pixels that a drawing is made for: an SVG or a page of a PDF is drawn at least as large, so that nothing is enlarged afterwards. */
  readonly drawnFor?: Size | undefined;
  readonly resources: DecoderResources;
}

/**
 * Decodes one picture of a file.
 * @throws EngineError undecodable_image, unsupported_image, image_too_large, invalid_input; nothing else, whatever the bytes
 */
export type Decoder = (bytes: Uint8Array, options: DecodeOptions) => DecodedPicture | Promise<DecodedPicture>;

/** A file of several pictures that is opened once. */
export interface OpenDocument {
  readonly pages: number;
  /**
   * @param page from 1; absent: the first page, the primary or largest picture
   * @throws EngineError as a decoder does
   */
  picture(page?: number): Promise<DecodedPicture>;
}
