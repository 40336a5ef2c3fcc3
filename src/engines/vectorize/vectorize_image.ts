import { AtelierError } from '../../errors.ts';
import { SVG_BYTES_MAX, VECTORIZE_PIXELS_MAX } from '../../limits.ts';
import { decoded, openPicture } from '../picture/open_picture.ts';
import { correctFills, type RasterError, rasterError } from './fill_layers.ts';
import { OPAQUE_MIN, type Raster } from './raster.ts';
import type { Color } from './reduce_colors.ts';
import { areaMinOf, type OnProgress, type Sketch } from './sketch.ts';
import { sketchColors } from './sketch_colors.ts';
import { sketchInk } from './sketch_ink.ts';
import { stackAreas } from './stack_areas.ts';
import { visibleParts } from './visible_parts.ts';
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
}

export interface VectorImage {
  readonly svg: string;
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
}

/**
 * Redraws a picture as SVG shapes. Work and size are bounded: a large picture is traced smaller.
 * @throws AtelierError unsuitable_image (nothing visible, or too much detail), undecodable_image, image_too_large
 */
export async function vectorizeImage(
  request: VectorizeRequest,
  onProgress: OnProgress = () => {},
): Promise<VectorImage> {
  const { picture, width, height } = await tracedPixels(request.bytes);
  refuseInvisible(picture);
  onProgress(0.2, 'Picture decoded');
  const { shapes, error, nodeCount, sketch } = drawWithin(picture, request, onProgress);
  onProgress(0.9, 'Shapes traced');
  const svg = writeSvg(shapes, { width, height }, picture);
  const sizeBytes = Buffer.byteLength(svg);
  refuseTooLarge(sizeBytes);
  return {
    svg,
    width,
    height,
    pathCount: shapes.length,
    nodeCount,
    sizeBytes,
    error: { psnrDb: rounded(error.psnrDb, 2), meanDeltaE: rounded(error.meanDeltaE, 4) },
    notes: [...lostDetail(sketch, request), ...softEdges(picture)],
    engine: ENGINE,
  };
}

const rounded = (value: number, digits: number): number => Number(value.toFixed(digits));

const ENGINE = { name: 'atelier-vectors', version: '1' };

/** Less is aimed at when a drawing has come out with more nodes than was foreseen. */
const SAFETY = 0.8;

/** The drawing of a picture within the nodes that are allowed. */
function drawWithin(picture: Raster, request: VectorizeRequest, onProgress: OnProgress) {
  for (let { nodesMax } = request; ; ) {
    const sketch = sketchOf(picture, { ...request, nodesMax }, onProgress);
    if (!request.force) refuseTooDetailed(sketch, request.nodesMax);
    const drawn = draw(sketch);
    const nodeCount = drawn.shapes.reduce((sum, { outlines }) => sum + nodesOf(outlines), 0);
    const foreseen = { ...sketch, nodesWanted: Math.max(sketch.nodesWanted, nodeCount) };
    if (nodeCount <= request.nodesMax) return { ...drawn, nodeCount, sketch };
    if (!request.force) refuseTooDetailed(foreseen, request.nodesMax);
    nodesMax = Math.floor((SAFETY * nodesMax * request.nodesMax) / nodeCount);
  }
}

function sketchOf(picture: Raster, request: VectorizeRequest, onProgress: OnProgress): Sketch {
  const areaMin = areaMinOf(request.filterSpeckle);
  return request.mode === 'color'
    ? sketchColors(picture, { ...request, areaMin, onProgress })
    : sketchInk(picture, { areaMin, nodesMax: request.nodesMax });
}

function draw({ picture, areas, fills, correctable }: Sketch): { shapes: Shape[]; error: RasterError } {
  const layers = stackAreas(picture, areas, fills);
  const parts = visibleParts(layers, picture);
  const target = onWhite(picture);
  const planned = layers.map(({ area }) => fills[area]!);
  const final = correctable
    ? correctFills(planned, parts, onWhite(hardened(picture)), picture.width)
    : planned;
  return {
    shapes: layers.map(({ outlines }, index) => ({ outlines, fill: final[index]! })),
    error: rasterError(final, parts, target, picture.width),
  };
}

