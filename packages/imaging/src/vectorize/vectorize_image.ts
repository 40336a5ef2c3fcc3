import { awaitDecoding, openPicture } from '../codecs/open_picture.ts';
import { decodeRaster } from '../codecs/read_raster.ts';
import { sharp } from '../codecs/sharp.ts';
import { EngineError } from '../errors/engine_error.ts';
import { oklabDistance, oklabOf } from '../pixels/oklab.ts';
import type { Size } from '../pixels/plane.ts';
import { isOpaque, type Raster } from '../pixels/raster.ts';
import { roundTo } from '../pixels/round_to.ts';
import type { Quality } from '../quality/types.ts';
import { type DrawnStrokes, drawStrokes, planSheets, type Strokes } from './draw_strokes.ts';
import type { RasterError } from './fill_layers.ts';
import { fillShapes, PENS, type SoftStrokes } from './fill_shapes.ts';
import { drawFlat, drawRestored } from './flat/draw_flat.ts';
import { FILTER_SPECKLE_MAX, SVG_BYTES_MAX, VECTOR_NODES_MAX, VECTORIZE_PIXELS_MAX } from './limits.ts';
import { otsu, type Split } from './otsu.ts';
import { OPAQUE_MIN } from './partition.ts';
import { type Regions, removeSpecks } from './regions.ts';
import {
  chooseWidth,
  measureSheet,
  type Physical,
  type PhysicalOptions,
  type SheetSize,
} from './sheet_size.ts';
import { areaMinOf, coarserArea, type OnProgress, type Sketch } from './sketch.ts';
import { type Color, type Enlargement, estimateNodes, outlineOf, sketchColors } from './sketch_colors.ts';
import { type Layer, stackAreas } from './stack_areas.ts';
import { findTwoTones, sketchTwoTones } from './two_tones.ts';
import { type SheetMeasures, writeSheets, writeStrokes } from './write_sheets.ts';
import { type Fill, hex, nodesOf, type Shape, writeSvg } from './write_svg.ts';

const LEVELS = 256;
/** Two tones closer than this in mean lightness (OKLab) are one tone. */
const CONTRAST_MIN = 0.15;

/**
 * Binarises an image into ink and background. Ink is darker than the threshold that splits the lightness of the visible pixels into the two
 * most distinct groups. An image of a single tone has no such threshold: with transparency it is a silhouette, all ink; otherwise it is ink
 * if darker than middle grey.
 */
function sketchInk(source: Raster, areaMin: number): Sketch {
  const { width, height } = source;
  const tones = lightnessLevels(source.data);
  const shares = inkShares(source, tones, splitTones(tones));
  const ink = Int16Array.from(shares, (share) => (share >= OPAQUE_MIN ? 1 : 0));
  const sketch = (smallest: number): Sketch => {
    const regions = removeSpecks(ink, width, smallest, (one, other) => Math.abs(one - other));
    const { labels, count } = inkOnly(regions, ink);
    return {
      picture: { width, height, channels: 4, data: opacityOf(ink, shares) },
      areas: { width, height, labels, count },
      times: 1,
      fills: Array.from({ length: count }, () => ({ color: [0, 0, 0] })),
      correctable: false,
      coarsen: (share) => sketch(coarserArea(smallest, share)),
    };
  };
  return sketch(areaMin);
}

/** Opacity of the ink: opaque, except soft edges, which determine the subpixel position of an outline. */
function opacityOf(ink: Int16Array, shares: Uint8Array): Uint8Array {
  const rgba = new Uint8Array(4 * ink.length);
  for (const [pixel, isInk] of ink.entries()) {
    const share = shares[pixel]!;
    rgba[4 * pixel + 3] = share >= OPAQUE_MIN === (isInk === 1) ? share : 255 * isInk;
  }
  return rgba;
}

function inkOnly({ labels, count: regions }: Regions, ink: Int16Array) {
  const names = new Int32Array(regions).fill(-1);
  let count = 0;
  for (const [pixel, label] of labels.entries())
    if (ink[pixel] === 1 && names[label]! < 0) names[label] = count++;
  return { labels: labels.map((label) => names[label]!), count };
}

