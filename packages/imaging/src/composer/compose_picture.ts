import { parseCssColor } from '../color/css_color.ts';
import type { Findings } from '../editor/context.ts';
import { createContext } from '../editor/edit_picture.ts';
import { wholeBox } from '../editor/lengths.ts';
import { OperationRefused } from '../editor/refuse.ts';
import { withoutOpaqueAlpha } from '../editor/rows.ts';
import { sourceOf } from '../encoders/encode_picture.ts';
import type { OutputFormat } from '../encoders/formats.ts';
import { type Finish, type SavedPicture, type SaveRequest, savePicture } from '../encoders/save_picture.ts';
import { EngineError } from '../errors/engine_error.ts';
import type { Size } from '../pixels/plane.ts';
import type { Raster } from '../pixels/raster.ts';
import { arrange, type Cell } from './arrange.ts';
import { drawLayer, textBox } from './draw_layer.ts';
import type { ComposerResources, Drawer, LayerFacts } from './drawer.ts';
import { editDrawing, editImage, isEdited } from './edit_layer.ts';
import type { Imposition } from './impose.ts';
import {
  type GroupLayer,
  type ImageLayer,
  isVectorFormat,
  type Layer,
  type Layout,
  type TextLayer,
  type VectorFormat,
} from './layers.ts';
import { placeOf } from './place_layer.ts';
import { rasterSurface } from './raster_surface.ts';
import type { Surface } from './surface.ts';
import { vectorSurface } from './vector/vector_surface.ts';
import { writeDrawingPdf } from './vector/write_drawing_pdf.ts';
import { writeDrawingSvg } from './vector/write_drawing_svg.ts';

/** A document: a canvas with layers, the first at the bottom. */
export interface CompositionRequest extends Omit<SaveRequest, 'isCompact' | 'background' | 'format'> {
  readonly format: OutputFormat | 'svg';
  readonly canvas: Size & {
    readonly dpi: number;
    readonly background: string;
    /** Bleed around the canvas, px; enlarges the page of a PDF on every side. */
    readonly bleed?: number | undefined;
  };
  readonly layers: readonly Layer[];
  readonly layout?: Layout | undefined;
  /** Documents with the size of the canvas, imposed on sheets; replaces `layers`. */
  readonly sheets?: { readonly plan: Imposition; readonly documents: readonly SheetDocument[] } | undefined;
  /** Image files as sent, by the names that layers and operations use. */
  readonly images: Readonly<Record<string, Uint8Array>>;
  /** Text files for operations of layers, by name. */
  readonly texts?: Readonly<Record<string, string>> | undefined;
  readonly findings?: Readonly<Record<string, Findings>> | undefined;
}

interface SheetDocument {
  /** Path of its layers in the request: `data.3.layers`. Copies share it. */
  readonly path: string;
  readonly layers: readonly Layer[];
}

export interface ComposedPicture extends SavedPicture {
  /** Facts about each layer, in drawing order; layers of groups follow their group. */
  readonly layers: readonly LayerFacts[];
  readonly engine: { readonly name: string; readonly version: string };
}

const ENGINE = { name: 'atelier-composer', version: '3' } as const;
const WHITE = [1, 1, 1, 1] as const;

/**
 * Draws and encodes a document: as pixels, blended in 8-bit encoded sRGB, or as the outlines, text and images of an SVG or PDF.
 * @throws EngineError invalid_input with the path of the layer; undecodable_image, unsupported_image, image_too_large
 */
export async function composePicture(
  { format, ...request }: CompositionRequest,
  resources: ComposerResources,
  finish?: Finish,
): Promise<ComposedPicture> {
  const facts: LayerFacts[] = [];
  const { images, canvas, texts = {}, findings = {} } = request;
  const readImage = async (bytes: Uint8Array) => (await resources.readImage(bytes)).raster;
  const background = parseCssColor(canvas.background);
  const drawer: Drawer = {
    images,
    resources,
    dpi: canvas.dpi,
    ground: background && background[3] === 1 ? background : WHITE,
    context: createContext({ images, texts }, { ...resources, readImage, textResources: resources }),
    findings,
    facts,
  };
  const saved = isVectorFormat(format)
    ? await composeVectors({ ...request, format }, drawer, finish)
    : await composePixels({ ...request, format }, drawer, finish);
  return { ...saved, layers: facts, engine: ENGINE };
}

async function composePixels(
  document: CompositionRequest & { format: OutputFormat },
  drawer: Drawer,
  finish: Finish | undefined,
): Promise<SavedPicture> {
  const { canvas, layers: _, layout: __, sheets: ___, images: ____, ...saving } = document;
  const drawn = await drawSheets(document, { surface: rasterSurface(drawer.resources), drawer });
  const pages = drawn.map((sheet) => sourceOf(withoutOpaqueAlpha(sheet) as Raster));
  return savePicture({ kind: 'pages', pages }, { ...saving, dpi: canvas.dpi }, finish);
}

