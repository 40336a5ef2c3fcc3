import { EngineError } from '../errors/engine_error.ts';
import { awaitDecoding, openPicture } from '../picture/open_picture.ts';
import { decodeRaster } from '../picture/read_raster.ts';
import type { Raster } from '../pixels/raster.ts';
import { correctFills, type RasterError, rasterError } from './fill_layers.ts';
import { FILTER_SPECKLE_MAX, SVG_BYTES_MAX, VECTOR_NODES_MAX, VECTORIZE_PIXELS_MAX } from './limits.ts';
import { nodesAbout, outlineOf } from './nodes_about.ts';
import { OPAQUE_MIN } from './partition.ts';
import type { Color } from './reduce_colors.ts';
import { measureSheet, type Physical } from './sheet_size.ts';
import { planSheets } from './sheets.ts';
import { areaMinOf, type OnProgress, type Sketch } from './sketch.ts';
import { sketchColors } from './sketch_colors.ts';
import { sketchInk } from './sketch_ink.ts';
import { type Layer, stackAreas } from './stack_areas.ts';
import { visibleParts } from './visible_parts.ts';
import { type SheetMeasures, writeSheets } from './write_sheets.ts';
import { nodesOf, type Shape, writeSvg } from './write_svg.ts';

export const VECTORIZE_MODES = ['color', 'binary'] as const;

export interface VectorizeRequest {
  readonly bytes: Uint8Array;
  readonly mode: (typeof VECTORIZE_MODES)[number];
  /** 1 to 10: 2 to 16 colours up to 4, from there how small a difference is drawn. Without effect in mode binary. */
  readonly colorPrecision: number;
  /** 0 to 100: about the side, in traced pixels, of the smallest patch that is kept. */
  readonly filterSpeckle: number;
  /** In mode color, the only colours to be used; empty for the picture's own. */
  readonly palette: readonly Color[];
  /** In mode color, whether shapes may be filled with linear gradients. */
  readonly gradients: boolean;
  /** Nodes the drawing may have. */
  readonly nodesMax: number;
  /** Whether detail is given up where it would take more nodes than that, rather than the picture refused. */
  readonly force: boolean;
  /** What the drawing is made for beside a screen, and how large. */
  readonly physical?: Physical | undefined;
}

export interface VectorImage {
  readonly svg: string;
  /** The same as a DXF, where that was asked for. */
  readonly dxf?: string;
  /** Size of the picture, which is also the size of the drawing. */
  readonly width: number;
  readonly height: number;
  readonly pathCount: number;
  readonly nodeCount: number;
  readonly sizeBytes: number;
  /** How the drawing, rendered at the size it was traced at, differs from what was traced. */
  readonly error: RasterError;
  /** What the caller should know, such as detail that had to be left out. */
  readonly notes: readonly string[];
  readonly engine: { name: string; version: string };
  /** Of a drawing with a size in the world. */
  readonly sheets?: SheetMeasures;
}

/**
 * Redraws a picture as SVG shapes. Work and size are bounded: a large picture is traced smaller.
 * @throws EngineError unsuitable_image (nothing visible, or too much detail), undecodable_image, image_too_large
 */
export async function vectorizeImage(
  request: VectorizeRequest,
  onProgress: OnProgress = () => {},
): Promise<VectorImage> {
  const { picture, width, height } = await readTracedPixels(request.bytes);
  refuseInvisible(picture);
  const sheet = request.physical && measureSheet(request.physical, { width, height }, picture);
  onProgress(0.2, 'Picture decoded');
  const { shapes, error, nodeCount, notes } = drawWithin(picture, request, onProgress);
  onProgress(0.9, 'Shapes traced');
  const written: Written = sheet
    ? writeSheets(shapes, sheet, request.physical!)
    : { svg: writeSvg(shapes, { width, height }, picture), pathCount: shapes.length, nodeCount, notes: [] };
  const sizeBytes = Buffer.byteLength(written.dxf ?? written.svg);
  refuseTooLarge(sizeBytes);
  return {
    ...written,
    width,
    height,
    sizeBytes,
    error: { psnrDb: roundTo(error.psnrDb, 2), meanDeltaE: roundTo(error.meanDeltaE, 4) },
    notes: [...notes, ...written.notes, ...softEdges(picture)],
    engine: ENGINE,
  };
}

type Written = Pick<VectorImage, 'svg' | 'dxf' | 'pathCount' | 'nodeCount' | 'notes' | 'sheets'>;

const roundTo = (value: number, digits: number): number => Number(value.toFixed(digits));

