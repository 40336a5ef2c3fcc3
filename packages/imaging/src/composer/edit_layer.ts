import type { DrawnLayer, Region } from '../drawing/layer.ts';
import { joinRegions } from '../drawing/mask.ts';
import { Canvas } from '../editor/canvas.ts';
import { type EditContext, NOTHING_FOUND } from '../editor/context.ts';
import { type AppliedOperation, applyOperations } from '../editor/edit_picture.ts';
import { type Length, resolveLength } from '../editor/lengths.ts';
import { BLUR_SIGMA_MAX } from '../editor/limits.ts';
import type { Operation } from '../editor/operations.ts';
import { withAlpha } from '../editor/rows.ts';
import { sourceOfRaster } from '../editor/source.ts';
import type { Size } from '../pixels/plane.ts';
import type { DeepRaster, Raster } from '../pixels/raster.ts';
import type { Drawer } from './drawer.ts';
import type { ImageLayer, Layer, LayerMask } from './layers.ts';

/** Whether a layer must be rasterised before compositing. */
export const isEdited = ({ operations = [], mask }: Layer): boolean =>
  operations.length > 0 || mask !== undefined;

const contextOf = ({ context, dpi }: Drawer, findings = NOTHING_FOUND): EditContext => ({
  ...context,
  dpi,
  findings,
});

/** Applies the operations of a layer to its image, at full resolution. @throws EngineError with the index of the operation */
export async function editImage(
  raster: DeepRaster,
  { operations = [], image }: ImageLayer,
  drawer: Drawer,
): Promise<{ readonly raster: DeepRaster; readonly applied?: readonly AppliedOperation[] }> {
  if (operations.length === 0) return { raster };
  const canvas = new Canvas(sourceOfRaster(raster));
  const { applied } = await applyOperations(canvas, operations, contextOf(drawer, drawer.findings[image]));
  return { raster: withAlpha(await canvas.pixels(8)), applied };
}

/** Applies a mask, stretched to a raster with `scale` pixels per px of the canvas. */
export const maskOver =
  (mask: LayerMask, drawer: Drawer) =>
  async (raster: DeepRaster, scale: number): Promise<DeepRaster> => {
    const canvas = new Canvas(sourceOfRaster(raster));
    const scaled = (length: Length): Length => (typeof length === 'number' ? length * scale : length);
    const operation = {
      ...mask,
      op: 'mask',
      radius: scaled(mask.radius),
      feather: scaled(mask.feather),
    } as const;
    await applyOperations(canvas, [operation], { ...contextOf(drawer), dpi: drawer.dpi * scale });
    return canvas.pixels(8);
  };

interface Drawing {
  readonly drawn: DrawnLayer;
  /** The box of the layer, which a mask covers even where it is empty. */
  readonly box: Region;
  /** Centre of rotation, px of its sheet. */
  readonly pivot: { readonly x: number; readonly y: number };
}

/** Applies operations, mask and rotation to a drawn layer. Its position is kept: operations that enlarge it extend it on all sides. */
export async function editDrawing(
  { drawn, box, pivot }: Drawing,
  { operations = [], mask, rotate = 0 }: Layer,
  drawer: Drawer,
): Promise<{ readonly drawn: DrawnLayer; readonly applied: readonly AppliedOperation[] }> {
  const start = framed(drawn, box);
  const canvas = new Canvas(sourceOfRaster(start.raster));
  const margin = blurReach(operations, start.raster, drawer.dpi);
  if (margin > 0) canvas.replace(withMargin(start.raster, margin), { left: margin, top: margin });
  const context = contextOf(drawer);
  const { applied } = await applyOperations(canvas, operations, context);
  const after: Operation[] = [
    ...(mask ? [{ ...mask, op: 'mask' } as const] : []),
    ...(rotate ? [{ op: 'rotate', degrees: rotate, background: 'transparent', expand: true } as const] : []),
  ];
  await applyOperations(canvas, after, context);
  const { x, y, width, height } = canvas.boxFromOrigin({ x: 0, y: 0, width: 1, height: 1 });
  const middle = turnedAbout(
    { x: start.left + start.raster.width / 2, y: start.top + start.raster.height / 2 },
    pivot,
    rotate,
  );
  const raster = withAlpha(await canvas.pixels(8)) as Raster;
  const left = Math.round(middle.x - (x + width / 2));
  return { drawn: { raster, left, top: Math.round(middle.y - (y + height / 2)) }, applied };
}

/** The drawing on a transparent background that also covers the box of its layer. */
function framed(
  { raster, left, top }: DrawnLayer,
  box: Region,
): { raster: Raster; left: number; top: number } {
  const drawn = raster && { left, top, width: raster.width, height: raster.height };
  const region = joinRegions(drawn, box)!;
  const data = new Uint8Array(4 * region.width * region.height);
  if (raster)
    for (let y = 0; y < raster.height; y += 1) {
      const from = 4 * y * raster.width;
      const to = 4 * ((top - region.top + y) * region.width + left - region.left);
      data.set(raster.data.subarray(from, from + 4 * raster.width), to);
    }
  const { width, height } = region;
  return { raster: { width, height, channels: 4, data }, left: region.left, top: region.top };
}

/** Maximum reach of blurs, in px: a drawn layer ends at its content, but a blur extends beyond it. */
function blurReach(operations: readonly Operation[], { width, height }: Size, dpi: number): number {
  const sigma = (amount: Length): number =>
    Math.min(BLUR_SIGMA_MAX, resolveLength(amount, { whole: Math.min(width, height), dpi }));
  const sum = operations.reduce(
    (all, operation) =>
      operation.op === 'blur' && operation.where === 'all' ? all + sigma(operation.amount ?? '2%') : all,
    0,
  );
  return Math.ceil(3 * Math.max(0, sum));
}

function withMargin(raster: Raster, margin: number): DeepRaster {
  const [width, height] = [raster.width + 2 * margin, raster.height + 2 * margin];
  const { data } = framed({ raster, left: margin, top: margin }, { left: 0, top: 0, width, height }).raster;
  return { width, height, channels: 4, data };
}

function turnedAbout(point: Drawing['pivot'], pivot: Drawing['pivot'], degrees: number): Drawing['pivot'] {
  const angle = (degrees * Math.PI) / 180;
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
  const [dx, dy] = [point.x - pivot.x, point.y - pivot.y];
  return { x: pivot.x + cos * dx - sin * dy, y: pivot.y + sin * dx + cos * dy };
}
