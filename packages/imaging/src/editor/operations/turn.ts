import type { Size } from '../../pixels/plane.ts';
import type { DeepRaster } from '../../pixels/raster.ts';
import { resampleTo } from '../../resample/resample.ts';
import { type Canvas, refuseSize } from '../canvas.ts';
import { parseColor } from '../colors.ts';
import type { Perform } from '../context.ts';
import {
  compose,
  innerSize,
  invert,
  type Matrix,
  quadMatrix,
  translation,
  turnedSize,
  turning,
} from '../geometry.ts';
import { placeBy, resolveLength } from '../lengths.ts';
import type { OperationOf } from '../operations.ts';
import { invalidOperation } from '../refuse.ts';
import { underColor } from '../under_color.ts';

const NEAR = 1e-9;

/** Maps a canvas to a clockwise-rotated one, about the centre. */
function turnMatrix(from: Size, to: Size, degrees: number): Matrix {
  return compose(
    translation(from.width / 2, from.height / 2),
    compose(turning(degrees), translation(-to.width / 2, -to.height / 2)),
  );
}

/** Quarter turns as integers, without rounding errors of sine and cosine. */
const QUARTERS: Readonly<Record<number, (size: Size) => Matrix>> = {
  90: ({ height }) => [0, 1, 0, -1, 0, height, 0, 0, 1],
  180: ({ width, height }) => [-1, 0, width, 0, -1, height, 0, 0, 1],
  270: ({ width }) => [0, -1, width, 1, 0, 0, 0, 0, 1],
};

export const rotate: Perform<OperationOf<'rotate'>> = async (canvas, operation) => {
  const degrees = ((operation.degrees % 360) + 360) % 360;
  const size = { width: canvas.width, height: canvas.height };
  if (degrees < NEAR || 360 - degrees < NEAR) return { settled: operation };
  const quarter = QUARTERS[degrees];
  if (quarter && (operation.expand || degrees === 180)) {
    const turned = degrees === 180 ? size : { width: size.height, height: size.width };
    await canvas.transform(quarter(size), turned);
    return { settled: operation };
  }
  const turned = operation.expand ? turnedSize(size, degrees) : size;
  const background = parseColor(operation.background);
  await canvas.transform(turnMatrix(size, turned, degrees), turned, !operation.expand);
  if (background[3] > 0) await canvas.addStage(underColor(background));
  return { settled: operation };
};

export const flip: Perform<OperationOf<'flip'>> = async (canvas, operation) => {
  const { width, height } = canvas;
  const { axis } = operation;
  const [across, down] = [axis !== 'vertical', axis !== 'horizontal'];
  const matrix: Matrix = [
    across ? -1 : 1,
    0,
    across ? width : 0,
    0,
    down ? -1 : 1,
    down ? height : 0,
    0,
    0,
    1,
  ];
  await canvas.transform(matrix, { width, height });
  return { settled: operation };
};

export const straighten: Perform<OperationOf<'straighten'>> = async (
  canvas,
  { max_degrees: most },
  context,
) => {
  const angle = horizonAngle(await canvas.pixels(), most);
  if (angle === undefined)
    return { settled: [], reason: `no clear line is tilted by up to ${most}°: not changed` };
  const degrees = Math.round(-angle * 100) / 100;
  const inner = innerSize(canvas, degrees);
  const turn = { op: 'rotate', degrees, background: 'transparent', expand: true } as const;
  await rotate(canvas, turn, context);
  const { left, top, ...size } = placeBy('centre', inner, canvas);
  await canvas.crop({ left, top, ...size });
  const cut = { op: 'crop', box: { x: left, y: top, ...size }, gravity: 'centre', padding: 0 } as const;
  const reason = `lines are tilted by ${-degrees}°: rotated by ${degrees}° and cropped to the largest area without corners`;
  return { settled: [turn, cut], reason };
};

