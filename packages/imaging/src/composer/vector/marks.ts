import type { Rgba } from '../../color/css_color.ts';
import type { Affine, Outlines } from '../../drawing/outline.ts';
import type { BlendMode } from '../../editor/operations.ts';
import type { Size } from '../../pixels/plane.ts';
import type { Part } from '../../resample/resample.ts';
import type { PlacedGlyph } from '../../typography/paragraph.ts';

/** An encoded image. An SVG has its transparency in the PNG, a PDF as a separate image. `inks`: deflated rows with four inks per pixel. */
export interface CodedImage extends Size {
  readonly kind: 'jpeg' | 'png' | 'inks';
  readonly file: Uint8Array;
  /** A greyscale PNG of the alpha channel. */
  readonly opacity?: Uint8Array | undefined;
}

/** A mark on a page. Lengths in px of its sheet, y downwards. */
export type Mark =
  | { readonly kind: 'fill'; readonly outlines: Outlines; readonly color: Rgba; readonly isCrisp?: boolean }
  | ImageMark
  | LineMark
  | GroupMark
  | LinkMark;

export interface ImageMark {
  readonly kind: 'image';
  readonly image: CodedImage;
  /** Maps a unit square, y downwards. */
  readonly place: Affine;
  readonly clip?: Outlines | undefined;
}

/** A line of text. */
export interface LineMark {
  readonly kind: 'line';
  readonly text: string;
  /** Glyphs filled with the colour; multicoloured glyphs are an image. */
  readonly glyphs: readonly PlacedGlyph[];
  /** Maps em of the line, y downwards. */
  readonly place: Affine;
  readonly color: Rgba;
}

/** A linked area; draws nothing. */
export interface LinkMark {
  readonly kind: 'link';
  readonly address: string;
  readonly part: Part;
}

/** Marks that are drawn together and composited as one. */
export interface GroupMark {
  readonly kind: 'group';
  readonly marks: readonly Mark[];
  readonly matrix?: Affine | undefined;
  readonly clip?: Outlines | undefined;
  readonly opacity: number;
  readonly blend: BlendMode;
}

/** Marks on a page, the first at the bottom. */
export interface Sheet extends Size {
  readonly background: Rgba;
  readonly marks: Mark[];
}

export interface DrawingPage extends Sheet {
  readonly dpi: number;
  /** Bleed around the page, px. */
  readonly bleed: number;
}
