import type { ColorSpace } from '../pdf/color_space.ts';
import type { Font } from '../pdf/fonts.ts';
import type { PdfImage } from '../pdf/images.ts';
import type { PdfDictionary } from '../pdf/values.ts';
import type { Box, Matrix, Point } from './matrix.ts';

/** A colour as the content sets it. */
export interface Paint {
  readonly space: ColorSpace;
  readonly values: readonly number[];
  /** Pattern name. */
  readonly pattern?: string | undefined;
  /** For a gradient in inks: the colour with the highest total area coverage. */
  readonly maxCoverageColor?: readonly number[] | undefined;
}

/** A graphics object painted by the content of a page (ISO 32000-1, 8.2). */
export interface Mark {
  readonly kind: 'fill' | 'stroke' | 'text' | 'image' | 'shading';
  /** Bounding box, limited to the clip area. */
  readonly box: Box;
  readonly paint: Paint;
  readonly alpha: number;
  readonly blend: string;
  readonly hasSoftMask: boolean;
  readonly overprint: boolean;
  readonly overprintMode: number;
  /** "image Im1", "text in Helvetica", "line". */
  readonly object: string;
  /** Strokes: line width in points. 0 is the thinnest line of the device. */
  readonly lineWidth?: number;
  /** Text: font size on the page in points. */
  readonly fontSize?: number;
  readonly font?: Font | undefined;
  /** Text in rendering mode 3: neither filled nor stroked. */
  readonly isInvisible?: boolean;
  /** Painted by a tiling pattern: the box is the clip area, and the object that uses the pattern is a separate mark. */
  readonly isInPattern?: boolean;
  readonly image?: PdfImage;
  /** Images: matrix from the unit square to the page. */
  readonly matrix?: Matrix;
  /** Effective resolution of an image, the lower of both directions. */
  readonly dpi?: number;
  /** Outline for the page drawing. */
  readonly outline?: readonly (readonly Point[])[];
}

/** Graphics and text state. ISO 32000-1, 8.4 and 9.3 */
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

/** Resource dictionary of the page or form. */
export type Resources = PdfDictionary | undefined;
