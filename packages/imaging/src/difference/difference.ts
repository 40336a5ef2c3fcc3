import { sharp } from '../codecs/sharp.ts';
import { type AnchoredWindow, ASKED, anchoredWindows } from '../fingerprint/anchored_windows.ts';
import { TURNED } from '../fingerprint/likeness.ts';
import { DIHEDRAL } from '../fingerprint/pdq/pdq.ts';
import { type SmallPicture, smallPicture } from '../fingerprint/small_picture.ts';
import { dilateMask } from '../pixels/dilate_mask.ts';
import { gaussianBlur } from '../pixels/gaussian_blur.ts';
import type { Plane } from '../pixels/plane.ts';

/** x' = a·x + b·y + c, y' = d·x + e·y + f */
type Affine = readonly [a: number, b: number, c: number, d: number, e: number, f: number];
type Point = readonly [x: number, y: number];
type Pair = readonly [from: Point, to: Point];

const applyAffine = ([a, b, c, d, e, f]: Affine, [x, y]: Point): Point => [
  a * x + b * y + c,
  d * x + e * y + f,
];

/** The similarity transform through two pairs of points. `mirrored`: after a reflection. */
function fitTwoPairs([[one, to], [other, toOther]]: readonly [Pair, Pair], mirrored: boolean): Affine {
  const sign = mirrored ? -1 : 1;
  const [dx, dy] = [other[0] - one[0], sign * (other[1] - one[1])];
  const [tx, ty] = [toOther[0] - to[0], toOther[1] - to[1]];
  const square = dx * dx + dy * dy;
  const [real, imaginary] = [(tx * dx + ty * dy) / square, (ty * dx - tx * dy) / square];
  const linear = [real, -sign * imaginary, imaginary, sign * real] as const;
  return [
    linear[0],
    linear[1],
    to[0] - linear[0] * one[0] - linear[1] * one[1],
    linear[2],
    linear[3],
    to[1] - linear[2] * one[0] - linear[3] * one[1],
  ] as unknown as Affine;
}

/** The least-squares affine fit through three or more pairs. Undefined for collinear points. */
function fitPairs(pairs: readonly Pair[]): Affine | undefined {
  const rows = pairs.map(([[x, y]]) => [x, y, 1]);
  const normal = [0, 1, 2].map((row) =>
    [0, 1, 2].map((column) => rows.reduce((sum, values) => sum + values[row]! * values[column]!, 0)),
  );
  const solveAxis = (axis: 0 | 1) =>
    [0, 1, 2].map((row) => rows.reduce((sum, values, at) => sum + values[row]! * pairs[at]![1][axis], 0));
  const [x, y] = [solveEquations(normal, solveAxis(0)), solveEquations(normal, solveAxis(1))];
  return x && y && ([...x, ...y] as unknown as Affine);
}

/** Gaussian elimination with pivoting. Undefined for a singular system. */
function solveEquations(
  matrix: readonly (readonly number[])[],
  right: readonly number[],
): number[] | undefined {
  const rows = matrix.map((row, at) => [...row, right[at]!]);
  for (let at = 0; at < rows.length; at++) {
    const pivot = rows
      .slice(at)
      .reduce((best, row) => (Math.abs(row[at]!) > Math.abs(best[at]!) ? row : best));
    if (Math.abs(pivot[at]!) < 1e-9) return undefined;
    rows[rows.indexOf(pivot)] = rows[at]!;
    rows[at] = pivot;
    for (const row of rows) {
      if (row === pivot) continue;
      const factor = row[at]! / pivot[at]!;
      for (let column = at; column < row.length; column++) row[column]! -= factor * pivot[column]!;
    }
  }
  return rows.map((row, at) => row.at(-1)! / row[at]!);
}

interface ChangeMap {
  /** For each pixel of the query image: 0 unchanged, 1 certainly changed. */
  readonly change: Plane;
  /** Where the query image extends beyond the original. */
  readonly beyond: Uint8Array;
}

