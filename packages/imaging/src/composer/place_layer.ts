import { placeBy, resolveBox, resolveLength, wholeBox } from '../editor/lengths.ts';
import { CANVAS_PIXELS_MAX } from '../editor/limits.ts';
import { invalidOperation } from '../editor/refuse.ts';
import type { Size } from '../pixels/plane.ts';
import type { Part } from '../resample/resample.ts';
import type { Layer } from './layers.ts';

type Placed = Pick<Layer, 'box' | 'gravity' | 'margin' | 'width' | 'height'>;

interface Placing {
  /** The cell from a layout. */
  readonly cell?: Part | undefined;
  readonly dpi: number;
  /** Size of a layer without its own. Default: the canvas minus the margin. */
  readonly size?: Size | undefined;
}

/** The box of a layer in whole pixels: its own, that of its cell, or from gravity, margin and size. @throws OperationRefused */
export function placeOf(layer: Placed, canvas: Size, { cell, dpi, size }: Placing): Part {
  const box = wholeBox(
    layer.box ? resolveBox(layer.box, canvas, dpi) : (cell ?? byGravity(layer, canvas, { dpi, size })),
  );
  if (box.width < 1 || box.height < 1)
    throw invalidOperation(`The box is ${box.width} × ${box.height} px. It needs at least 1 × 1.`);
  if (box.width * box.height > CANVAS_PIXELS_MAX)
    throw invalidOperation(`The box has more than ${CANVAS_PIXELS_MAX / 1e6} megapixels. Make it smaller.`);
  return box;
}

function byGravity(layer: Placed, canvas: Size, { dpi, size }: Pick<Placing, 'dpi' | 'size'>): Part {
  const { gravity = 'centre', width, height } = layer;
  const margin = marginOf(layer, canvas, dpi);
  const room = { width: canvas.width - 2 * margin, height: canvas.height - 2 * margin };
  const own = {
    width:
      width === undefined ? (size?.width ?? room.width) : resolveLength(width, { whole: canvas.width, dpi }),
    height:
      height === undefined
        ? (size?.height ?? room.height)
        : resolveLength(height, { whole: canvas.height, dpi }),
  };
  return placeBy(gravity, own, canvas, margin);
}

export const marginOf = ({ margin = 0 }: Placed, canvas: Size, dpi: number): number =>
  Math.max(0, resolveLength(margin, { whole: Math.min(canvas.width, canvas.height), dpi }));