async function composeVectors(
  document: CompositionRequest & { format: VectorFormat },
  drawer: Drawer,
  finish: Finish = async ({ bytes }) => bytes,
): Promise<SavedPicture> {
  const { canvas, format, quality, isLossless } = document;
  const { inks } = drawer.resources;
  const surface = vectorSurface(drawer.resources, { format, quality, isLossless, inks });
  const drawn = await drawSheets(document, { surface, drawer });
  const pages = drawn.map((sheet) => ({ ...sheet, dpi: canvas.dpi, bleed: canvas.bleed ?? 0 }));
  const [first] = pages;
  const made = {
    bytes: format === 'svg' ? writeDrawingSvg(first!) : writeDrawingPdf(pages, drawer.resources, inks),
    contentType: format === 'svg' ? 'image/svg+xml' : 'application/pdf',
    width: first!.width,
    height: first!.height,
  };
  return {
    ...made,
    bytes: await finish(made),
    pages: pages.length > 1 ? pages.length : undefined,
    notes: [],
  };
}

/** The canvas with its layers, or the sheets with imposed documents. */
async function drawSheets<Sheet extends Size, Drawn>(
  { canvas, layers, layout, sheets }: CompositionRequest,
  tools: Tools<Sheet, Drawn>,
): Promise<Sheet[]> {
  const { surface } = tools;
  if (!sheets) {
    const sheet = await naming('canvas', async () => surface.sheet(canvas, canvas.background));
    await drawLayers(sheet, { layers, layout, path: 'layers' }, tools);
    return [sheet];
  }
  const { plan, documents } = sheets;
  const made: Sheet[] = [];
  let before: { readonly path: string; readonly card: Sheet } | undefined;
  for (const [at, { path, layers: own }] of documents.entries()) {
    const place = at % plan.cells.length;
    if (place === 0) made.push(await markedSheet(plan, tools));
    if (before?.path !== path) {
      const card = surface.sheet(canvas, 'transparent');
      await drawLayers(card, { layers: [groundOf(canvas)], path: 'canvas' }, unnoted(tools));
      await drawLayers(card, { layers: own, layout, path }, tools);
      before = { path, card };
    }
    surface.lay(made.at(-1)!, await surface.asLayer(before.card, plan.cells[place]!, 0), {});
  }
  return made;
}

/** A white sheet with cut marks. */
async function markedSheet<Sheet extends Size, Drawn>(
  { sheet, marks }: Imposition,
  tools: Tools<Sheet, Drawn>,
): Promise<Sheet> {
  const made = tools.surface.sheet(sheet, 'white');
  const lines = marks.map(
    (points): Layer => ({ type: 'shape', shape: 'line', points, stroke: { color: 'black', width: '0.1mm' } }),
  );
  await drawLayers(made, { layers: lines, path: 'marks' }, unnoted(tools));
  return made;
}

const groundOf = ({ width, height, background: fill }: CompositionRequest['canvas']): Layer => ({
  type: 'shape',
  shape: 'rect',
  fill,
  box: { x: 0, y: 0, width, height },
});

/** A drawer that records no facts, for layers that the client did not send. */
const unnoted = <Sheet extends Size, Drawn>({
  surface,
  drawer,
}: Tools<Sheet, Drawn>): Tools<Sheet, Drawn> => ({
  surface,
  drawer: { ...drawer, facts: [] },
});

interface Level extends Pick<CompositionRequest, 'layers' | 'layout'> {
  /** Path of the layers in the request: `layers.2.layers`. */
  readonly path: string;
}

interface Tools<Sheet extends Size, Drawn> {
  readonly surface: Surface<Sheet, Drawn>;
  readonly drawer: Drawer;
}

async function drawLayers<Sheet extends Size, Drawn>(
  sheet: Sheet,
  { layers, layout, path }: Level,
  tools: Tools<Sheet, Drawn>,
): Promise<void> {
  const { surface, drawer } = tools;
  const cells = layout ? await cellsOf(sheet, { layers, layout }, drawer) : [];
  const isMasonry = layout?.type === 'masonry';
  let numbered = 0;
  for (const [at, sent] of layers.entries()) {
    const cell = cells[at];
    const layer = cell && layout?.align ? { ...sent, gravity: layout.align } : sent;
    const name = `${path}.${at}`;
    const place = { surface, drawer, name };
    const noted = drawer.facts.length;
    const drawn = await naming(name, () => {
      if (layer.type !== 'image' && isEdited(layer)) return drawEdited(sheet, layer, { name, cell, tools });
      return layer.type === 'group'
        ? drawGroup(sheet, layer, { name, cell, tools })
        : drawLayer(layer, sheet, { ...place, cell: cell?.box, isMasonry });
    });
    const { x, y, width, height } = drawer.facts[noted]!.box;
    const link = layer.link_to && { address: layer.link_to, part: { left: x, top: y, width, height } };
    surface.lay(sheet, drawn, { ...layer, link: link || undefined });
    if (!cell?.caption) continue;
    numbered += 1;
    const caption = captionOf(layer, cell, { layout: layout!, number: numbered });
    if (!caption) continue;
    surface.lay(sheet, await drawLayer(caption, sheet, place), caption);
    const { missingGlyphs, warnings = [] } = drawer.facts.pop()!;
    const fact = drawer.facts[noted]!;
    drawer.facts[noted] = {
      ...fact,
      caption: caption.text,
      missingGlyphs,
      // A caption is as large as its cell permits; its reduction is not reported.
      warnings: [...(fact.warnings ?? []), ...warnings.filter((warning) => !warning.includes('reduced'))],
    };
  }
}

