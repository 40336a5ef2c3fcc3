import { drawLabel } from '../../label/draw_label.ts';
import type { Size } from '../../pixels/plane.ts';
import type { DeepRaster } from '../../pixels/raster.ts';
import type { Part } from '../../resample/resample.ts';
import { layerOf } from '../blend.ts';
import { blurRaster } from '../blur.ts';
import { Canvas } from '../canvas.ts';
import { parseColor } from '../colors.ts';
import type { EditContext, Perform } from '../context.ts';
import { roundBoxRow } from '../cover_shapes.ts';
import { placeBy, resolveBox, resolveLength } from '../lengths.ts';
import type { BlendMode, OperationOf } from '../operations.ts';
import { invalidOperation } from '../refuse.ts';
import { withAlpha } from '../rows.ts';
import { sourceOfRaster } from '../source.ts';
import type { Stage } from '../stages.ts';
import { underColor } from '../under_color.ts';
import { scaleLayer } from './fill_layers.ts';
import { rotate } from './turn.ts';

type Overlay = OperationOf<'overlay'>;

export const overlay: Perform<Overlay> = async (canvas, operation, context) => {
  const turned = await turnedLayer(await context.image(operation.image), operation, context);
  const box = layerBox(canvas, turned, operation, context.dpi);
  const layer = withAlpha(scaleLayer(turned, box, 8));
  const margin = resolveLength(operation.margin, {
    whole: Math.min(canvas.width, canvas.height),
    dpi: context.dpi,
  });
  const places = operation.tile ? tilesOf(box, canvas, Math.max(0, Math.round(margin))) : [box];
  await canvas.addStage(layerStage(layer, places, operation));
  const settled = { ...operation, box: { x: box.left, y: box.top, width: box.width, height: box.height } };
  return { settled: operation.tile ? operation : settled, boxes: [box] };
};

async function turnedLayer(
  layer: DeepRaster,
  { rotate: degrees }: Overlay,
  context: EditContext,
): Promise<DeepRaster> {
  if (degrees === 0) return layer;
  const canvas = new Canvas(sourceOfRaster(layer));
  await rotate(canvas, { op: 'rotate', degrees, background: 'transparent', expand: true }, context);
  return canvas.pixels(8);
}

/** Position and size of a layer: fitted into a box, else by its gravity. */
function layerBox(canvas: Size, layer: Size, operation: Overlay, dpi: number): Part {
  const { gravity, width, height } = operation;
  if (operation.box) {
    const box = resolveBox(operation.box, canvas, dpi);
    if (!(box.width >= 0.5 && box.height >= 0.5))
      throw invalidOperation('The box of an overlay needs at least 1 × 1 px.');
    const size = fitted(layer, box);
    const left = Math.round(box.left + (box.width - size.width) / 2);
    return { left, top: Math.round(box.top + (box.height - size.height) / 2), ...size };
  }
  const margin = resolveLength(operation.margin, { whole: Math.min(canvas.width, canvas.height), dpi });
  const across = width === undefined ? undefined : resolveLength(width, { whole: canvas.width, dpi });
  const down = height === undefined ? undefined : resolveLength(height, { whole: canvas.height, dpi });
  if ((across ?? 1) < 0.5 || (down ?? 1) < 0.5) throw invalidOperation('An overlay needs at least 1 × 1 px.');
  const own = operation.tile ? canvas.width / 5 : Math.min(layer.width, canvas.width);
  const bound = {
    width: across ?? (down === undefined ? own : Infinity),
    height: down ?? (across === undefined ? canvas.height : Infinity),
  };
  const size = fitted(layer, bound);
  return placeBy(gravity, size, canvas, Math.round(margin));
}

/** The largest size with the layer's aspect ratio within a bound. */
function fitted(layer: Size, bound: Size): Size {
  const scale = Math.min(bound.width / layer.width, bound.height / layer.height);
  const size = {
    width: Math.max(1, Math.round(layer.width * scale)),
    height: Math.max(1, Math.round(layer.height * scale)),
  };
  if (size.width * size.height <= LAYER_PIXELS_MAX) return size;
  throw invalidOperation(
    `The overlay would have ${size.width} × ${size.height} px. The limit is ${LAYER_PIXELS_MAX / 1e6} megapixels.`,
  );
}

/** Layers are held in 8 bits next to the canvas. */
const LAYER_PIXELS_MAX = 32_000_000;
/** Maximum repetitions of a layer. */
const TILES_MAX = 100_000;

/** Positions of the repetitions over the whole canvas, aligned with the box. */
export function tilesOf(box: Part, canvas: Size, gap: number): Part[] {
  const [stepX, stepY] = [box.width + gap, box.height + gap];
  const first = (start: number, step: number): number =>
    start - Math.ceil(start / step) * step - (start % step === 0 ? 0 : 0);
  const [fromX, fromY] = [first(box.left, stepX), first(box.top, stepY)];
  const [across, down] = [
    Math.ceil((canvas.width - fromX) / stepX),
    Math.ceil((canvas.height - fromY) / stepY),
  ];
  if (across * down > TILES_MAX)
    throw invalidOperation(
      `The layer would be repeated ${across * down} times. The limit is ${TILES_MAX}: make it wider.`,
    );
  return Array.from({ length: across * down }, (_, at) => ({
    left: fromX + (at % across) * stepX,
    top: fromY + Math.floor(at / across) * stepY,
    width: box.width,
    height: box.height,
  }));
}

