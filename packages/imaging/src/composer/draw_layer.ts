import { drawQr, planQr, type QrRequest } from '../drawing/draw_qr.ts';
import { SHOWN_MODULE_PX, whyUnreadable } from '../drawing/read_qr.ts';
import { parseColor } from '../editor/colors.ts';
import { type Length, resolveLength, sharesOf } from '../editor/lengths.ts';
import { invalidOperation } from '../editor/refuse.ts';
import type { Size } from '../pixels/plane.ts';
import type { Part } from '../resample/resample.ts';
import type { Drawer } from './drawer.ts';
import { editImage, maskOver } from './edit_layer.ts';
import type { GroupLayer, ImageLayer, Layer, QrLayer, ShapeLayer, TextLayer } from './layers.ts';
import { placeOf } from './place_layer.ts';
import type { Surface } from './surface.ts';

interface Place<Drawn> {
  readonly surface: Pick<Surface<Size, Drawn>, 'image' | 'text' | 'shape' | 'qr'>;
  readonly cell?: Part | undefined;
  readonly isMasonry?: boolean;
  readonly drawer: Drawer;
  /** Path in the request. */
  readonly name: string;
}

/** Draws a layer other than a group, and records its facts. */
export function drawLayer<Drawn>(
  layer: Exclude<Layer, GroupLayer>,
  canvas: Size,
  place: Place<Drawn>,
): Promise<Drawn> {
  if (layer.type === 'image') return drawImage(layer, canvas, place);
  if (layer.type === 'text') return drawTextLayer(layer, canvas, place);
  if (layer.type === 'shape') return drawShapeLayer(layer, canvas, place);
  return drawQrLayer(layer, canvas, place);
}

const boxOf = ({ left, top, width, height }: Part) => ({ x: left, y: top, width, height });

async function drawImage<Drawn>(
  layer: ImageLayer,
  canvas: Size,
  { surface, cell, isMasonry, drawer, name }: Place<Drawn>,
): Promise<Drawn> {
  const file = drawer.images[layer.image]!;
  const { raster: read, warnings } = await drawer.resources.readImage(file);
  const { raster, applied } = await editImage(read, layer, drawer);
  const { dpi } = drawer;
  const box = placeOf(layer, canvas, { cell, dpi, size: ownSize(layer, raster, { canvas, dpi }) });
  const { fit = isMasonry ? 'cover' : 'contain', gravity = 'centre' } = layer;
  const part = fit === 'contain' ? containedIn(box, raster, gravity) : box;
  drawer.facts.push({ layer: name, type: 'image', name: layer.name, box: boxOf(part), warnings, applied });
  return surface.image({
    raster,
    file,
    part,
    isCover: fit === 'cover',
    radius:
      layer.radius === undefined
        ? 0
        : resolveLength(layer.radius, { whole: Math.min(part.width, part.height), dpi }),
    rotate: layer.rotate ?? 0,
    ...(layer.mask && { mask: maskOver(layer.mask, drawer) }),
  });
}

/** Size with the layer's own aspect ratio, if one side is given; otherwise undefined. */
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

/** The largest box with the aspect ratio of the image. */
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

/** Default size of text without a box, relative to the shorter side of the canvas. */
const TEXT_SHARE = 0.07;
const TEXT_PX_MIN = 14;
const TEXT_MARGIN = '4%';

/** The box for a text. */
export const textBox = (
  layer: TextLayer,
  canvas: Size,
  place: { readonly cell?: Part | undefined; readonly dpi: number },
): Part => {
  const isFree = layer.box === undefined && place.cell === undefined;
  return placeOf(isFree ? { ...layer, margin: layer.margin ?? TEXT_MARGIN } : layer, canvas, place);
};

async function drawTextLayer<Drawn>(
  layer: TextLayer,
  canvas: Size,
  { surface, cell, drawer, name }: Place<Drawn>,
): Promise<Drawn> {
  const { dpi } = drawer;
  const shorter = Math.min(canvas.width, canvas.height);
  const px = (length: Length) => resolveLength(length, { whole: shorter, dpi });
  const isFree = layer.box === undefined && cell === undefined;
  const box = textBox(layer, canvas, { cell, dpi });
  const [across, down] = sharesOf(layer.gravity ?? 'centre');
  const free = isFree ? Math.max(TEXT_PX_MIN, TEXT_SHARE * shorter) : undefined;
  const wished = layer.size === undefined ? free : px(layer.size);
  const isPlaced = isFree || layer.gravity !== undefined;
  const { facts, drawn } = await surface.text(
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

async function drawShapeLayer<Drawn>(
  layer: ShapeLayer,
  canvas: Size,
  { surface, cell, drawer, name }: Place<Drawn>,
): Promise<Drawn> {
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
  const { drawn, box: ink } = await surface.shape(
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
  drawer.facts.push({ layer: name, type: 'shape', name: layer.name, box: ink });
  return drawn;
}

/** Default width of a code, relative to the shorter side. */
const QR_SHARE = 0.25;

async function drawQrLayer<Drawn>(
  layer: QrLayer,
  canvas: Size,
  { surface, cell, drawer, name }: Place<Drawn>,
): Promise<Drawn> {
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
  const [across, down] = sharesOf(layer.gravity ?? 'centre');
  const wish: QrRequest = {
    text: layer.text,
    x: box.left + (box.width - width) * across,
    y: box.top + (box.height - width) * down,
    width,
    level: layer.level,
    quietZone: layer.quiet_zone,
    color: layer.color === undefined ? undefined : parseColor(layer.color),
    background: layer.background === undefined ? undefined : parseColor(layer.background),
  };
  await requireReadable(wish, layer, drawer);
  const { facts, drawn } = await surface.qr(wish, layer.rotate ?? 0);
  drawer.facts.push({ layer: name, type: 'qr', name: layer.name, box: facts.box, warnings: facts.warnings });
  return drawn;
}

/**
 * Reads each code back on its own, no larger than a reader needs: what covers it later is the client's design.
 * @throws OperationRefused
 */
async function requireReadable(
  wish: QrRequest,
  { opacity = 1 }: Pick<QrLayer, 'opacity'>,
  { ground, resources }: Drawer,
): Promise<void> {
  const { modulePx, facts } = planQr(wish);
  const scale = Math.min(1, SHOWN_MODULE_PX / modulePx);
  const shown = { ...wish, opacity, width: scale * facts.box.width };
  const plan = planQr(shown);
  const { raster } = drawQr(shown, plan);
  const why = await whyUnreadable(raster!, { text: wish.text, plan, ground }, resources);
  if (why !== undefined) throw invalidOperation(`The QR code cannot be read back ${why}`);
}