/** The cells of the layers without their own position. */
async function cellsOf(
  { width, height }: Size,
  { layers, layout }: { layers: readonly Layer[]; layout: Layout },
  drawer: Drawer,
): Promise<(Cell | undefined)[]> {
  const isFree = (layer: Layer) => layer.box === undefined && layer.gravity === undefined;
  const flowing = layers.filter(isFree);
  const aspects: (number | undefined)[] = [];
  for (const layer of flowing)
    aspects.push(
      layout.type === 'masonry' && layer.type === 'image' ? await aspectOf(layer, drawer) : undefined,
    );
  const cells = arrange(layout, aspects, { width, height, dpi: drawer.dpi }).values();
  return layers.map((layer) => (isFree(layer) ? cells.next().value : undefined));
}

async function aspectOf(layer: ImageLayer, drawer: Drawer): Promise<number> {
  const { raster } = await drawer.resources.readImage(drawer.images[layer.image]!);
  const { width, height } = (await editImage(raster, layer, drawer)).raster;
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

/** Draws the layers of a group on a separate sheet, which becomes one layer. */
async function drawGroup<Sheet extends Size, Drawn>(
  base: Size,
  group: GroupLayer,
  { name, cell, tools }: { name: string; cell: Cell | undefined; tools: Tools<Sheet, Drawn> },
): Promise<Drawn> {
  const { surface, drawer } = tools;
  const part = placeOf(group, base, { cell: cell?.box, dpi: drawer.dpi });
  const { left, top, width, height } = part;
  const sheet = surface.sheet({ width, height }, 'transparent');
  drawer.facts.push({
    layer: name,
    type: 'group',
    name: group.name,
    box: { x: left, y: top, width, height },
  });
  await drawLayers(sheet, { layers: group.layers, layout: group.layout, path: `${name}.layers` }, tools);
  return surface.asLayer(sheet, part, group.rotate ?? 0);
}

/** Draws a layer other than an image as pixels: upright, then edited, masked and rotated. */
async function drawEdited<Drawn>(
  sheet: Size,
  layer: Exclude<Layer, { type: 'image' }>,
  { name, cell, tools }: { name: string; cell: Cell | undefined; tools: Tools<Size, Drawn> },
): Promise<Drawn> {
  const { surface, drawer } = tools;
  const pixels = rasterSurface(drawer.resources);
  const at = drawer.facts.length;
  const plain = { ...layer, rotate: undefined };
  const drawn =
    plain.type === 'group'
      ? await drawGroup(sheet, plain, { name, cell, tools: { surface: pixels, drawer } })
      : await drawLayer(plain, sheet, { surface: pixels, drawer, name, cell: cell?.box });
  const fact = drawer.facts[at]!;
  const box = wholeBox({ left: fact.box.x, top: fact.box.y, width: fact.box.width, height: fact.box.height });
  if (box.width < 1 || box.height < 1) return surface.pixels(drawn);
  const turned = plain.type === 'text' ? textBox(plain, sheet, { cell: cell?.box, dpi: drawer.dpi }) : box;
  const pivot = { x: turned.left + turned.width / 2, y: turned.top + turned.height / 2 };
  const edited = await editDrawing({ drawn, box, pivot }, layer, drawer);
  const { left, top, raster } = edited.drawn;
  drawer.facts[at] = {
    ...fact,
    box: { x: left, y: top, width: raster!.width, height: raster!.height },
    applied: edited.applied,
  };
  return surface.pixels(edited.drawn);
}

/** Adds the field of the request to an error. */
async function naming<T>(field: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const isOurs = error instanceof OperationRefused || error instanceof EngineError;
    if (!isOurs || /^(?:data\.\d+\.)?layers\.\d/.test(error.message)) throw error;
    const code = error instanceof EngineError ? error.code : 'invalid_input';
    const [operation] = /^operations\.\d+(?= )/.exec(error.message) ?? [];
    const place = operation ? `${field}.${operation}` : field;
    const message = operation ? `${field}.${error.message}` : `${field}: ${error.message}`;
    throw new EngineError(code, message, {
      errors: [{ field: place, code: 'invalid', message: error.message }],
    });
  }
}