/** Ink coverage of each pixel, 0 to 255. Values in between are soft edges. */
function inkShares({ data: rgba }: Raster, tones: Int16Array, { threshold, dark, light }: Split): Uint8Array {
  const shares = new Uint8Array(tones.length);
  for (const [pixel, tone] of tones.entries()) {
    if (tone < 0) continue;
    const distance = threshold - 0.5 - tone;
    const share =
      distance > 0 ? distance / Math.max(1, threshold - dark) : distance / Math.max(1, light - threshold);
    const ink = 127.5 + 127.5 * Math.min(1, Math.max(-1, share));
    shares[pixel] = Math.round((ink * rgba[4 * pixel + 3]!) / 255);
  }
  return shares;
}

/** OKLab lightness of each pixel in 256 levels; -1 if transparent. */
function lightnessLevels(rgba: Uint8Array): Int16Array {
  const tones = new Int16Array(rgba.length / 4);
  for (let pixel = 0; pixel < tones.length; pixel++) {
    const at = 4 * pixel;
    if (rgba[at + 3]! < OPAQUE_MIN) tones[pixel] = -1;
    else tones[pixel] = Math.round((LEVELS - 1) * oklabOf(rgba[at]!, rgba[at + 1]!, rgba[at + 2]!)[0]);
  }
  return tones;
}

function splitTones(tones: Int16Array): Split {
  const counts = new Float64Array(LEVELS);
  for (const tone of tones) if (tone >= 0) counts[tone]!++;
  const split = otsu(counts);
  if (split.light - split.dark >= CONTRAST_MIN * LEVELS) return split;
  const threshold = tones.includes(-1) ? LEVELS : LEVELS / 2;
  return { threshold, dark: threshold - 1, light: threshold };
}

interface StrokeSettings {
  readonly areaMin: number;
  readonly palette: readonly Color[];
  readonly onProgress: OnProgress;
}

/** Whether a drawing consists of centre lines of strokes. */
const isStroked = ({ purpose }: Physical): boolean => purpose === 'plot' || purpose === 'engrave';

/** Palette colours closer to the paper than this (ΔE_OK) count as paper. */
const PAPER_ALIKE = 0.1;

/**
 * Ink of an image to be drawn as lines: dark areas or, with a palette, areas closer to a palette colour than to the
 * paper.
 */
function sketchStrokes(picture: Raster, settings: StrokeSettings): Sketch {
  const { areaMin, palette, onProgress } = settings;
  if (palette.length === 0) return sketchInk(picture, areaMin);
  const paper = paperOf(picture);
  const lab = oklabOf(...paper);
  const pens = palette.filter((color) => oklabDistance(oklabOf(...color), lab) >= PAPER_ALIKE);
  const wanted = { areaMin, colorPrecision: 4, palette: [...pens, paper], gradients: false, onProgress };
  const withPaper = (sketch: Sketch): Sketch => ({
    ...sketch,
    picture: onlyInk(sketch, paper),
    paper,
    coarsen: (share) => withPaper(sketch.coarsen(share)),
  });
  return withPaper(sketchColors(picture, wanted));
}

/** Colour of the paper: per-channel median of the opaque pixels along the image border. */
function paperOf({ width, height, data: rgba }: Raster): Color {
  const channels: number[][] = [[], [], []];
  const see = (pixel: number): void => {
    if (rgba[4 * pixel + 3]! < OPAQUE_MIN) return;
    for (const [channel, values] of channels.entries()) values.push(rgba[4 * pixel + channel]!);
  };
  for (let x = 0; x < width; x++) {
    see(x);
    see((height - 1) * width + x);
  }
  for (let y = 0; y < height; y++) {
    see(y * width);
    see(y * width + width - 1);
  }
  const [red, green, blue] = channels.map(
    (values) => values.sort((one, other) => one - other)[values.length >> 1] ?? 255,
  );
  return [red!, green!, blue!];
}

/** Reference for measuring the lines: every ink in its colour, transparent paper. */
function onlyInk({ picture, areas, fills }: Sketch, paper: Color): Raster {
  const data = new Uint8Array(picture.data.length);
  for (const [pixel, label] of areas.labels.entries()) {
    const fill = fills[label];
    if (!fill || !('color' in fill) || fill.color.every((value, channel) => value === paper[channel]))
      continue;
    data.set([...fill.color.map(Math.round), 255], 4 * pixel);
  }
  return { ...picture, data };
}

