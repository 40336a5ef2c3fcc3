import { drawQr } from '../drawing/draw_qr.ts';
import { drawShape } from '../drawing/draw_shape.ts';
import type { DrawnLayer } from '../drawing/layer.ts';
import { coverageMask } from '../drawing/mask.ts';
import { flatten } from '../drawing/outline.ts';
import { rectangle } from '../drawing/shape_outlines.ts';
import { Canvas } from '../editor/canvas.ts';
import { parseColor } from '../editor/colors.ts';
import { applyOperations } from '../editor/edit_picture.ts';
import { type Length, resolveLength, sharesOf } from '../editor/lengths.ts';
import { coverLayer, scaleLayer } from '../editor/operations/fill_layers.ts';
import { withAlpha } from '../editor/rows.ts';
import { sourceOfRaster } from '../editor/source.ts';
import type { Size } from '../pixels/plane.ts';
import type { DeepRaster, Raster } from '../pixels/raster.ts';
import type { Part } from '../resample/resample.ts';
import { drawText } from '../typography/draw_text.ts';
import type { Drawer } from './drawer.ts';
import type { GroupLayer, ImageLayer, Layer, QrLayer, ShapeLayer, TextLayer } from './layers.ts';
import { placeOf } from './place_layer.ts';

interface Place {
  readonly cell?: Part | undefined;
  readonly isMasonry?: boolean;
  readonly drawer: Drawer;
  /** In the request. */
  readonly name: string;
}

/** Draws a layer that is no group, and notes what became of it. */
export function drawLayer(
  layer: Exclude<Layer, GroupLayer>,
  canvas: Size,
  place: Place,
): Promise<DrawnLayer> {
  if (layer.type === 'image') return drawImage(layer, canvas, place);
  if (layer.type === 'text') return drawTextLayer(layer, canvas, place);
  if (layer.type === 'shape') return drawShapeLayer(layer, canvas, place);
  return drawQrLayer(layer, canvas, place);
}

const boxOf = ({ left, top, width, height }: Part) => ({ x: left, y: top, width, height });

async function drawImage(
  layer: ImageLayer,
  canvas: Size,
  { cell, isMasonry, drawer, name }: Place,
): Promise<DrawnLayer> {
  const { raster, warnings } = await drawer.resources.readImage(drawer.images[layer.image]!);
  drawer.read.set(layer.image, { width: raster.width, height: raster.height });
  const { dpi } = drawer;
  const box = placeOf(layer, canvas, { cell, dpi, size: ownSize(layer, raster, { canvas, dpi }) });
  const { fit = isMasonry ? 'cover' : 'contain', gravity = 'centre' } = layer;
  const part = fit === 'contain' ? containedIn(box, raster, gravity) : box;
  const scaled = fit === 'cover' ? coverLayer(raster, part, 8) : scaleLayer(raster, part, 8);
  const whole = withAlpha(scaled) as Raster;
  const rounded = layer.radius === undefined ? whole : roundCorners(whole, layer.radius, dpi);
  drawer.facts.push({ layer: name, type: 'image', name: layer.name, box: boxOf(part), warnings });
  return turned(rounded, part, layer.rotate ?? 0);
}

/** In its own proportions, where one side is named; undefined where none is. */
function ownSize(
  { width, height }: ImageLayer,
  image: Size,
  { canvas, dpi }: { canvas: Size; dpi: number },
): Size | undefined {
  if (width !== undefined && height === undefined) {
    const across = resolveLength(width, { whole: canvas.width, dpi });
    return { width: across, height: (across * image.height) / image.width };
  }
  if (height === undefined || width !== undefined) return undefined;
  const down = resolveLength(height, { whole: canvas.height, dpi });
  return { width: (down * image.width) / image.height, height: down };
}

/** The largest box of the proportions of the image. */
function containedIn(box: Part, image: Size, gravity: NonNullable<ImageLayer['gravity']>): Part {
  const scale = Math.min(box.width / image.width, box.height / image.height);
  const width = Math.max(1, Math.round(image.width * scale));
  const height = Math.max(1, Math.round(image.height * scale));
  const [across, down] = sharesOf(gravity);
  return {
    left: Math.round(box.left + (box.width - width) * across),
    top: Math.round(box.top + (box.height - height) * down),
    width,
    height,
  };
}

function roundCorners(raster: Raster, radius: Length, dpi: number): Raster {
  const { width, height } = raster;
  const px = resolveLength(radius, { whole: Math.min(width, height), dpi });
  const outline = flatten(rectangle({ x: 0, y: 0, width, height }, px), [1, 0, 0, 1, 0, 0]);
  const { data: shares } = coverageMask([outline], { left: 0, top: 0, width, height });
  const data = raster.data.slice();
  for (let at = 0; at < shares.length; at += 1)
    data[4 * at + 3] = Math.round((data[4 * at + 3]! * shares[at]!) / 255);
  return { ...raster, data };
}

