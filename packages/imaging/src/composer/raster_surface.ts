import { drawQr } from '../drawing/draw_qr.ts';
import { drawShape } from '../drawing/draw_shape.ts';
import type { DrawnLayer } from '../drawing/layer.ts';
import { coverageMask } from '../drawing/mask.ts';
import { flatten } from '../drawing/outline.ts';
import { rectangle } from '../drawing/shape_outlines.ts';
import { layerOf } from '../editor/blend.ts';
import { Canvas } from '../editor/canvas.ts';
import { parseColor } from '../editor/colors.ts';
import { NOTHING_FOUND } from '../editor/context.ts';
import { applyOperations } from '../editor/edit_picture.ts';
import { coverLayer, scaleLayer } from '../editor/operations/fill_layers.ts';
import { withAlpha } from '../editor/rows.ts';
import { sourceOfRaster } from '../editor/source.ts';
import type { Size } from '../pixels/plane.ts';
import type { DeepRaster, Raster } from '../pixels/raster.ts';
import type { Part } from '../resample/resample.ts';
import { drawText, type TextResources } from '../typography/draw_text.ts';
import type { Compositing, Surface } from './surface.ts';

/** Draws a document as pixels: encoded sRGB, 8 bits. */
export const rasterSurface = (resources: TextResources): Surface<Raster, DrawnLayer> => ({
  sheet: ({ width, height }, background) => filledRaster({ width, height, background }),
  lay: layOver,
  asLayer: turned,
  async image({ raster, part, isCover, radius, rotate, mask }) {
    const scaled = isCover ? coverLayer(raster, part, 8) : scaleLayer(raster, part, 8);
    const masked = mask ? await mask(scaled, 1) : scaled;
    const whole = withAlpha(masked) as Raster;
    return turned(radius > 0 ? roundCorners(whole, radius) : whole, part, rotate);
  },
  pixels: async (drawn) => drawn,
  async text(wish, canvas) {
    const { facts, ...drawn } = await drawText(wish, canvas, resources);
    return { drawn, facts };
  },
  async shape(wish, canvas) {
    const drawn = drawShape(wish, canvas);
    const { left, top, raster } = drawn;
    return { drawn, box: { x: left, y: top, width: raster?.width ?? 0, height: raster?.height ?? 0 } };
  },
  async qr(wish, rotate) {
    const { facts, raster } = drawQr(wish);
    const { x, y, width, height } = facts.box;
    return { drawn: await turned(raster!, { left: x, top: y, width, height }, rotate), facts };
  },
});

function filledRaster({ width, height, background }: Size & { readonly background: string }): Raster {
  const color = parseColor(background).map((value) => Math.round(255 * value));
  const data = new Uint8Array(4 * width * height);
  if (color[3]! > 0) new Uint32Array(data.buffer).fill(new Uint32Array(Uint8Array.from(color).buffer)[0]!);
  return { width, height, channels: 4, data };
}

/** Blends a layer into the canvas in place. */
function layOver(
  base: Raster,
  { raster, left, top }: DrawnLayer,
  { opacity = 1, blend = 'normal' }: Compositing,
): void {
  if (!raster) return;
  const lay = layerOf(blend);
  const [from, to] = [Math.max(0, left), Math.min(base.width, left + raster.width)];
  const [first, last] = [Math.max(0, top), Math.min(base.height, top + raster.height)];
  const pixel = new Float32Array(4);
  for (let y = first; y < last; y += 1) {
    let under = 4 * (y * base.width + from);
    let over = 4 * ((y - top) * raster.width + from - left);
    for (let x = from; x < to; x += 1, under += 4, over += 4) {
      const alpha = (raster.data[over + 3]! / 255) * opacity;
      if (alpha === 0) continue;
      for (let channel = 0; channel < 4; channel += 1) pixel[channel] = base.data[under + channel]! / 255;
      lay(
        pixel,
        0,
        raster.data[over]! / 255,
        raster.data[over + 1]! / 255,
        raster.data[over + 2]! / 255,
        alpha,
      );
      for (let channel = 0; channel < 4; channel += 1)
        base.data[under + channel] = Math.round(255 * pixel[channel]!);
    }
  }
}

function roundCorners(raster: Raster, px: number): Raster {
  const { width, height } = raster;
  const outline = flatten(rectangle({ x: 0, y: 0, width, height }, px), [1, 0, 0, 1, 0, 0]);
  const { data: shares } = coverageMask([outline], { left: 0, top: 0, width, height });
  const data = raster.data.slice();
  for (let at = 0; at < shares.length; at += 1)
    data[4 * at + 3] = Math.round((data[4 * at + 3]! * shares[at]!) / 255);
  return { ...raster, data };
}

/** Rotates a layer about the centre of its box. */
async function turned(
  raster: Raster,
  { left, top, width, height }: Part,
  degrees: number,
): Promise<DrawnLayer> {
  if (degrees === 0) return { raster, left, top };
  const canvas = new Canvas(sourceOfRaster(raster));
  const rotate = { op: 'rotate', degrees, background: 'transparent', expand: true } as const;
  await applyOperations(canvas, [rotate], {
    dpi: 96,
    image: notThere,
    text: notThere,
    findings: NOTHING_FOUND,
  });
  const made = withAlpha((await canvas.pixels(8)) as DeepRaster) as Raster;
  return {
    raster: made,
    left: Math.round(left + (width - made.width) / 2),
    top: Math.round(top + (height - made.height) / 2),
  };
}

function notThere(): never {
  throw new Error('a rotation uses no other file');
}