export const VECTORIZE_MODES = ['color', 'binary'] as const;

export interface VectorizeRequest {
  readonly bytes: Uint8Array;
  readonly mode: (typeof VECTORIZE_MODES)[number];
  /** 1 to 10. Up to 4: 2 to 16 colours; above: the smallest colour difference drawn. No effect in mode binary. */
  readonly colorPrecision: number;
  /** 0 to 100: approximate side, in traced pixels, of the smallest patch kept. */
  readonly filterSpeckle: number;
  /** In mode color, the only colours to use; empty: those of the image. */
  readonly palette: readonly Color[];
  /** In mode color, whether shapes may be filled with linear gradients. */
  readonly gradients: boolean;
  /** Maximum number of nodes. */
  readonly nodesMax: number;
  /** Whether to reduce detail if the limit is exceeded, instead of rejecting the image. */
  readonly force: boolean;
  /** Physical purpose and size of the drawing, if it is not for a screen. */
  readonly physical?: PhysicalOptions | undefined;
}

/** A request whose drawing has its size. */
type SizedRequest = Omit<VectorizeRequest, 'physical'> & { readonly physical?: Physical | undefined };

export interface VectorImage {
  readonly svg: string;
  /** The same drawing as DXF or PDF, if requested. */
  readonly file?: Uint8Array;
  /** Size of the image and the drawing. */
  readonly width: number;
  readonly height: number;
  readonly pathCount: number;
  readonly nodeCount: number;
  readonly sizeBytes: number;
  /** Difference between the drawing, rendered at tracing size, and the traced image. */
  readonly error: RasterError;
  readonly quality: Quality;
  /** Warnings for the client, for example about reduced detail. */
  readonly notes: readonly string[];
  readonly engine: { name: string; version: string; weights_sha256?: string };
  /** Whether the image itself was traced, or an enlarged copy. */
  readonly traced: 'image' | 'enlarged';
  /** For drawings with a physical size. */
  readonly sheets?: SheetMeasures;
}

/** Upscales an opaque four-channel image, for example with a network. */
export type Enlarge = (picture: Raster) => Promise<Raster>;

/**
 * Traces an image as SVG shapes. Work and size are bounded: large images are traced at reduced size.
 * @param enlarge upscales a photograph or painting before tracing, so that edges can be located between its pixels
 * @throws EngineError unsuitable_image (nothing visible, or too much detail), undecodable_image, image_too_large
 */
export async function vectorizeImage(
  options: VectorizeRequest,
  onProgress: OnProgress = () => {},
  enlarge?: Enlarge,
): Promise<VectorImage> {
  const { picture, width, height, ppi } = await readTracedPixels(options.bytes);
  const chosen = options.physical && chooseWidth(options.physical, { width, ppi });
  const request: SizedRequest = { ...options, physical: chosen?.physical };
  const sheet = request.physical && measureSheet(request.physical, { width, height }, picture);
  onProgress(0.2, 'Image decoded');
  const drawn =
    drawExactly(picture, request) ??
    (enlarge && (await drawEnlarged(picture, request, enlarge, onProgress))) ??
    drawWithin(picture, request, onProgress);
  onProgress(0.9, 'Shapes traced');
  const traced = drawn.traced ?? picture;
  const written = writeDrawing(drawn, { picture: traced, width, height, sheet }, request);
  const sizeBytes = (written.file ?? Buffer.from(written.svg)).byteLength;
  refuseTooLarge(sizeBytes);
  const { error, lineError } = drawn;
  const comparedAt = { compared_at: traced.width === width ? 'source_size' : 'result_size' } as const;
  return {
    ...written,
    width,
    height,
    sizeBytes,
    error: { psnrDb: roundTo(error.psnrDb, 2), meanDeltaE: roundTo(error.meanDeltaE, 4) },
    quality: {
      ...(request.mode === 'color' && !drawn.strokes && { ...comparedAt, psnr_db: roundTo(error.psnrDb, 2) }),
      ...(lineError !== undefined && { line_error_px: roundTo((lineError * width) / traced.width, 2) }),
    },
    notes: [...(chosen?.notes ?? []), ...drawn.notes, ...written.notes, ...softEdges(picture)],
    engine: ENGINE,
    traced: drawn.traced ? 'enlarged' : 'image',
  };
}

