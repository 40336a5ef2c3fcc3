import type { QrPlan, QrRequest } from '../drawing/draw_qr.ts';
import type { ShapeRequest } from '../drawing/draw_shape.ts';
import type { DrawnLayer } from '../drawing/layer.ts';
import type { BlendMode } from '../editor/operations.ts';
import type { Box } from '../pixels/box.ts';
import type { Size } from '../pixels/plane.ts';
import type { DeepRaster } from '../pixels/raster.ts';
import type { Part } from '../resample/resample.ts';
import type { TextFacts, TextWish } from '../typography/draw_text.ts';

/** How a layer is composited over the layers below it. */
export interface Compositing {
  readonly opacity?: number | undefined;
  readonly blend?: BlendMode | undefined;
  /** Link target of an area of the sheet. */
  readonly link?: { readonly address: string; readonly part: Part } | undefined;
}

/** An image with its position. Lengths in px of the canvas. */
export interface PlacedImage {
  readonly raster: DeepRaster;
  /** The original file. */
  readonly file: Uint8Array;
  readonly part: Part;
  /** Whether it covers the part with a centre crop; otherwise it is stretched. */
  readonly isCover: boolean;
  /** Radius of the corners. */
  readonly radius: number;
  /** Degrees clockwise about the centre of the part. */
  readonly rotate: number;
  /** Applies a mask to the pixels of the part. @param scale pixels of the raster per px of the canvas */
  mask?(raster: DeepRaster, scale: number): Promise<DeepRaster>;
}

/** Target of a drawing: pixels, or the marks of a page. `Sheet` takes layers; `Drawn` is a drawn layer. */
export interface Surface<Sheet extends Size, Drawn> {
  sheet(size: Size, background: string): Sheet;
  lay(sheet: Sheet, drawn: Drawn, compositing: Compositing): void;
  /** Converts a sheet to one layer. */
  asLayer(sheet: Sheet, part: Part, rotate: number): Promise<Drawn>;
  image(image: PlacedImage): Promise<Drawn>;
  text(wish: TextWish, canvas: Size): Promise<{ readonly drawn: Drawn; readonly facts: TextFacts }>;
  /** Pixels with their position. */
  pixels(drawn: DrawnLayer): Promise<Drawn>;
  shape(wish: ShapeRequest, canvas: Size): Promise<{ readonly drawn: Drawn; readonly box: Box }>;
  qr(wish: QrRequest, rotate: number): Promise<{ readonly drawn: Drawn; readonly facts: QrPlan['facts'] }>;
}