/** Grey levels by which compression, scaling and noise change a blurred pixel. */
const TOLERANCE = 7;
/** Grey levels above the tolerance at which a change is certain. */
const RANGE = 20;
/** Blur and scaling spread a frame this far into the image. */
const FRAME_PX = 6;
/** A change up to this many pixels times the local slope is explained by misalignment. */
const SHIFT_PX = 0.9;

/** Compares channel by channel after matching gain and bias. Tolerates small shifts of edges. */
function changeMap(sent: SmallPicture, original: SmallPicture, alignment: Affine): ChangeMap {
  const { width, height } = sent;
  const change = new Float32Array(width * height);
  const beyond = new Uint8Array(width * height);
  for (let channel = 0; channel < 3; channel++) {
    const [ours, theirs] = [sent, original].map((picture) =>
      gaussianBlur(channelOf(picture, channel), 1.5),
    ) as [Plane, Plane];
    const laid = layOver(theirs, alignment, width, height);
    const [gain, bias] = fitGain(ours.data, laid);
    for (let at = 0; at < change.length; at++) {
      if (Number.isNaN(laid[at]!)) {
        beyond[at] = 1;
        continue;
      }
      const excess =
        Math.abs(ours.data[at]! - gain * laid[at]! - bias) - TOLERANCE - SHIFT_PX * slopeAt(ours, at);
      change[at] = Math.max(change[at]!, Math.min(1, Math.max(0, excess / RANGE)));
    }
  }
  const near = dilateMask({ width, height, data: Float32Array.from(beyond) }, FRAME_PX).data;
  return { change: { data: change.map((value, at) => (near[at] ? 0 : value)), width, height }, beyond };
}

const channelOf = ({ data, width, height }: SmallPicture, channel: number): Plane => ({
  data: Float32Array.from({ length: width * height }, (_, at) => data[3 * at + channel]!),
  width,
  height,
});

/** The original warped into the query image; NaN outside. */
function layOver(
  { data, width, height }: Plane,
  [a, b, c, d, e, f]: Affine,
  toWidth: number,
  toHeight: number,
): Float32Array {
  const laid = new Float32Array(toWidth * toHeight).fill(Number.NaN);
  for (let at = 0; at < laid.length; at++) {
    const [x, y] = [at % toWidth, Math.floor(at / toWidth)];
    const [u, v] = [a * x + b * y + c, d * x + e * y + f];
    if (u < -0.5 || v < -0.5 || u > width - 0.5 || v > height - 0.5) continue;
    const [inU, inV] = [Math.min(width - 1.001, Math.max(0, u)), Math.min(height - 1.001, Math.max(0, v))];
    const from = Math.floor(inV) * width + Math.floor(inU);
    const [p, q] = [inU - Math.floor(inU), inV - Math.floor(inV)];
    const upper = data[from]! * (1 - p) + data[from + 1]! * p;
    const lower = data[from + width]! * (1 - p) + data[from + width + 1]! * p;
    laid[at] = upper * (1 - q) + lower * q;
  }
  return laid;
}

/** Gain and bias that map the second image to the first: least squares, refitted without outliers. */
function fitGain(one: Float32Array, other: Float32Array): [gain: number, bias: number] {
  let [gain, bias] = [1, 0];
  for (const within of [60, 30, 15]) {
    let [n, sx, sy, sxx, sxy] = [0, 0, 0, 0, 0];
    for (let at = 0; at < one.length; at += 3) {
      const [x, y] = [other[at]!, one[at]!];
      if (Number.isNaN(x) || Math.abs(y - gain * x - bias) > within) continue;
      n++;
      sx += x;
      sy += y;
      sxx += x * x;
      sxy += x * y;
    }
    const spread = n * sxx - sx * sx;
    if (n < 50 || spread < n * n) continue;
    gain = Math.min(2, Math.max(0.5, (n * sxy - sx * sy) / spread));
    bias = (sy - gain * sx) / n;
  }
  return [gain, bias];
}

function slopeAt({ data, width, height }: Plane, at: number): number {
  const [x, y] = [at % width, Math.floor(at / width)];
  const across = data[at + (x < width - 1 ? 1 : 0)]! - data[at - (x > 0 ? 1 : 0)]!;
  const down = data[at + (y < height - 1 ? width : 0)]! - data[at - (y > 0 ? width : 0)]!;
  return Math.hypot(across, down) / 2;
}

