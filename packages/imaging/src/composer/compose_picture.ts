import type { DrawnLayer } from '../drawing/layer.ts';
import { layerOf } from '../editor/blend.ts';
import { parseColor } from '../editor/colors.ts';
import type { BlendMode } from '../editor/operations.ts';
import { OperationRefused } from '../editor/refuse.ts';
import { sourceOf } from '../encoders/encode_picture.ts';
import { type SavedPicture, type SaveRequest, savePicture } from '../encoders/save_picture.ts';
import { EngineError } from '../errors/engine_error.ts';
import type { Size } from '../pixels/plane.ts';
import type { Raster } from '../pixels/raster.ts';
import { arrange, type Cell } from './arrange.ts';
import { drawLayer, turned } from './draw_layer.ts';
import type { ComposerResources, Drawer, LayerFacts } from './drawer.ts';
import type { GroupLayer, Layer, Layout, TextLayer } from './layers.ts';
import { placeOf } from './place_layer.ts';

/** A document: a canvas and the layers on it, the first at the bottom. */
export interface CompositionRequest extends Omit<SaveRequest, 'isCompact' | 'background'> {
  readonly canvas: Size & { readonly dpi: number; readonly background: string };
  readonly layers: readonly Layer[];
  readonly layout?: Layout | undefined;
  /** Files of the images, as they were sent, by the names layers use. */
  readonly images: Readonly<Record<string, Uint8Array>>;
}

export interface ComposedPicture extends SavedPicture {
  /** What became of each layer, in the order they were drawn; layers of groups follow their group. */
  readonly layers: readonly LayerFacts[];
  readonly engine: { readonly name: string; readonly version: string };
}

const ENGINE = { name: 'atelier-composer', version: '1' } as const;

/**
 * Draws a document and saves it. Layers are blended in encoded sRGB with 8 bits.
 * @throws EngineError invalid_input about a layer by its place; undecodable_image, unsupported_image, image_too_large
 */
export async function composePicture(
  request: CompositionRequest,
  resources: ComposerResources,
): Promise<ComposedPicture> {
  const { canvas, layers, layout, images, ...saving } = request;
  const facts: LayerFacts[] = [];
  const base = await naming('canvas', async () => filledRaster(canvas));
  const drawer: Drawer = { images, resources, dpi: canvas.dpi, facts, read: new Map() };
  await drawLayers(base, { layers, layout, path: 'layers' }, drawer);
  const saved = await savePicture(
    { kind: 'pages', pages: [sourceOf(withoutOpaqueAlpha(base))] },
    { ...saving, dpi: canvas.dpi },
  );
  return { ...saved, layers: facts, engine: ENGINE };
}

interface Level extends Pick<CompositionRequest, 'layers' | 'layout'> {
  /** Where the layers are in the request: `layers.2.layers`. */
  readonly path: string;
}

async function drawLayers(base: Raster, { layers, layout, path }: Level, drawer: Drawer): Promise<void> {
  const cells = layout ? await cellsOf(base, { layers, layout }, drawer) : [];
  let numbered = 0;
  for (const [at, layer] of layers.entries()) {
    const cell = cells[at];
    const name = `${path}.${at}`;
    const drawn = await naming(name, () =>
      layer.type === 'group'
        ? drawGroup(base, layer, { name, cell, drawer })
        : drawLayer(layer, base, { cell: cell?.box, isMasonry: layout?.type === 'masonry', drawer, name }),
    );
    layOver(base, drawn, layer);
    if (!cell?.caption) continue;
    numbered += 1;
    const caption = captionOf(layer, cell, { layout: layout!, number: numbered });
    if (caption) layOver(base, await drawLayer(caption, base, { drawer, name }), caption);
  }
}