/** Composites a layer over the image at each position. Layers have 8 bits and alpha. */
export function layerStage(
  layer: DeepRaster,
  places: readonly Part[],
  { opacity, blend }: { readonly opacity: number; readonly blend: BlendMode },
): Stage {
  const { data, width } = layer;
  const whole = data instanceof Uint8Array ? 255 : 65_535;
  const lay = layerOf(blend);
  const row = (pixels: Float32Array, y: number): void => {
    const columns = pixels.length / 4;
    for (const { left, top, height } of places) {
      if (y < top || y >= top + height) continue;
      const [from, to] = [Math.max(0, left), Math.min(columns, left + width)];
      for (let x = from, at = 4 * ((y - top) * width + from - left); x < to; x += 1, at += 4) {
        const alpha = data[at + 3]!;
        if (alpha !== 0)
          lay(
            pixels,
            4 * x,
            data[at]! / whole,
            data[at + 1]! / whole,
            data[at + 2]! / whole,
            (alpha / whole) * opacity,
          );
      }
    }
  };
  const first = Math.min(...places.map(({ top }) => top));
  const last = Math.max(...places.map(({ top, height }) => top + height));
  return { row, rows: { first, last } };
}

export const mask: Perform<OperationOf<'mask'>> = async (canvas, operation, context) => {
  const shorter = Math.min(canvas.width, canvas.height);
  const feather = Math.max(0, resolveLength(operation.feather, { whole: shorter, dpi: context.dpi }));
  const plane =
    operation.image === undefined
      ? shapePlane(canvas, operation, { feather, dpi: context.dpi })
      : imagePlane(await context.image(operation.image), canvas);
  const soft = feather > 0 ? blurRaster(plane, feather / 2, { light: 'gamma', depth: 16 }) : plane;
  const { data, width } = soft;
  const whole = data instanceof Uint8Array ? 255 : 65_535;
  const { invert } = operation;
  await canvas.addStage({
    alpha: 'adds',
    row(pixels, y) {
      for (let x = 0; x < width; x += 1) {
        const share = data[y * width + x]! / whole;
        pixels[4 * x + 3]! *= invert ? 1 - share : share;
      }
    },
  });
  return { settled: operation };
};

/** A mask from the alpha channel of an image that has one, else from its luma. */
function imagePlane(image: DeepRaster, canvas: Size): DeepRaster {
  const { data, channels, width, height } = scaleLayer(image, canvas, 16);
  const scale = data instanceof Uint8Array ? 257 : 1;
  const plane = new Uint16Array(width * height);
  const isLayered = channels === 4 && plane.some((_, pixel) => data[4 * pixel + 3]! * scale < 65_535);
  for (let pixel = 0, at = 0; pixel < plane.length; pixel += 1, at += channels)
    plane[pixel] =
      scale *
      (isLayered ? data[at + 3]! : 0.2126 * data[at]! + 0.7152 * data[at + 1]! + 0.0722 * data[at + 2]!);
  return { width, height, channels: 1, data: plane };
}

/** A centred shape, inset so that its feather ends at the edges. */
function shapePlane(
  { width, height }: Size,
  { shape, radius }: OperationOf<'mask'>,
  { feather, dpi }: { feather: number; dpi: number },
): DeepRaster {
  if (shape === undefined) throw invalidOperation('mask needs image or shape.', { shape: 'ellipse' });
  const side = Math.min(width, height);
  const inset = Math.min(side / 2 - 0.5, feather);
  const [across, down] = shape === 'circle' ? [side, side] : [width, height];
  const [halfX, halfY] = [across / 2 - inset, down / 2 - inset];
  const corner = Math.min(halfX, halfY, Math.max(0, resolveLength(radius, { whole: side, dpi })));
  const box = {
    left: width / 2 - halfX,
    right: width / 2 + halfX,
    top: height / 2 - halfY,
    bottom: height / 2 + halfY,
    radiusX: shape === 'rect' ? corner : halfX,
    radiusY: shape === 'rect' ? corner : halfY,
  };
  const data = new Uint16Array(width * height);
  const cover = new Float32Array(width);
  for (let y = 0; y < height; y += 1) {
    roundBoxRow(box, { y, width }, cover);
    for (let x = 0; x < width; x += 1) data[y * width + x] = Math.round(65_535 * cover[x]!);
  }
  return { width, height, channels: 1, data };
}

export const opacity: Perform<OperationOf<'opacity'>> = async (canvas, operation) => {
  const { value } = operation;
  if (value === 1) return { settled: operation };
  await canvas.addStage({
    alpha: 'adds',
    row(pixels) {
      for (let at = 3; at < pixels.length; at += 4) pixels[at]! *= value;
    },
  });
  return { settled: operation };
};

export const flatten: Perform<OperationOf<'flatten'>> = async (canvas, operation) => {
  const color = parseColor(operation.background);
  if (color[3] < 1)
    throw invalidOperation('The background of flatten must be opaque.', { background: 'white' });
  if (canvas.hasAlpha) await canvas.addStage(underColor(color));
  return { settled: operation };
};

export const aiLabel: Perform<OperationOf<'ai_label'>> = async (canvas, operation, { labelTypeface }) => {
  if (!labelTypeface) throw invalidOperation('Labels are not available here.');
  const { op: _, ...wish } = operation;
  const { raster, label, wasThere } = drawLabel(await canvas.pixels(), {
    ...wish,
    typeface: labelTypeface(),
  });
  canvas.replace(raster);
  const { x, y, width, height } = label.region;
  return {
    settled: operation,
    boxes: [{ left: x, top: y, width, height }],
    reason: wasThere ? 'the image shows this label already' : `says "${label.words}"`,
  };
};