interface ChangedRegion {
  /** Convex hull, clockwise, as fractions of the query image's width and height. */
  readonly polygon: readonly Point[];
  /** Fraction of the query image. */
  readonly share: number;
}

/** Side of the cells that group changed pixels. */
const CELL_PX = 6;
const CHANGED_MIN = 0.35;
const SHARE_MIN = 0.0012;
const REGIONS_MAX = 20;

/** Connected regions of changed pixels, largest first, without what lies beyond the original. */
function changedRegions({ change: { data, width, height }, beyond }: ChangeMap): ChangedRegion[] {
  const [columns, rows] = [Math.ceil(width / CELL_PX), Math.ceil(height / CELL_PX)];
  const means = new Float32Array(columns * rows);
  const counts = new Float32Array(columns * rows);
  for (let at = 0; at < data.length; at++) {
    if (beyond[at]) continue;
    const cell = Math.floor(Math.floor(at / width) / CELL_PX) * columns + Math.floor((at % width) / CELL_PX);
    means[cell]! += data[at]!;
    counts[cell]!++;
  }
  const isChanged = means.map((sum, at) =>
    counts[at]! > (CELL_PX * CELL_PX) / 3 && sum / counts[at]! > CHANGED_MIN ? 1 : 0,
  );
  return connectCells(isChanged, columns)
    .map((cells) => regionOf(cells, { columns, width, height }))
    .filter(({ share }) => share >= SHARE_MIN)
    .sort((one, other) => other.share - one.share)
    .slice(0, REGIONS_MAX);
}

/** 8-connected components of cells. */
function connectCells(marks: Float32Array, columns: number): number[][] {
  const groups: number[][] = [];
  const left = marks.slice();
  for (let start = 0; start < left.length; start++) {
    if (!left[start]) continue;
    left[start] = 0;
    const group = [start];
    for (const cell of group) {
      for (const near of neighbours(cell, columns, left.length)) {
        if (!left[near]) continue;
        left[near] = 0;
        group.push(near);
      }
    }
    groups.push(group);
  }
  return groups;
}

function neighbours(cell: number, columns: number, count: number): number[] {
  const column = cell % columns;
  const across = [-1, 0, 1].filter((by) => column + by >= 0 && column + by < columns);
  return [-columns, 0, columns]
    .flatMap((down) => across.map((by) => cell + down + by))
    .filter((near) => near !== cell && near >= 0 && near < count);
}

function regionOf(
  cells: readonly number[],
  { columns, width, height }: { columns: number; width: number; height: number },
): ChangedRegion {
  const corners = cells.flatMap((cell): Point[] => {
    const [x, y] = [(cell % columns) * CELL_PX, Math.floor(cell / columns) * CELL_PX];
    const [right, bottom] = [Math.min(width, x + CELL_PX), Math.min(height, y + CELL_PX)];
    return [
      [x, y],
      [right, y],
      [right, bottom],
      [x, bottom],
    ];
  });
  const share = (x: number) => Math.round(x * 10_000) / 10_000;
  return {
    polygon: hull(corners).map(([x, y]): Point => [share(x / width), share(y / height)]),
    share: share((cells.length * CELL_PX * CELL_PX) / (width * height)),
  };
}

/** Andrew's monotone chain. */
function hull(points: readonly Point[]): Point[] {
  const sorted = points.toSorted(([x, y], [otherX, otherY]) => x - otherX || y - otherY);
  const half = (ordered: readonly Point[]): Point[] => {
    const chain: Point[] = [];
    for (const point of ordered) {
      while (chain.length > 1 && !turnsRight(chain.at(-2)!, chain.at(-1)!, point)) chain.pop();
      chain.push(point);
    }
    return chain.slice(0, -1);
  };
  return [...half(sorted), ...half(sorted.toReversed())];
}

const turnsRight = ([ax, ay]: Point, [bx, by]: Point, [cx, cy]: Point): boolean =>
  (bx - ax) * (cy - ay) - (by - ay) * (cx - ax) > 0;