type Written = Pick<VectorImage, 'svg' | 'file' | 'pathCount' | 'nodeCount' | 'notes' | 'sheets'>;

function writeDrawing(
  { shapes, elements, touches, strokes, nodeCount, traced }: Drawn,
  {
    picture,
    width,
    height,
    sheet,
  }: { picture: Raster; width: number; height: number; sheet: SheetSize | undefined },
  { physical }: SizedRequest,
): Written {
  if (!sheet || !physical)
    return {
      svg: elements
        ? writeSvg([], { width, height }, picture, elements)
        : traced
          ? writeFinely(shapes, { width, height }, traced)
          : writeSvg(shapes, { width, height }, picture, writeSoftStrokes(touches)),
      pathCount: shapes.length + touches.length,
      nodeCount,
      notes: [],
    };
  return strokes ? writeStrokes(strokes, sheet, physical) : writeSheets(shapes, sheet, physical);
}

const ENGINE = { name: 'atelier-vectors', version: '2' } as const;

/** Highest color_precision of a drawing in layers: from 5 on every area would be a layer. */
const LAYERED_PRECISION_MAX = 4;

interface Drawn {
  /** The traced image, if it was upscaled. */
  readonly traced?: Raster;
  readonly shapes: readonly Shape[];
  /** Of flat artwork, instead of paths for the shapes. */
  readonly elements?: string;
  readonly touches: readonly SoftStrokes[];
  readonly strokes?: readonly Strokes[] | undefined;
  readonly error: RasterError;
  readonly lineError: number | undefined;
  readonly nodeCount: number;
  readonly notes: readonly string[];
}

/**
 * Shapes above which a restored image of two tones is a scanned drawing or a page of text rather than a mark: restoration closes small counters and
 * breaks lines narrower than a pixel, which the two tones keep.
 */
const RESTORED_SHAPES_MAX = 40;

/**
 * Draws flat artwork. Undefined if the image is not flat, if that was not requested, or if there would be too many
 * nodes.
 */
function drawExactly(picture: Raster, request: SizedRequest): Drawn | undefined {
  if (!mayBeExact(request)) return undefined;
  const exact = drawFlat(picture);
  const flat = exact ?? drawRestored(picture);
  if (!flat || flat.nodeCount > request.nodesMax) return undefined;
  if (!exact && flat.shapes.length > RESTORED_SHAPES_MAX && twoTonesOf(picture)) return undefined;
  return { ...flat, touches: [], lineError: undefined, notes: exact ? [] : [RESTORED] };
}

/** An enlarged copy gives up finer detail first: up to so many times the nodes allowed, it is still nearer than the image traced at its size. */
const COARSENED_MAX = 2;
/** Similarity (dB) to the copy below which too much was given up. */
const COARSENED_PSNR_MIN = 20;

/** Traces an upscaled image. Undefined if that is not possible or there would be too many nodes. */
async function drawEnlarged(
  picture: Raster,
  request: SizedRequest,
  enlarge: Enlarge,
  onProgress: OnProgress,
): Promise<Drawn | undefined> {
  if (!mayBeExact(request) || !isOpaque(picture)) return undefined;
  const traced = await limitPixels(await enlarge(picture));
  onProgress(0.3, 'Picture enlarged');
  const enlarged = { times: traced.width / picture.width, detail: detailBetween(traced, picture) };
  const asked = outline(sketchOf(traced, request, onProgress, { ...enlarged, original: picture }), request);
  if (asked.nodeCount > COARSENED_MAX * request.nodesMax) return undefined;
  const outlined = coarsenTo(asked, request);
  const filled = fillShapes(outlined, 0);
  if (outlined !== asked && filled.error.psnrDb < COARSENED_PSNR_MIN) return undefined;
  return {
    ...filled,
    traced,
    lineError: outlined.lineError(),
    nodeCount: outlined.nodeCount,
    notes: outlined === asked ? [] : [lostDetail(asked, outlined.nodeCount)],
  };
}