/** Turns a layer about the middle of its box. */
export async function turned(
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
    findings: { crops: {}, places: {} },
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

/** Without a size, text without a box is so large; a share of the shorter side of the canvas. */
const TEXT_SHARE = 0.07;
const TEXT_PX_MIN = 14;
const TEXT_MARGIN = '4%';

async function drawTextLayer(
  layer: TextLayer,
  canvas: Size,
  { cell, drawer, name }: Place,
): Promise<DrawnLayer> {
  const { dpi, resources } = drawer;
  const shorter = Math.min(canvas.width, canvas.height);
  const px = (length: Length) => resolveLength(length, { whole: shorter, dpi });
  const isFree = layer.box === undefined && cell === undefined;
  const box = placeOf(isFree ? { ...layer, margin: layer.margin ?? TEXT_MARGIN } : layer, canvas, {
    cell,
    dpi,
  });
  const [across, down] = sharesOf(layer.gravity ?? 'centre');
  const free = isFree ? Math.max(TEXT_PX_MIN, TEXT_SHARE * shorter) : undefined;
  const wished = layer.size === undefined ? free : px(layer.size);
  const isPlaced = isFree || layer.gravity !== undefined;
  const { facts, ...drawn } = await drawText(
    {
      ...layer,
      box: boxOf(box),
      size: wished,
      fit: layer.fit ?? true,
      align: layer.align ?? (isPlaced ? (['left', 'center', 'right'] as const)[across * 2] : undefined),
      valign: layer.valign ?? (isPlaced ? (['top', 'middle', 'bottom'] as const)[down * 2] : undefined),
      color: layer.color === undefined ? undefined : parseColor(layer.color),
      opacity: undefined,
      background: layer.background && {
        color: parseColor(layer.background.color),
        padding: layer.background.padding === undefined ? undefined : px(layer.background.padding),
        radius: layer.background.radius === undefined ? undefined : px(layer.background.radius),
      },
      ...effectsOf(layer, px),
    },
    canvas,
    resources,
  );
  const { lines, size, fonts, missingGlyphs, overflows, replacedFont } = facts;
  const warnings = [
    ...(missingGlyphs.length > 0 ? [`No font here has ${missingGlyphs.join(' ')}; boxes were drawn.`] : []),
    ...(layer.size !== undefined && wished! > size + 0.01
      ? [`The text was reduced from ${wished} px to ${size} px to fit into its box.`]
      : []),
    ...(overflows ? [`The text does not fit into its box at ${size} px. Leave fit out to reduce it.`] : []),
    ...(replacedFont === undefined ? [] : [`${replacedFont} is not installed; ${fonts[0]} was used.`]),
  ];
  drawer.facts.push({
    layer: name,
    type: 'text',
    name: layer.name,
    box: facts.box,
    lines,
    size,
    fonts,
    missingGlyphs,
    warnings,
  });
  return drawn;
}

const SHADOW = { x: 2, y: 2, blur: 4, color: 'rgb(0 0 0 / 50%)' } as const;

function effectsOf({ stroke, shadow }: Pick<TextLayer, 'stroke' | 'shadow'>, px: (length: Length) => number) {
  return {
    stroke: stroke && {
      color: parseColor(stroke.color),
      width: Math.max(0, px(stroke.width)),
      cap: stroke.cap,
    },
    shadow: shadow && {
      x: px(shadow.x ?? SHADOW.x),
      y: px(shadow.y ?? SHADOW.y),
      blur: Math.max(0, px(shadow.blur ?? SHADOW.blur)),
      color: parseColor(shadow.color ?? SHADOW.color),
    },
  };
}

async function drawShapeLayer(
  layer: ShapeLayer,
  canvas: Size,
  { cell, drawer, name }: Place,
): Promise<DrawnLayer> {
  const { dpi } = drawer;
  const px = (length: Length) => resolveLength(length, { whole: Math.min(canvas.width, canvas.height), dpi });
  const hasPlace = layer.points === undefined && (layer.path === undefined || layer.box !== undefined);
  const box = hasPlace ? placeOf(layer, canvas, { cell, dpi }) : undefined;
  const points = layer.points?.map(
    ([x, y]) =>
      [
        resolveLength(x, { whole: canvas.width, dpi }),
        resolveLength(y, { whole: canvas.height, dpi }),
      ] as const,
  );
  const drawn = drawShape(
    {
      type: layer.shape,
      box: box && boxOf(box),
      points,
      path: layer.path,
      radius: layer.radius === undefined ? undefined : px(layer.radius),
      fill: layer.fill === undefined ? undefined : parseColor(layer.fill),
      rotate: layer.rotate,
      ...effectsOf(layer, px),
    },
    canvas,
  );
  const { left, top, raster } = drawn;
  const ink = { x: left, y: top, width: raster?.width ?? 0, height: raster?.height ?? 0 };
  drawer.facts.push({ layer: name, type: 'shape', name: layer.name, box: ink });
  return drawn;
}

/** Width of a code without one, as a share of the shorter side. */
const QR_SHARE = 0.25;

async function drawQrLayer(layer: QrLayer, canvas: Size, { cell, drawer, name }: Place): Promise<DrawnLayer> {
  const { dpi } = drawer;
  const side =
    layer.width === undefined
      ? QR_SHARE * Math.min(canvas.width, canvas.height)
      : resolveLength(layer.width, { whole: canvas.width, dpi });
  const box = placeOf({ ...layer, width: undefined, height: undefined }, canvas, {
    cell,
    dpi,
    size: { width: side, height: side },
  });
  const width = Math.min(box.width, box.height);
  const { facts, ...drawn } = drawQr({
    text: layer.text,
    x: box.left + (box.width - width) / 2,
    y: box.top + (box.height - width) / 2,
    width,
    level: layer.level,
    quietZone: layer.quiet_zone,
    color: layer.color === undefined ? undefined : parseColor(layer.color),
    background: layer.background === undefined ? undefined : parseColor(layer.background),
  });
  drawer.facts.push({ layer: name, type: 'qr', name: layer.name, box: facts.box, warnings: facts.warnings });
  const { x, y } = facts.box;
  return turned(drawn.raster!, { left: x, top: y, width, height: width }, layer.rotate ?? 0);
}