interface Refined {
  readonly alignment: Affine;
  /** Grey of the first image = gain · grey of the second + bias. */
  readonly gain: number;
  readonly bias: number;
  /** Fraction of the overlap that agrees, 0 to 1. */
  readonly fit: number;
}

/** Blur of each round in pixels, coarse to fine. */
const ROUNDS = [
  { sigma: 3, steps: 8 },
  { sigma: 1.5, steps: 6 },
] as const;
/** Grey level difference with weight 0.5: larger ones are changes of content, not misalignment. */
const HALF_WEIGHT = 10;
const FITS_BELOW = 14;
/** Sampling step. */
const STEP_PX = 2;

/** Refines an alignment by Gauss-Newton on grey levels, with low weight for large differences. */
function refineAlignment(from: Plane, to: Plane, start: Affine): Refined {
  let state: State = { alignment: start, gain: 1, bias: 0 };
  let fit = 0;
  for (const { sigma, steps } of ROUNDS) {
    const [one, other] = [gaussianBlur(from, sigma), gaussianBlur(to, sigma)];
    for (let step = 0; step < steps; step++) {
      const { normal, right, fitting, seen } = equations(one, other, state);
      fit = seen === 0 ? 0 : fitting / seen;
      const change = solveEquations(normal, right);
      if (!change) break;
      state = changeState(state, change);
    }
  }
  return { ...state, fit };
}

type State = Omit<Refined, 'fit'>;

const changeState = ({ alignment, gain, bias }: State, change: number[]): State => ({
  alignment: alignment.map((value, at) => value + change[at]!) as unknown as Affine,
  gain: gain + change[6]!,
  bias: bias + change[7]!,
});

/** The normal equations of one step for the six alignment parameters, gain and bias. */
function equations(one: Plane, other: Plane, { alignment: [a, b, c, d, e, f], gain, bias }: State) {
  const normal = Array.from({ length: 8 }, () => new Array<number>(8).fill(0));
  const right = new Array<number>(8).fill(0);
  const slope = new Float64Array(8);
  let [fitting, seen] = [0, 0];
  for (let y = 0; y < one.height; y += STEP_PX) {
    for (let x = 0; x < one.width; x += STEP_PX) {
      const [u, v] = [a * x + b * y + c, d * x + e * y + f];
      if (u < 1 || v < 1 || u >= other.width - 2 || v >= other.height - 2) continue;
      const at = Math.floor(v) * other.width + Math.floor(u);
      const [p, q] = [u - Math.floor(u), v - Math.floor(v)];
      const { data, width } = other;
      const [upper, lower] = [
        data[at]! * (1 - p) + data[at + 1]! * p,
        data[at + width]! * (1 - p) + data[at + width + 1]! * p,
      ];
      const value = upper * (1 - q) + lower * q;
      const gx =
        gain * ((data[at + 1]! - data[at]!) * (1 - q) + (data[at + width + 1]! - data[at + width]!) * q);
      const gy = gain * (lower - upper);
      const left = one.data[y * one.width + x]! - gain * value - bias;
      const weight = 1 / (1 + (left / HALF_WEIGHT) ** 2);
      slope.set([gx * x, gx * y, gx, gy * x, gy * y, gy, value, 1]);
      for (let row = 0; row < 8; row++) {
        right[row]! += weight * slope[row]! * left;
        for (let column = row; column < 8; column++)
          normal[row]![column]! += weight * slope[row]! * slope[column]!;
      }
      seen++;
      if (Math.abs(left) < FITS_BELOW) fitting++;
    }
  }
  for (let row = 0; row < 8; row++)
    for (let column = 0; column < row; column++) normal[row]![column] = normal[column]![row]!;
  return { normal, right, fitting, seen };
}

/** Largest Hamming distance between hashes of the same window in two images, one of them degraded. */
const DISTANCE_MAX = 44;
/** Largest distance of an inlier keypoint from its predicted position. */
const ERROR_PX_MAX = 3;
/** Alignment hypotheses tried. */
const TRIED_MAX = 80;

/** How the window of one image must be rotated or reflected to match the other. */
const VIEWS = [
  { turn: 'original', swapped: false, mirrored: false },
  { turn: 'rotate180', swapped: true, mirrored: false },
  { turn: 'flipX', swapped: false, mirrored: true },
  { turn: 'flipY', swapped: true, mirrored: true },
] as const;

