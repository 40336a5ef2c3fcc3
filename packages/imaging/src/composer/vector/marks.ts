import type { Rgba } from '../../color/css_color.ts';
import type { Affine, Outlines } from '../../drawing/outline.ts';
import type { BlendMode } from '../../editor/operations.ts';
import type { Size } from '../../pixels/plane.ts';
import type { Part } from '../../resample/resample.ts';
import type { PlacedGlyph } from '../../typography/paragraph.ts';

/** A coded image. An SVG takes its transparency in the PNG, a PDF as a second one. `inks`: deflated rows of four inks a pixel. */
export interface CodedImage extends Size {
  readonly kind: 'jpeg' | 'png' | 'inks';
  readonly file: Uint8Array;
  /** A grey PNG of the opacity. */
  readonly opacity?: Uint8Array | undefined;
}

/** Something on a page. Lengths in px of the sheet it is on, y downwards. */
export type Mark =
  | { readonly kind: 'fill'; readonly outlines: Outlines; readonly color: Rgba; readonly isCrisp?: boolean }
  | ImageMark
  | LineMark
  | GroupMark
  | LinkMark;

export interface ImageMark {
  readonly kind: 'image';
  readonly image: CodedImage;
  /** From a square of side 1, y downwards. */
  readonly place: Affine;
  readonly clip?: Outlines | undefined;
}

/** A line of text. */
export interface LineMark {
  readonly kind: 'line';
  readonly text: string;
  /** Those that are filled with the colour; glyphs of several colours are an image. */
  readonly glyphs: readonly PlacedGlyph[];
  /** From em of the line, y downwards. */
  readonly place: Affine;
  readonly color: Rgba;
}

/** A part that leads to an address; nothing is drawn. */
export interface LinkMark {
  readonly kind: 'link';
  readonly address: string;
  readonly part: Part;
}

/** Marks that are drawn together and then laid over what is below as one. */
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
  /** Around the page, px. */
  readonly bleed: number;
}