const ENGINE = { name: 'atelier-vectors', version: '1' } as const;

/** Colours of a drawing in layers, by color_precision: from 5 on every area would be a layer. */
const LAYERED_PRECISION_MAX = 4;

/** The drawing of a picture within the nodes that are allowed; a note says what it would have taken where that is more. */
function drawWithin(picture: Raster, request: VectorizeRequest, onProgress: OnProgress) {
  const { nodesMax, force } = request;
  const asked = outline(sketchOf(picture, request, onProgress), request);
  if (asked.nodeCount > nodesMax && !force)
    throw detailError(asked, nodesMax, remedyFor(picture, request, asked.nodeCount));
  let fitting = asked;
  while (fitting.nodeCount > nodesMax)
    fitting = outline(fitting.sketch.coarsen(shareToKeep(fitting, nodesMax)), request);
  const { nodeCount } = fitting;
  return {
    ...fillLayers(fitting),
    nodeCount,
    notes: fitting === asked ? [] : [lostDetail(asked, nodeCount)],
  };
}

interface Outlined {
  readonly sketch: Sketch;
  readonly layers: readonly Layer[];
  readonly nodeCount: number;
  /** Whether that is no more than a lower bound, and outlines were left out. */
  readonly isBound: boolean;
}

/** A drawing takes no fewer nodes than estimated, divided by this. */
const OVERESTIMATE_MAX = 2;
/** What is aimed at: a little more than allowed where nodes are not counted yet, a little less where they are. */
const ESTIMATED_AIM = 1.5;
const COUNTED_AIM = 0.995;

const shareToKeep = ({ nodeCount, isBound }: Outlined, nodesMax: number): number =>
  ((isBound ? ESTIMATED_AIM / OVERESTIMATE_MAX : COUNTED_AIM) * nodesMax) / nodeCount;

/** A sketch with its outlines; without, where their nodes would surely be too many. */
function outline(sketch: Sketch, { nodesMax, physical }: VectorizeRequest): Outlined {
  const bound = Math.floor(nodesAbout(outlineOf(sketch.areas), sketch.areas.count) / OVERESTIMATE_MAX);
  if (bound > nodesMax) return { sketch, layers: [], nodeCount: bound, isBound: true };
  if (physical) {
    const sheets = planSheets(sketch, physical.purpose === 'print');
    const layers = sheets.nodeCount > nodesMax ? [] : sheets.layers();
    return { sketch, layers, nodeCount: sheets.nodeCount, isBound: false };
  }
  const layers = stackAreas(sketch.picture, sketch.areas, sketch.fills);
  const nodeCount = layers.reduce((sum, { outlines }) => sum + nodesOf(outlines), 0);
  return { sketch, layers, nodeCount, isBound: false };
}

function sketchOf(picture: Raster, request: VectorizeRequest, onProgress: OnProgress = () => {}): Sketch {
  const areaMin = areaMinOf(request.filterSpeckle);
  return request.mode === 'color'
    ? sketchColors(picture, { ...request, colorPrecision: precisionOf(request), areaMin, onProgress })
    : sketchInk(picture, areaMin);
}

const precisionOf = ({ colorPrecision, physical }: VectorizeRequest): number =>
  physical ? Math.min(LAYERED_PRECISION_MAX, colorPrecision) : colorPrecision;

/** In a picture of strokes, nodes fall about as the side of a speckle to the power of one by this; in noise they fall faster. */
const SPECKLE_POWER = 1.5;

/** A filter_speckle that was found to do, and not much coarser than needed. */
function remedyFor(picture: Raster, request: VectorizeRequest, nodesWanted: number): number | undefined {
  let filterSpeckle = Math.max(2, request.filterSpeckle);
  for (let nodes = nodesWanted; filterSpeckle < FILTER_SPECKLE_MAX; ) {
    const next = Math.ceil(filterSpeckle * (nodes / request.nodesMax) ** SPECKLE_POWER);
    filterSpeckle = Math.min(FILTER_SPECKLE_MAX, Math.max(filterSpeckle + 1, next));
    nodes = outline(sketchOf(picture, { ...request, filterSpeckle }), request).nodeCount;
    if (nodes <= request.nodesMax) return filterSpeckle;
  }
  return undefined;
}