interface Match {
  readonly pairs: readonly [Pair, Pair];
  readonly mirrored: boolean;
  readonly distance: number;
}

/**
 * Alignment of an image with the original it was made from. Pairs of similar windows propose alignments through their keypoints; the one
 * with most inliers wins. Undefined with fewer than two inliers.
 */
function findAlignment(from: Plane, to: Plane): Affine | undefined {
  const matches = findMatches(anchoredWindows(from, ASKED), anchoredWindows(to, ASKED));
  let best: Match[] = [];
  for (const { pairs, mirrored } of matches.slice(0, TRIED_MAX)) {
    const alignment = fitTwoPairs(pairs, mirrored);
    const agreeing = matches.filter((match) => match.mirrored === mirrored && agrees(match, alignment));
    if (agreeing.length > best.length) best = agreeing;
  }
  if (best.length < 2) return undefined;
  const fitted = best.length < 4 ? undefined : fitPairs(best.flatMap(({ pairs }) => pairs));
  return fitted ?? fitTwoPairs(best[0]!.pairs, best[0]!.mirrored);
}

const agrees = ({ pairs }: Match, alignment: Affine): boolean =>
  pairs.every(([from, to]) => {
    const [x, y] = applyAffine(alignment, from);
    return Math.hypot(x - to[0], y - to[1]) < ERROR_PX_MAX;
  });

/** Most similar first. */
function findMatches(some: readonly AnchoredWindow[], others: readonly AnchoredWindow[]): Match[] {
  const matches: Match[] = [];
  for (const { pdq, from, to } of some) {
    for (const { turn, swapped, mirrored } of VIEWS) {
      const hash = pdq.hashes[DIHEDRAL.indexOf(turn)]!;
      for (const other of others) {
        const distance = distanceOf(hash, other.pdq.hashes[0]!);
        if (distance > DISTANCE_MAX) continue;
        const [first, second] = swapped ? [other.to, other.from] : [other.from, other.to];
        matches.push({
          pairs: [
            [
              [from.x, from.y],
              [first.x, first.y],
            ],
            [
              [to.x, to.y],
              [second.x, second.y],
            ],
          ],
          mirrored,
          distance,
        });
      }
    }
  }
  return matches.sort((one, other) => one.distance - other.distance);
}

const ONES = Uint8Array.from({ length: 256 }, (_, byte) => byte.toString(2).replaceAll('0', '').length);

function distanceOf(one: Uint8Array, other: Uint8Array): number {
  let bits = 0;
  for (let at = 0; at < one.length; at++) bits += ONES[one[at]! ^ other[at]!]!;
  return bits;
}

export interface Difference {
  /** The visible part of the original, as fractions of its width and height. */
  readonly cropBox: {
    readonly x: number;
    readonly y: number;
    readonly width: number;
    readonly height: number;
  };
  /** Clockwise, from the original to the query image; -180 to 180. For a mirrored image: after the horizontal reflection. */
  readonly rotationDegrees: number;
  readonly mirrored: boolean;
  readonly regions: readonly ChangedRegion[];
  /** Fraction of the image that differs from the original, 0 to 1. */
  readonly changedShare: number;
  /** Fraction of the image beyond the original, such as a frame. */
  readonly beyondShare: number;
  /** PNG. */
  readonly heatMap: Uint8Array;
}

interface Request {
  readonly bytes: Uint8Array;
  /** Thumbnail of the original. */
  readonly original: Uint8Array;
  /** Index in DIHEDRAL, if the whole image is known to match the original rotated or reflected this way. */
  readonly turn?: number | undefined;
}

/** Narrower thumbnails cannot be compared. */
const SIDE_PX_MIN = 16;
/** A lower fit means that the alignment failed. */
const FIT_MIN = 0.45;