/** The same with so much less detail that its nodes are allowed. */
function coarsenTo(asked: Outlined, request: SizedRequest): Outlined {
  let fitting = asked;
  while (fitting.nodeCount > request.nodesMax)
    fitting = outline(fitting.sketch.coarsen(shareToKeep(fitting, request.nodesMax)), request);
  return fitting;
}

/** Downsamples an upscaled image to the traceable size. */
async function limitPixels(picture: Raster): Promise<Raster> {
  const { data, ...raw } = picture;
  const scale = Math.sqrt(VECTORIZE_PIXELS_MAX / (raw.width * raw.height));
  if (scale >= 1) return picture;
  const [width, height] = [raw.width, raw.height].map((side) => Math.floor(side * scale));
  return decodeRaster(
    sharp(data, { raw }).resize({ width: width!, height: height!, fit: 'fill', kernel: 'linear' }),
  );
}

/** Mean squared difference per channel between upscaled pixels and the image pixels they are in. */
function detailBetween(enlarged: Raster, picture: Raster): Enlargement['detail'] {
  const columns = Int32Array.from(
    { length: enlarged.width },
    (_, x) => 4 * Math.floor((x * picture.width) / enlarged.width),
  );
  let squares = 0;
  for (let y = 0, at = 0; y < enlarged.height; y++) {
    const row = 4 * picture.width * Math.floor((y * picture.height) / enlarged.height);
    for (let x = 0; x < enlarged.width; x++, at += 4)
      for (let channel = 0; channel < 3; channel++)
        squares += (enlarged.data[at + channel]! - picture.data[row + columns[x]! + channel]!) ** 2;
  }
  return squares / (3 * enlarged.width * enlarged.height);
}

/** The drawing within the node limit. A note names the nodes the full drawing would have taken. */
function drawWithin(picture: Raster, request: SizedRequest, onProgress: OnProgress): Drawn {
  const { nodesMax, force } = request;
  const asked = outline(sketchOf(picture, request, onProgress), request);
  if (asked.nodeCount > nodesMax && !force)
    throw detailError(asked, nodesMax, remedyFor(picture, request, asked.nodeCount));
  const fitting = coarsenTo(asked, request);
  const filled = fillShapes(fitting, nodesMax - fitting.nodeCount);
  const nodeCount =
    fitting.nodeCount +
    filled.touches.reduce(
      (sum, { lines }) => sum + lines.reduce((own, { length }) => own + length / 2, 0),
      0,
    );
  return {
    ...filled,
    lineError: fitting.lineError(),
    nodeCount,
    notes: [...(fitting === asked ? [] : [lostDetail(asked, nodeCount)]), ...(fitting.strokes?.notes ?? [])],
  };
}

const RESTORED =
  'The image shows traces of compression or enlargement. It was drawn in its flat colours without them.';

/** Tests for a screen drawing in the original colours, which can be exact. */
const mayBeExact = ({ mode, physical, palette, colorPrecision }: SizedRequest): boolean =>
  mode === 'color' && !physical && palette.length === 0 && colorPrecision > LAYERED_PRECISION_MAX;

interface Outlined {
  readonly sketch: Sketch;
  readonly layers: readonly Layer[];
  /** For drawings of lines, instead of layers. */
  readonly strokes?: DrawnStrokes;
  readonly lineError: () => number | undefined;
  readonly nodeCount: number;
  /** The number is a lower bound, because outlines were omitted. */
  readonly isBound: boolean;
}

/** A drawing has at least the estimated number of nodes divided by this. */
const OVERESTIMATE_MAX = 2;
/** Target relative to the limit: above it while nodes are estimated, below it once they are counted. */
const ESTIMATED_AIM = 1.5;
const COUNTED_AIM = 0.995;

const shareToKeep = ({ nodeCount, isBound }: Outlined, nodesMax: number): number =>
  ((isBound ? ESTIMATED_AIM / OVERESTIMATE_MAX : COUNTED_AIM) * nodesMax) / nodeCount;