/** What is half transparent is drawn in its own colour, not in one that is paler. */
function hardened({ width, height, rgba }: Raster): Raster {
  const hard = new Uint8Array(rgba);
  for (let at = 3; at < hard.length; at += 4) hard[at] = hard[at]! < OPAQUE_MIN ? 0 : 255;
  return { width, height, rgba: hard };
}

function onWhite({ rgba }: Raster): Float32Array {
  const target = new Float32Array((3 * rgba.length) / 4);
  for (let pixel = 0; 4 * pixel < rgba.length; pixel++) {
    const share = rgba[4 * pixel + 3]! / 255;
    for (let channel = 0; channel < 3; channel++)
      target[3 * pixel + channel] = 255 + share * (rgba[4 * pixel + channel]! - 255);
  }
  return target;
}

function refuseTooDetailed({ nodesWanted, remedy }: Sketch, nodesMax: number): void {
  if (nodesWanted <= nodesMax) return;
  throw new AtelierError(
    'unsuitable_image',
    `At these settings the drawing would have about ${nodesWanted} nodes, ${nodesMax} are allowed: the picture is a photograph, noise or finely grained rather than a drawing. Ask for ${remedy}, send it smaller, smoothed or with fewer colours, raise max_nodes, or set force to have detail given up until it fits.`,
  );
}

function lostDetail({ nodesWanted, remedy }: Sketch, { nodesMax }: VectorizeRequest): string[] {
  if (nodesWanted <= nodesMax) return [];
  return [
    `The drawing would have had about ${nodesWanted} nodes; detail was given up down to ${nodesMax}, about as with ${remedy}.`,
  ];
}

/** The pixels to trace, at most so many that it ends in time; and the picture's own size. */
async function tracedPixels(bytes: Uint8Array): Promise<{ picture: Raster; width: number; height: number }> {
  const { autoOrient: size } = await decoded(openPicture(bytes).metadata());
  const { width, height } = size;
  const source = openPicture(bytes).toColourspace('srgb').ensureAlpha();
  if (width * height > VECTORIZE_PIXELS_MAX) {
    const scale = Math.sqrt(VECTORIZE_PIXELS_MAX / (width * height));
    const [across, down] = [width, height].map((side) => Math.max(1, Math.round(side * scale)));
    // Lanczos would draw dark rims along sharp edges, and they would be traced.
    source.resize({ width: across!, height: down!, fit: 'fill', kernel: 'linear' });
  }
  const { data, info } = await decoded(source.raw({ depth: 'uchar' }).toBuffer({ resolveWithObject: true }));
  return { picture: { width: info.width, height: info.height, rgba: data }, width, height };
}

function refuseInvisible({ rgba }: Raster): void {
  for (let at = 3; at < rgba.length; at += 4) if (rgba[at]! >= OPAQUE_MIN) return;
  throw new AtelierError(
    'unsuitable_image',
    'No pixel of the picture is more than half opaque, so there is nothing to draw. Send a picture with visible pixels.',
  );
}

function refuseTooLarge(sizeBytes: number): void {
  if (sizeBytes <= SVG_BYTES_MAX) return;
  throw new AtelierError(
    'unsuitable_image',
    `The drawing would have ${Math.round(sizeBytes / 1e6)} MB; at most ${Math.floor(SVG_BYTES_MAX / 1e6)} MB are answered. Send a smaller or smoother picture, raise filter_speckle or lower color_precision.`,
  );
}

/** Hard edges are what shapes have: more than one pixel in fifty half transparent is worth a word. */
function softEdges({ rgba }: Raster): string[] {
  let soft = 0;
  for (let at = 3; at < rgba.length; at += 4) if (rgba[at]! > 16 && rgba[at]! < 240) soft++;
  if (soft <= rgba.length / 4 / 50) return [];
  return ['Half-transparent parts became fully opaque or fully transparent: shapes have hard edges.'];
}