export const perspective: Perform<OperationOf<'perspective'>> = async (canvas, operation, { dpi }) => {
  if (operation.to) return moveCorners(canvas, { ...operation, to: operation.to }, dpi);
  const corners = operation.corners ?? operation.from;
  if (!corners)
    throw invalidOperation('perspective needs corners, or from and to: four points each.', {
      corners: EXAMPLE_CORNERS,
    });
  const points = pointsOn(canvas, corners, dpi);
  const across =
    operation.width === undefined ? undefined : resolveLength(operation.width, { whole: canvas.width, dpi });
  const down =
    operation.height === undefined
      ? undefined
      : resolveLength(operation.height, { whole: canvas.height, dpi });
  const size = sizeOfQuad(points, { across, down });
  refuseSize(size);
  refuseTwisted(points);
  const matrix = quadMatrix(size, points);
  if (!matrix)
    throw invalidOperation(
      'Three of the corners are collinear. Send upper left, upper right, lower right, lower left.',
    );
  await canvas.transform(matrix, size, true);
  return { settled: { ...operation, from: undefined, corners: points, ...size } };
};

type Point = readonly [number, number];

const EXAMPLE_CORNERS = [
  ['10%', '10%'],
  ['90%', '5%'],
  ['95%', '90%'],
  ['5%', '95%'],
];

const pointsOn = (
  canvas: Size,
  points: NonNullable<OperationOf<'perspective'>['corners']>,
  dpi: number,
): Point[] =>
  points.map(([x, y]) => [
    resolveLength(x, { whole: canvas.width, dpi }),
    resolveLength(y, { whole: canvas.height, dpi }),
  ]);

/** Moves four points to four others with the rest of the image; the canvas keeps its size. */
async function moveCorners(
  canvas: Canvas,
  operation: OperationOf<'perspective'> & Required<Pick<OperationOf<'perspective'>, 'to'>>,
  dpi: number,
) {
  const { width, height } = canvas;
  const from: readonly Point[] = operation.from
    ? pointsOn(canvas, operation.from, dpi)
    : [
        [0, 0],
        [width, 0],
        [width, height],
        [0, height],
      ];
  const to = pointsOn(canvas, operation.to!, dpi);
  for (const points of [from, to]) refuseTwisted(points);
  const size = {
    width: Math.round(
      operation.width === undefined ? width : resolveLength(operation.width, { whole: width, dpi }),
    ),
    height: Math.round(
      operation.height === undefined ? height : resolveLength(operation.height, { whole: height, dpi }),
    ),
  };
  refuseSize(size);
  const [ofFrom, ofTo] = [quadMatrix({ width: 1, height: 1 }, from), quadMatrix({ width: 1, height: 1 }, to)];
  if (!ofFrom || !ofTo) throw invalidOperation('Three of the points are collinear. Send four corners.');
  await canvas.transform(facing(compose(ofFrom, invert(ofTo)), to), size, true);
  return { settled: { ...operation, corners: undefined, from, to, ...size } };
}

/** The matrix with the sign that gives points on the visible side of the horizon a positive depth. */
function facing(matrix: Matrix, points: readonly Point[]): Matrix {
  const [x, y] = [0, 1].map((axis) => points.reduce((sum, point) => sum + point[axis]!, 0) / 4) as [
    number,
    number,
  ];
  const isBehind = matrix[6] * x + matrix[7] * y + matrix[8] < 0;
  return isBehind ? (matrix.map((value) => -value) as unknown as Matrix) : matrix;
}

/** Mean length of opposite sides, if no size is requested. */
function sizeOfQuad(
  points: readonly Point[],
  { across, down }: { across?: number | undefined; down?: number | undefined },
): Size {
  const length = (from: number, to: number): number =>
    Math.hypot(points[to]![0] - points[from]![0], points[to]![1] - points[from]![1]);
  const own = { width: (length(0, 1) + length(3, 2)) / 2, height: (length(0, 3) + length(1, 2)) / 2 };
  const width = across ?? (down === undefined ? own.width : (own.width / own.height) * down);
  const height = down ?? (across === undefined ? own.height : (own.height / own.width) * across);
  return { width: Math.round(width), height: Math.round(height) };
}

/** Rejects corners that are not convex and clockwise on screen. */
function refuseTwisted(points: readonly Point[]): void {
  const turns = points.map((point, at) => {
    const [next, last] = [points[(at + 1) % 4]!, points[(at + 2) % 4]!];
    return (next[0] - point[0]) * (last[1] - next[1]) - (next[1] - point[1]) * (last[0] - next[0]);
  });
  if (turns.every((turn) => turn > NEAR)) return;
  throw invalidOperation(
    'The corners do not make a convex shape in this order. Send upper left, upper right, lower right, lower left, each [x, y].',
  );
}

/** Longest side of the copy that is searched. */
const SIDE_PX = 800;
/** Angular resolution, in degrees. */
const STEP = 0.1;
/** Minimum weight of a peak relative to the typical angle. */
const CLEAR = 2;

