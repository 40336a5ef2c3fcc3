import type { Size } from '../pixels/plane.ts';

/** A decoded image: rows from the top, upright, alpha not premultiplied, samples in native byte order. */
export interface DecodedPicture {
  readonly width: number;
  readonly height: number;
  /** Grey, grey and alpha, RGB, RGBA. */
  readonly channels: 1 | 2 | 3 | 4;
  /** 8 or 16 bits per sample, using the full range. */
  readonly data: Uint8Array | Uint16Array;
  /** ICC profile. If undefined, `cicp` applies, else sRGB. */
  readonly icc?: Uint8Array | undefined;
  /** Code points of ITU-T H.273, if the file has them and no ICC profile. */
  readonly cicp?: CodingPoints | undefined;
  /** Number of pages or images in the file, if more than one. */
  readonly pages?: number | undefined;
  /** Number of frames of an animation, if more than one. */
  readonly frames?: number | undefined;
  /** Sentences for the client about repaired, omitted or selected content. */
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
  /** Number of loops; 0 is infinite. */
  readonly loop: number;
}

export interface AnimationFrame {
  /** RGBA in 8 bits, sRGB, alpha not premultiplied. */
  readonly data: Uint8Array;
  readonly delayMs: number;
}

/** Formats decoded in this folder instead of sharp; for AVIF and TIFF, only files that sharp rejects. */
export type DecodedFormat = 'heic' | 'avif' | 'bmp' | 'ico' | 'psd' | 'svg' | 'pdf' | 'jxl' | 'raw' | 'tiff';

/** WebAssembly modules of decoders, by package. */
export type DecoderModule =
  | 'libheif-js'
  | '@embedpdf/pdfium'
  | '@resvg/resvg-wasm'
  | '@jsquash/jxl'
  | 'harfbuzzjs'
  | 'zxing-wasm';

/** Files for decoders, opened by the service. */
export interface DecoderResources {
  /** A module's bytes; undefined if its optional package is not installed. */
  readModule(name: DecoderModule): Uint8Array<ArrayBuffer> | undefined;
  /** Fonts for the text of an SVG, TTF or WOFF2. */
  readFonts(): readonly Uint8Array[];
}

export interface DecodeOptions {
  /** Page of a PDF, TIFF or icon, or image of a HEIC, from 1. Default: the first page, or the primary or largest image. */
  readonly page?: number | undefined;
  /** Pixels per inch of a PDF or SVG, which are vector formats. Default: 150 and 96. */
  readonly dpi?: number | undefined;
  /** Whether a PDF page is rendered on a transparent background instead of white. */
  readonly isClear?: boolean | undefined;
  /** Target size in pixels: an SVG or PDF page is rendered at least as large, so that it is not enlarged afterwards. */
  readonly drawnFor?: Size | undefined;
  readonly resources: DecoderResources;
}

/**
 * Decodes one image of a file.
 * @throws EngineError undecodable_image, unsupported_image, image_too_large, invalid_input; no other errors, whatever the bytes
 */
export type Decoder = (bytes: Uint8Array, options: DecodeOptions) => DecodedPicture | Promise<DecodedPicture>;

/** An opened file with several images. */
export interface OpenDocument {
  readonly pages: number;
  /**
   * @param page from 1. Default: the first page, or the primary or largest image
   * @throws EngineError like a decoder
   */
  picture(page?: number): Promise<DecodedPicture>;
}