/** A sketch with outlines, or without them if they would certainly exceed the limit. */
function outline(sketch: Sketch, { nodesMax, physical }: SizedRequest): Outlined {
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
  const bound = Math.floor(estimateNodes(outlineOf(sketch.areas), sketch.areas.count) / OVERESTIMATE_MAX);
  if (bound > nodesMax)
    return { sketch, layers: [], lineError: () => undefined, nodeCount: bound, isBound: true };
  if (physical) {
    const sheets = planSheets(sketch, physical.purpose === 'print');
    const layers = sheets.nodeCount > nodesMax ? [] : sheets.layers();
    return { sketch, layers, lineError: sheets.lineError, nodeCount: sheets.nodeCount, isBound: false };
  }
  const { picture, areas, fills, times, edges } = sketch;
  const { layers, lineError } = stackAreas(edges?.picture ?? picture, areas, fills, times, edges?.tolerance);
  const nodeCount = layers.reduce((sum, { outlines }) => sum + nodesOf(outlines), 0);
  return { sketch, layers, lineError, nodeCount, isBound: false };
}

const twoTonesOf = (picture: Raster) => (isOpaque(picture) ? findTwoTones(picture) : undefined);

function sketchOf(
  picture: Raster,
  request: SizedRequest,
  onProgress: OnProgress = () => {},
  enlarged?: Enlargement & { readonly original: Raster },
): Sketch {
  const areaMin = areaMinOf(request.filterSpeckle);
  if (request.physical && isStroked(request.physical))
    return sketchStrokes(picture, { ...request, areaMin, onProgress });
  const times = enlarged?.times ?? 1;
  const tones =
    mayBeExact(request) && isOpaque(picture) ? findTwoTones(enlarged?.original ?? picture) : undefined;
  if (tones)
    return sketchTwoTones(picture, tones, Math.max(1, Math.round((areaMin * times ** 2) / 2)), times);
  return request.mode === 'color'
    ? sketchColors(picture, {
        ...request,
        colorPrecision: precisionOf(request),
        areaMin,
        enlarged,
        onProgress,
      })
    : sketchInk(picture, areaMin);
}

const precisionOf = ({ colorPrecision, physical }: SizedRequest): number =>
  physical ? Math.min(LAYERED_PRECISION_MAX, colorPrecision) : colorPrecision;

/** In an image of strokes, the number of nodes falls about with the speckle side to the power of −1.5; in noise it falls faster. */
const SPECKLE_POWER = 1.5;

/** A sufficient filter_speckle, not much coarser than necessary. */
function remedyFor(picture: Raster, request: SizedRequest, nodesWanted: number): number | undefined {
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
    ...(filterSpeckle === undefined ? [] : [`send filter_speckle ${filterSpeckle}`]),
    'send force to reduce detail until it fits',
  ];
  return new EngineError(
    'unsuitable_image',
    `At these settings the drawing would have ${nodesIn(asked)}, ${nodesMax} are allowed: the image is a photograph, noise or finely grained rather than a drawing. Any of these helps: ${remedies.join('; ')}. A smoother image or one with fewer colours needs fewer nodes.`,
  );
}

const nodesIn = ({ isBound, nodeCount }: Outlined): string =>
  `${isBound ? 'more than ' : ''}${nodeCount} nodes`;

const lostDetail = (asked: Outlined, nodeCount: number): string =>
  `The drawing would have had ${nodesIn(asked)}; detail was reduced to ${nodeCount} nodes.`;

function refuseTooLarge(sizeBytes: number): void {
  if (sizeBytes <= SVG_BYTES_MAX) return;
  throw new EngineError(
    'unsuitable_image',
    `The drawing would have ${Math.round(sizeBytes / 1e6)} MB; at most ${Math.floor(SVG_BYTES_MAX / 1e6)} MB are supported. Send a smaller or smoother image, raise filter_speckle or lower color_precision.`,
  );
}

/** Warns if more than 2 % of the pixels are translucent: shapes have hard edges. */
function softEdges({ data: rgba }: Raster): string[] {
  let soft = 0;
  for (let at = 3; at < rgba.length; at += 4) if (rgba[at]! > 16 && rgba[at]! < 240) soft++;
  if (soft <= rgba.length / 4 / 50) return [];
  return ['Semi-transparent parts became fully opaque or fully transparent: shapes have hard edges.'];
}