/** Where an image differs from its original. Undefined if the two cannot be aligned. */
export async function differenceOf({ bytes, original, turn }: Request): Promise<Difference | undefined> {
  const [sent, registered] = [await smallPicture(bytes), await smallPicture(original)];
  if (Math.min(sent.width, sent.height, registered.width, registered.height) < SIDE_PX_MIN) return undefined;
  const starts = [
    findAlignment(sent.grey, registered.grey),
    turn === undefined ? undefined : wholeFrame(sent, registered, turn),
  ].filter((start) => start !== undefined);
  const [best] = starts
    .map((start) => refineAlignment(sent.grey, registered.grey, start))
    .sort((one, other) => other.fit - one.fit);
  if (!best || best.fit < FIT_MIN) return undefined;
  const { alignment } = best;
  const map = changeMap(sent, registered, alignment);
  const regions = changedRegions(map);
  return {
    ...placeOf(alignment, sent, registered),
    regions,
    changedShare: roundShare(regions.reduce((sum, { share }) => sum + share, 0)),
    beyondShare: roundShare(map.beyond.reduce((sum, is) => sum + is, 0) / map.beyond.length),
    heatMap: await heatMap(sent, map),
  };
}

function wholeFrame(sent: SmallPicture, registered: SmallPicture, turn: number): Affine {
  const [a, b, d, e] = TURNED[DIHEDRAL[turn]!];
  const [w, h, toW, toH] = [sent.width - 1, sent.height - 1, registered.width - 1, registered.height - 1];
  const linear = [(a * toW) / w, (b * toW) / h, (d * toH) / w, (e * toH) / h] as const;
  const middle = (one: number, other: number, to: number) => to / 2 - (one * w) / 2 - (other * h) / 2;
  return [
    linear[0],
    linear[1],
    middle(linear[0], linear[1], toW),
    linear[2],
    linear[3],
    middle(linear[2], linear[3], toH),
  ] as unknown as Affine;
}

function placeOf(alignment: Affine, sent: SmallPicture, registered: SmallPicture) {
  const [a, b, , d, e] = alignment;
  const corners: Point[] = [
    [0, 0],
    [sent.width, 0],
    [0, sent.height],
    [sent.width, sent.height],
  ];
  const reached = corners.map((corner) => applyAffine(alignment, corner));
  const extentAlong = (axis: 0 | 1, side: number) => {
    const values = reached.map((point) => Math.min(1, Math.max(0, point[axis] / side)));
    return [Math.min(...values), Math.max(...values)] as const;
  };
  const [[left, right], [top, bottom]] = [
    extentAlong(0, registered.width),
    extentAlong(1, registered.height),
  ];
  const mirrored = a * e - b * d < 0;
  const angle = (-Math.atan2(mirrored ? -d : d, mirrored ? -a : a) * 180) / Math.PI;
  return {
    cropBox: {
      x: roundShare(left),
      y: roundShare(top),
      width: roundShare(right - left),
      height: roundShare(bottom - top),
    },
    rotationDegrees: Math.round(angle * 10) / 10 + 0,
    mirrored,
  };
}

const roundShare = (share: number): number => Math.round(share * 10_000) / 10_000;

const SIDE_PX_MAX = 256;
const BEYOND = [40, 70, 160] as const;

/** Heat map (PNG): the query image in pale grey, changes from yellow to red, areas beyond the original in blue. */
async function heatMap(
  { grey, width, height }: SmallPicture,
  { change, beyond }: ChangeMap,
): Promise<Uint8Array> {
  const rgb = new Uint8Array(width * height * 3);
  for (let at = 0; at < width * height; at++) {
    const pale = 110 + 0.5 * grey.data[at]!;
    const heat = Math.min(1, 1.4 * change.data[at]!);
    const hot = [230, 200 * (1 - heat), 20];
    for (let side = 0; side < 3; side++) {
      rgb[3 * at + side] = beyond[at]
        ? 0.35 * pale + 0.65 * BEYOND[side]!
        : pale * (1 - heat) + hot[side]! * heat;
    }
  }
  const raw = { width, height, channels: 3 } as const;
  const small = sharp(rgb, { raw }).resize(SIDE_PX_MAX, SIDE_PX_MAX, {
    fit: 'inside',
    withoutEnlargement: true,
  });
  return new Uint8Array(await small.png({ palette: true, colours: 32 }).toBuffer());
}