function fillLayers({ sketch, layers }: Outlined): { shapes: Shape[]; error: RasterError } {
  const { picture, fills, correctable } = sketch;
  const parts = visibleParts(layers, picture);
  const target = layOnWhite(picture);
  const planned = layers.map(({ area }) => fills[area]!);
  const meant = isOpaque(picture) ? target : layOnWhite(hardenOpacity(picture));
  const final = correctable ? correctFills(planned, parts, meant, picture.width) : planned;
  return {
    shapes: layers.map(({ outlines }, index) => ({ outlines, fill: final[index]! })),
    error: rasterError(final, parts, target, picture.width),
  };
}

function isOpaque({ data: rgba }: Raster): boolean {
  for (let at = 3; at < rgba.length; at += 4) if (rgba[at]! < 255) return false;
  return true;
}

/** What is half transparent is drawn in its own colour, not in one that is paler. */
function hardenOpacity(picture: Raster): Raster {
  const hard = new Uint8Array(picture.data);
  for (let at = 3; at < hard.length; at += 4) hard[at] = hard[at]! < OPAQUE_MIN ? 0 : 255;
  return { ...picture, data: hard };
}

function layOnWhite({ data: rgba }: Raster): Float32Array {
  const target = new Float32Array((3 * rgba.length) / 4);
  for (let pixel = 0; 4 * pixel < rgba.length; pixel++) {
    const share = rgba[4 * pixel + 3]! / 255;
    for (let channel = 0; channel < 3; channel++)
      target[3 * pixel + channel] = 255 + share * (rgba[4 * pixel + channel]! - 255);
  }
  return target;
}

function detailError(asked: Outlined, nodesMax: number, filterSpeckle: number | undefined): EngineError {
  const remedies = [
    ...(asked.isBound || asked.nodeCount > VECTOR_NODES_MAX ? [] : [`raise max_nodes to ${asked.nodeCount}`]),
    ...(filterSpeckle === undefined ? [] : [`ask for filter_speckle ${filterSpeckle}`]),
    'set force to have detail given up until it fits',
  ];
  return new EngineError(
    'unsuitable_image',
    `At these settings the drawing would have ${nodesIn(asked)}, ${nodesMax} are allowed: the picture is a photograph, noise or finely grained rather than a drawing. Any of these will do: ${remedies.join('; ')}. A smoother picture or one with fewer colours takes fewer.`,
  );
}

const nodesIn = ({ isBound, nodeCount }: Outlined): string =>
  `${isBound ? 'more than ' : ''}${nodeCount} nodes`;

const lostDetail = (asked: Outlined, nodeCount: number): string =>
  `The drawing would have had ${nodesIn(asked)}; detail was given up down to ${nodeCount}.`;

/** The pixels to trace, at most so many that it ends in time; and the picture's own size. */
async function readTracedPixels(
  bytes: Uint8Array,
): Promise<{ picture: Raster; width: number; height: number }> {
  const { autoOrient: size } = await awaitDecoding(openPicture(bytes).metadata());
  const { width, height } = size;
  const source = openPicture(bytes).toColourspace('srgb').ensureAlpha();
  if (width * height > VECTORIZE_PIXELS_MAX) {
    const scale = Math.sqrt(VECTORIZE_PIXELS_MAX / (width * height));
    const [across, down] = [width, height].map((side) => Math.max(1, Math.round(side * scale)));
    // Lanczos would draw dark rims along sharp edges, and they would be traced.
    source.resize({ width: across!, height: down!, fit: 'fill', kernel: 'linear' });
  }
  return { picture: await decodeRaster(source), width, height };
}

function refuseInvisible({ data: rgba }: Raster): void {
  for (let at = 3; at < rgba.length; at += 4) if (rgba[at]! >= OPAQUE_MIN) return;
  throw new EngineError(
    'unsuitable_image',
    'No pixel of the picture is more than half opaque, so there is nothing to draw. Send a picture with visible pixels.',
  );
}

function refuseTooLarge(sizeBytes: number): void {
  if (sizeBytes <= SVG_BYTES_MAX) return;
  throw new EngineError(
    'unsuitable_image',
    `The drawing would have ${Math.round(sizeBytes / 1e6)} MB; at most ${Math.floor(SVG_BYTES_MAX / 1e6)} MB are answered. Send a smaller or smoother picture, raise filter_speckle or lower color_precision.`,
  );
}

/** Hard edges are what shapes have: more than one pixel in fifty half transparent is worth a word. */
function softEdges({ data: rgba }: Raster): string[] {
  let soft = 0;
  for (let at = 3; at < rgba.length; at += 4) if (rgba[at]! > 16 && rgba[at]! < 240) soft++;
  if (soft <= rgba.length / 4 / 50) return [];
  return ['Half-transparent parts became fully opaque or fully transparent: shapes have hard edges.'];
}