/** Steps per upscaled pixel: coordinates are multiples of one step. */
const STEPS_ENLARGED = 2;

/** Scales shapes traced in an upscaled image to integers, which take fewer characters than tenths. */
function writeFinely(shapes: readonly Shape[], size: Size, traced: Size): string {
  const inSteps = (length: number): number => STEPS_ENLARGED * length;
  const place = ([x, y]: readonly [number, number]) => [inSteps(x), inSteps(y)] as const;
  const inStepsFilled = (fill: Fill): Fill => ({
    ...fill,
    ...(!('color' in fill) && { from: place(fill.from), to: place(fill.to) }),
    ...(fill.glows && {
      glows: fill.glows.map((glow) => ({
        ...glow,
        x: inSteps(glow.x),
        y: inSteps(glow.y),
        radius: inSteps(glow.radius),
      })),
    }),
  });
  return writeSvg(
    shapes.map(({ outlines, fill }) => ({
      outlines: outlines.map((outline) => outline.map((length) => Math.round(inSteps(length)))),
      fill: inStepsFilled(fill),
    })),
    size,
    { width: inSteps(traced.width), height: inSteps(traced.height) },
  );
}

/** Writes soft strokes: one path a colour, drawn with each of the pens; a dot is a line without length. Lengths are halves of a pixel. */
function writeSoftStrokes(groups: readonly SoftStrokes[]): string {
  if (groups.length === 0) return '';
  const paths = groups.map(({ color, lines }, index) => {
    let [x, y] = [0, 0];
    let text = '';
    for (const line of lines.toSorted((one, other) => one[1]! - other[1]! || one[0]! - other[0]!)) {
      for (let at = 0; at < line.length; at += 2) {
        const down = line[at + 1]! - y;
        text += `${at === 0 ? 'm' : at === 2 ? 'l' : line[at]! < x ? '' : ' '}${line[at]! - x}${down < 0 ? '' : ' '}${down}`;
        [x, y] = [line[at]!, line[at + 1]!];
      }
      if (line.length === 2) text += 'h0';
    }
    const uses = PENS.map(
      ({ radius, opacity }) =>
        `<use xlink:href="#t${index}" stroke-width="${4 * radius}" stroke-opacity="${opacity}"/>`,
    );
    return {
      path: `<path id="t${index}" d="${text}"/>\n`,
      uses: `<g stroke="${hex(color)}">${uses.join('')}</g>\n`,
    };
  });
  const attributes = 'fill="none" stroke-linecap="round" stroke-linejoin="round" transform="scale(.5)"';
  return `<defs>\n${paths.map(({ path }) => path).join('')}</defs>\n<g id="texture" ${attributes} xmlns:xlink="http://www.w3.org/1999/xlink">\n${paths.map(({ uses }) => uses).join('')}</g>\n`;
}

/**
 * Decodes the pixels to trace, limited to bound the time. Also returns the original size and the stated resolution.
 * @throws EngineError unsuitable_image if nothing is visible, undecodable_image, image_too_large
 */
async function readTracedPixels(
  bytes: Uint8Array,
): Promise<{ picture: Raster; width: number; height: number; ppi: number | undefined }> {
  const { autoOrient: size, density: ppi } = await awaitDecoding(openPicture(bytes).metadata());
  const { width, height } = size;
  const source = openPicture(bytes).toColourspace('srgb').ensureAlpha();
  if (width * height > VECTORIZE_PIXELS_MAX) {
    const scale = Math.sqrt(VECTORIZE_PIXELS_MAX / (width * height));
    const [across, down] = [width, height].map((side) => Math.max(1, Math.round(side * scale)));
    // Lanczos would create dark halos along sharp edges, which would be traced.
    source.resize({ width: across!, height: down!, fit: 'fill', kernel: 'linear' });
  }
  const picture = await decodeRaster(source);
  refuseInvisible(picture);
  return { picture, width, height, ppi };
}

function refuseInvisible({ data: rgba }: Raster): void {
  for (let at = 3; at < rgba.length; at += 4) if (rgba[at]! >= OPAQUE_MIN) return;
  throw new EngineError(
    'unsuitable_image',
    'No pixel of the image is at least half opaque, so there is nothing to draw. Send an image with visible pixels.',
  );
}
