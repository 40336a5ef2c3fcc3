import type { ColorSpace } from '../pdf/color_space.ts';
import type { Font } from '../pdf/fonts.ts';
import type { PdfImage } from '../pdf/images.ts';
import type { PdfDictionary } from '../pdf/values.ts';
import type { Box, Matrix, Point } from './matrix.ts';

/** A colour as it was set. */
export interface Paint {
  readonly space: ColorSpace;
  readonly values: readonly number[];
  /** Name of the pattern painted with. */
  readonly pattern?: string | undefined;
  /** Of a gradient of inks: the colour that takes the most of them. */
  readonly inkiest?: readonly number[] | undefined;
}

/** Something a page's content paints. */
export interface Mark {
  readonly kind: 'fill' | 'stroke' | 'text' | 'image' | 'shading';
  /** What of the page it can touch, as far as its clip lets it. */
  readonly box: Box;
  readonly paint: Paint;
  readonly alpha: number;
  readonly blend: string;
  readonly hasSoftMask: boolean;
  readonly overprint: boolean;
  readonly overprintMode: number;
  /** "image Im1", "text in Helvetica", "line". */
  readonly object: string;
  /** Strokes: in points; 0 is the thinnest the device has. */
  readonly lineWidth?: number;
  /** Text: height of its size on the page in points. */
  readonly fontSize?: number;
  readonly font?: Font | undefined;
  /** Text that is neither filled nor stroked. */
  readonly isInvisible?: boolean;
  /** Painted by a tiling pattern: its box is that of the clip, and what uses the pattern is a mark of its own. */
  readonly isOfTile?: boolean;
  readonly image?: PdfImage;
  /** Images: from the unit square to the page. */
  readonly matrix?: Matrix;
  /** Pixels an inch as it lies there, the lower of both directions. */
  readonly dpi?: number;
  /** Corners, for the drawing. */
  readonly outline?: readonly (readonly Point[])[];
}

/** What paints, beside the numbers of one page. */
export interface State {
  readonly ctm: Matrix;
  readonly clip: Box;
  readonly fill: Paint;
  readonly stroke: Paint;
  readonly lineWidth: number;
  readonly fillAlpha: number;
  readonly strokeAlpha: number;
  readonly blend: string;
  readonly hasSoftMask: boolean;
  readonly overprintFill: boolean;
  readonly overprintStroke: boolean;
  readonly overprintMode: number;
  readonly font: Font | undefined;
  readonly fontSize: number;
  readonly characterSpace: number;
  readonly wordSpace: number;
  readonly stretch: number;
  readonly leading: number;
  readonly rise: number;
  readonly renderMode: number;
}

/** Resources by kind, of the page or of the form its content calls. */
export type Resources = PdfDictionary | undefined;