/**
 * Tilt of the horizontal or vertical lines of an image in degrees, positive clockwise. Undefined without clear lines, or if they are level within
 * 0.05°.
 * Gradients vote for the angle of their edge. Single pixels are uncertain by degrees, so the final angle, among those with most votes, is the one
 * with the sharpest projection of the edges.
 */
function horizonAngle(raster: DeepRaster, most: number): number | undefined {
  const luma = smallLuma(raster);
  const edges = edgesWithin(luma, most + 2);
  if (edges.length < 3 * 50) return undefined;
  const angles: number[] = [];
  for (let angle = -most; angle <= most + 1e-9; angle += STEP) angles.push(Math.round(angle * 1000) / 1000);
  const scores = angles.map((angle) => sharpness(edges, angle, luma));
  const best = scores.indexOf(Math.max(...scores));
  const usual = [...scores].sort((one, other) => one - other)[scores.length >> 1]!;
  if (best === 0 || best === scores.length - 1 || scores[best]! < CLEAR * usual) return undefined;
  const angle = angles[best]! + STEP * vertex(scores[best - 1]!, scores[best]!, scores[best + 1]!);
  return Math.abs(angle) < STEP / 2 ? undefined : angle;
}

/** Position of the vertex of a parabola through three neighbours, from −0.5 to 0.5. */
const vertex = (before: number, at: number, after: number): number => {
  const bend = before - 2 * at + after;
  return bend === 0 ? 0 : (0.5 * (before - after)) / bend;
};

interface Luma {
  readonly width: number;
  readonly height: number;
  readonly data: Float32Array;
}

function smallLuma(raster: DeepRaster): Luma {
  const scale = Math.min(1, SIDE_PX / Math.max(raster.width, raster.height));
  const width = Math.max(3, Math.round(raster.width * scale));
  const height = Math.max(3, Math.round(raster.height * scale));
  const { data, channels } = resampleTo(raster, { width, height, light: 'linear', depth: 8 });
  const luma = new Float32Array(width * height);
  for (let pixel = 0; pixel < luma.length; pixel += 1) {
    const at = pixel * channels;
    luma[pixel] = 0.299 * data[at]! + 0.587 * data[at + 1]! + 0.114 * data[at + 2]!;
  }
  return { width, height, data: luma };
}

/** x, y and weight of edge pixels within a number of degrees of horizontal or vertical; vertical ones have negative weights. */
function edgesWithin({ width, height, data }: Luma, degrees: number): number[] {
  const tangent = Math.tan((degrees * Math.PI) / 180);
  const edges: number[] = [];
  for (let y = 1; y < height - 1; y += 1)
    for (let x = 1; x < width - 1; x += 1) {
      const at = y * width + x;
      const across = data[at + 1]! - data[at - 1]!;
      const down = data[at + width]! - data[at - width]!;
      const strength = Math.hypot(across, down);
      if (strength < 16) continue;
      if (Math.abs(across) <= tangent * Math.abs(down)) edges.push(x, y, Math.min(64, strength));
      else if (Math.abs(down) <= tangent * Math.abs(across)) edges.push(x, y, -Math.min(64, strength));
    }
  return edges;
}

/** Sum of squares of the edges projected along an angle: large if many are on the same line. */
function sharpness(edges: readonly number[], degrees: number, { width, height }: Luma): number {
  const slope = Math.tan((degrees * Math.PI) / 180);
  const level = new Float32Array(height + 2 * width);
  const upright = new Float32Array(width + 2 * height);
  for (let at = 0; at < edges.length; at += 3) {
    const [x, y, weight] = [edges[at]!, edges[at + 1]!, edges[at + 2]!];
    if (weight > 0) add(level, y - slope * x + width, weight);
    else add(upright, x + slope * y + height, -weight);
  }
  const energy = (bins: Float32Array): number => bins.reduce((sum, bin) => sum + bin * bin, 0);
  return energy(level) + energy(upright);
}

/** Splits a weight between two bins, which keeps the score smooth in the angle. */
function add(bins: Float32Array, place: number, weight: number): void {
  const bin = Math.floor(place);
  if (bin < 0 || bin + 1 >= bins.length) return;
  const share = place - bin;
  bins[bin]! += weight * (1 - share);
  bins[bin + 1]! += weight * share;
}
