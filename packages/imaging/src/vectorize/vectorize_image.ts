import { EngineError } from '../errors/engine_error.ts';
import type { Raster } from '../pixels/raster.ts';
import { roundTo } from '../pixels/round_to.ts';
import type { Quality } from '../quality/contract.ts';
import { type DrawnStrokes, drawStrokes, type Strokes } from './draw_strokes.ts';
import type { RasterError } from './fill_layers.ts';
import { fillShapes } from './fill_shapes.ts';
import type { DotGroup } from './group_dots.ts';
import { FILTER_SPECKLE_MAX, SVG_BYTES_MAX, VECTOR_NODES_MAX } from './limits.ts';
import { nodesAbout, outlineOf } from './nodes_about.ts';
import { readTracedPixels } from './read_traced_pixels.ts';
import type { Color } from './reduce_colors.ts';
import { measureSheet, type Physical, type SheetSize } from './sheet_size.ts';
import { planSheets } from './sheets.ts';
import { areaMinOf, type OnProgress, type Sketch } from './sketch.ts';
import { sketchColors } from './sketch_colors.ts';
import { sketchInk } from './sketch_ink.ts';
import { isStroked, sketchStrokes } from './sketch_strokes.ts';
import { type Layer, stackAreas } from './stack_areas.ts';
import { writeDots } from './write_dots.ts';
import { type SheetMeasures, writeSheets, writeStrokes } from './write_sheets.ts';
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
  /** The same as a DXF or PDF, where that was asked for. */
  readonly file?: Uint8Array;
  /** Size of the picture, which is also the size of the drawing. */
  readonly width: number;
  readonly height: number;
  readonly pathCount: number;
  readonly nodeCount: number;
  readonly sizeBytes: number;
  /** How the drawing, rendered at the size it was traced at, differs from what was traced. */
  readonly error: RasterError;
  readonly quality: Quality;
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
  const sheet = request.physical && measureSheet(request.physical, { width, height }, picture);
  onProgress(0.2, 'Picture decoded');
  const drawn = drawWithin(picture, request, onProgress);
  onProgress(0.9, 'Shapes traced');
  const written = writeDrawing(drawn, { picture, width, height, sheet }, request);
  const sizeBytes = (written.file ?? Buffer.from(written.svg)).byteLength;
  refuseTooLarge(sizeBytes);
  const { error, lineError } = drawn;
  const comparedAt = { compared_at: picture.width === width ? 'source_size' : 'result_size' } as const;
  return {
    ...written,
    width,
    height,
    sizeBytes,
    error: { psnrDb: roundTo(error.psnrDb, 2), meanDeltaE: roundTo(error.meanDeltaE, 4) },
    quality: {
      ...(request.mode === 'color' && !drawn.strokes && { ...comparedAt, psnr_db: roundTo(error.psnrDb, 2) }),
      ...(lineError !== undefined && { line_error_px: roundTo((lineError * width) / picture.width, 2) }),
    },
    notes: [...drawn.notes, ...written.notes, ...softEdges(picture)],
    engine: ENGINE,
  };
}

type Written = Pick<VectorImage, 'svg' | 'file' | 'pathCount' | 'nodeCount' | 'notes' | 'sheets'>;

function writeDrawing(
  { shapes, dots, strokes, nodeCount }: Drawn,
  {
    picture,
    width,
    height,
    sheet,
  }: { picture: Raster; width: number; height: number; sheet: SheetSize | undefined },
  { physical }: VectorizeRequest,
): Written {
  if (!sheet || !physical)
    return {
      svg: writeSvg(shapes, { width, height }, picture, writeDots(dots, picture.width)),
      pathCount: shapes.length + dots.length,
      nodeCount,
      notes: [],
    };
  return strokes ? writeStrokes(strokes, sheet, physical) : writeSheets(shapes, sheet, physical);
}

const ENGINE = { name: 'atelier-vectors', version: '1' } as const;

/** Colours of a drawing in layers, by color_precision: from 5 on every area would be a layer. */
const LAYERED_PRECISION_MAX = 4;

interface Drawn {
  readonly shapes: readonly Shape[];
  readonly dots: readonly DotGroup[];
  readonly strokes?: readonly Strokes[] | undefined;
  readonly error: RasterError;
  readonly lineError: number | undefined;
  readonly nodeCount: number;
  readonly notes: readonly string[];
}

/** The drawing of a picture within the nodes that are allowed; a note says what it would have taken where that is more. */
function drawWithin(picture: Raster, request: VectorizeRequest, onProgress: OnProgress): Drawn {
  const { nodesMax, force } = request;
  const asked = outline(sketchOf(picture, request, onProgress), request);
  if (asked.nodeCount > nodesMax && !force)
    throw detailError(asked, nodesMax, remedyFor(picture, request, asked.nodeCount));
  let fitting = asked;
  while (fitting.nodeCount > nodesMax)
    fitting = outline(fitting.sketch.coarsen(shareToKeep(fitting, nodesMax)), request);
  const filled = fillShapes(fitting, nodesMax - fitting.nodeCount);
  const nodeCount = fitting.nodeCount + filled.dots.reduce((sum, { dots }) => sum + dots.length, 0);
  return {
    ...filled,
    lineError: fitting.lineError(),
    nodeCount,
    notes: [...(fitting === asked ? [] : [lostDetail(asked, nodeCount)]), ...(fitting.strokes?.notes ?? [])],
  };
}

interface Outlined {
  readonly sketch: Sketch;
  readonly layers: readonly Layer[];
  /** Instead of layers, of a drawing of lines. */
  readonly strokes?: DrawnStrokes;
  readonly lineError: () => number | undefined;
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
  if (physical && isStroked(physical)) {
    const strokes = drawStrokes(sketch, physical);
    return {
      sketch,
      layers: [],
      strokes,
      lineError: strokes.errors.p95,
      nodeCount: strokes.nodeCount,
      isBound: false,
    };
  }
  const bound = Math.floor(nodesAbout(outlineOf(sketch.areas), sketch.areas.count) / OVERESTIMATE_MAX);
  if (bound > nodesMax)
    return { sketch, layers: [], lineError: () => undefined, nodeCount: bound, isBound: true };
  if (physical) {
    const sheets = planSheets(sketch, physical.purpose === 'print');
    const layers = sheets.nodeCount > nodesMax ? [] : sheets.layers();
    return { sketch, layers, lineError: sheets.lineError, nodeCount: sheets.nodeCount, isBound: false };
  }
  const { layers, lineError } = stackAreas(sketch.picture, sketch.areas, sketch.fills);
  const nodeCount = layers.reduce((sum, { outlines }) => sum + nodesOf(outlines), 0);
  return { sketch, layers, lineError, nodeCount, isBound: false };
}

function sketchOf(picture: Raster, request: VectorizeRequest, onProgress: OnProgress = () => {}): Sketch {
  const areaMin = areaMinOf(request.filterSpeckle);
  if (request.physical && isStroked(request.physical))
    return sketchStrokes(picture, { ...request, areaMin, onProgress });
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