/** The cells of the layers that name no place. */
async function cellsOf(
  { width, height }: Size,
  { layers, layout }: { layers: readonly Layer[]; layout: Layout },
  drawer: Drawer,
): Promise<(Cell | undefined)[]> {
  const isFree = (layer: Layer) => layer.box === undefined && layer.gravity === undefined;
  const flowing = layers.filter(isFree);
  const aspects: (number | undefined)[] = [];
  for (const layer of flowing)
    aspects.push(layer.type === 'image' ? await aspectOf(layer.image, drawer) : undefined);
  const cells = arrange(layout, aspects, { width, height, dpi: drawer.dpi }).values();
  return layers.map((layer) => (isFree(layer) ? cells.next().value : undefined));
}

async function aspectOf(image: string, { images, resources, read }: Drawer): Promise<number> {
  const known = read.get(image) ?? (await resources.readImage(images[image]!)).raster;
  const { width, height } = known;
  read.set(image, { width, height });
  return width / height;
}

function captionOf(
  layer: Layer,
  { caption }: Cell,
  { layout, number }: { layout: Layout; number: number },
): TextLayer | undefined {
  const parts = [
    ...(layout.numbers ? [`${number}`] : []),
    ...(layout.captions && layer.name ? [layer.name] : []),
  ];
  if (parts.length === 0 || !caption) return undefined;
  const { left, top, width, height } = caption;
  const text = parts.join('  ');
  const box = { x: left, y: top, width, height };
  return {
    type: 'text',
    text,
    box,
    size: height * 0.75,
    fit: true,
    align: 'center',
    valign: 'middle',
    color: '#555555',
  };
}

/** Draws the layers of a group on a canvas of their own, which is then one layer. */
async function drawGroup(
  base: Size,
  group: GroupLayer,
  { name, cell, drawer }: { name: string; cell: Cell | undefined; drawer: Drawer },
): Promise<DrawnLayer> {
  const { left, top, width, height } = placeOf(group, base, { cell: cell?.box, dpi: drawer.dpi });
  const raster = filledRaster({ width, height, background: 'transparent' });
  drawer.facts.push({
    layer: name,
    type: 'group',
    name: group.name,
    box: { x: left, y: top, width, height },
  });
  await drawLayers(raster, { layers: group.layers, layout: group.layout, path: `${name}.layers` }, drawer);
  return turned(raster, { left, top, width, height }, group.rotate ?? 0);
}

function filledRaster({ width, height, background }: Size & { readonly background: string }): Raster {
  const color = parseColor(background).map((value) => Math.round(255 * value));
  const data = new Uint8Array(4 * width * height);
  if (color[3]! > 0) new Uint32Array(data.buffer).fill(new Uint32Array(Uint8Array.from(color).buffer)[0]!);
  return { width, height, channels: 4, data };
}

/** Blends a layer into the canvas, which is changed. */
export function layOver(
  base: Raster,
  { raster, left, top }: DrawnLayer,
  {
    opacity = 1,
    blend = 'normal',
  }: { readonly opacity?: number | undefined; readonly blend?: BlendMode | undefined },
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

function withoutOpaqueAlpha(raster: Raster): Raster {
  const { width, height, data } = raster;
  for (let at = 3; at < data.length; at += 4) if (data[at] !== 255) return raster;
  const opaque = new Uint8Array(3 * width * height);
  for (let at = 0, to = 0; at < data.length; at += 4, to += 3) {
    opaque[to] = data[at]!;
    opaque[to + 1] = data[at + 1]!;
    opaque[to + 2] = data[at + 2]!;
  }
  return { width, height, channels: 3, data: opaque };
}

/** Says of what is refused where in the request it is. */
async function naming<T>(field: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const isOurs = error instanceof OperationRefused || error instanceof EngineError;
    if (!isOurs || /^layers\.\d/.test(error.message)) throw error;
    const code = error instanceof EngineError ? error.code : 'invalid_input';
    const message = `${field}: ${error.message}`;
    throw new EngineError(code, message, { errors: [{ field, code: 'invalid', message: error.message }] });
  }
}
