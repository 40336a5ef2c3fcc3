import { connectedComponents } from '../../pixels/connected_components.ts';
import { largestComponent } from '../../pixels/largest_component.ts';
import type { Size } from '../../pixels/plane.ts';
import type { Raster } from '../../pixels/raster.ts';
import { type Part, resample } from '../../resample/resample.ts';
import { type ColorRaster, meanColor, toLabRaster } from './color_raster.ts';
import { dilate, inverted, uniformPixels } from './masks.ts';
import { intersectLines, isConvex, type Point, type Quad, quadArea, scaleQuad, signedArea2 } from './quad.ts';
import { refineQuad } from './refine_quad.ts';

export interface FoundSurface {
  readonly quad: Quad;
  /** `frame`: a uniform region with four straight sides; `area`: the largest upright rectangle in a uniform region of another shape. */
  readonly kind: 'frame' | 'area';
}

/** Detection runs at this many pixels along the longer side. */
export const DETECTION_SIDE_PX = 480;
/** Largest OKLab step between neighbouring pixels of a region, from strict to lax. */
const STEPS = [0.008, 0.015, 0.025, 0.04];
/** Limits of the area of a printable region, as fractions of the photo. */
const SHARE_MIN = 0.012;
const SHARE_MAX = 0.85;
/** A region that fills less of its quadrilateral is not a frame. */
const FIT_MIN = 0.86;
const CLOTH_SHARE_MIN = 0.06;
/** Printed fraction of the largest upright rectangle in a garment. */
const PRINT_SHARE = 0.72;

/** Detects the uniform region of a photo that is most likely meant for an artwork; undefined if there is none. */
export function findSurface(photo: Raster): FoundSurface | undefined {
  const scale = Math.min(1, DETECTION_SIDE_PX / Math.max(photo.width, photo.height));
  const small = downsample(photo, scale);
  const lab = toLabRaster(small);
  const frame = bestFrame(lab);
  const back = 1 / scale;
  if (frame) {
    const rough = scaleQuad(frame.quad, back, back);
    return { kind: 'frame', quad: refineQuad(photo, rough, back) };
  }
  const print = findPrintArea(lab);
  return (
    print && {
      kind: 'area',
      quad: scaleQuad(print, back, back),
    }
  );
}

export const downsample = (photo: Raster, scale: number): Raster =>
  scale < 1
    ? resample(photo, {
        width: Math.max(2, Math.round(photo.width * scale)),
        height: Math.max(2, Math.round(photo.height * scale)),
        light: 'linear',
      })
    : photo;

interface Frame {
  readonly quad: Quad;
  readonly score: number;
}

function bestFrame(lab: ColorRaster): Frame | undefined {
  let best: Frame | undefined;
  for (const step of STEPS)
    for (const patch of connectedComponents(uniformPixels(lab, step), lab.width)) {
      const frame = frameFromRegion(patch, lab);
      if (frame && frame.score > (best?.score ?? 0)) best = frame;
    }
  return best;
}

function frameFromRegion(patch: Int32Array, lab: ColorRaster): Frame | undefined {
  const { width, height } = lab;
  const pixels = width * height;
  if (patch.length < SHARE_MIN * pixels * 0.6 || patch.length > SHARE_MAX * pixels) return undefined;
  if (touchesEdge(patch, lab)) return undefined;
  const quad = reduceToQuad(convexHull(patch, width));
  if (!quad || !hasPlausibleAngles(quad)) return undefined;
  const area = quadArea(quad);
  const share = area / pixels;
  if (share < SHARE_MIN || share > SHARE_MAX) return undefined;
  const filled = fillHoles(patch, lab);
  const fit = Math.min(1, filled.reduce((sum, is) => sum + is, 0) / area);
  if (fit < FIT_MIN || countStraightSides(quad, filled, lab) < STRAIGHT_SIDES_MIN) return undefined;
  return { quad, score: fit ** 6 * Math.sqrt(Math.min(0.35, share)) * uniformity(patch, lab) };
}

/** A region that extends beyond the photo is a wall or a floor. */
function touchesEdge(patch: Int32Array, { width, height }: Size): boolean {
  return patch.some((at) => {
    const column = at % width;
    return column < 1 || column >= width - 2 || at < width || at >= width * (height - 2);
  });
}

/** Uniformity of a region, 1 for a single colour. Prefers a blank sheet to a shaded wall panel. */
function uniformity(patch: Int32Array, { values }: ColorRaster): number {
  const sums = [0, 0, 0];
  const squares = [0, 0, 0];
  for (const at of patch)
    for (let channel = 0; channel < 3; channel += 1) {
      const value = values[3 * at + channel]!;
      sums[channel]! += value;
      squares[channel]! += value * value;
    }
  const spread = sums.reduce(
    (sum, total, channel) =>
      sum + Math.max(0, squares[channel]! / patch.length - (total / patch.length) ** 2),
    0,
  );
  return 1 / (1 + 4 * Math.sqrt(spread));
}

/** Convex hull (Andrew's monotone chain) of the row ends of a region, clockwise on screen. */
function convexHull(patch: Int32Array, width: number): Point[] {
  const rows = new Map<number, { left: number; right: number }>();
  for (const at of patch) {
    const [x, y] = [at % width, Math.floor(at / width)];
    const row = rows.get(y);
    if (row) {
      row.left = Math.min(row.left, x);
      row.right = Math.max(row.right, x);
    } else rows.set(y, { left: x, right: x });
  }
  // Pixels are squares. `evenPixels` compares a pixel with its right and lower neighbours, which therefore belong to the region too.
  const points: Point[] = [...rows].flatMap(([y, { left, right }]): Point[] => [
    [left, y],
    [left, y + 2],
    [right + 2, y],
    [right + 2, y + 2],
  ]);
  points.sort(([x0, y0], [x1, y1]) => x0 - x1 || y0 - y1);
  const chain = (ordered: Point[]): Point[] => {
    const hull: Point[] = [];
    for (const point of ordered) {
      while (hull.length >= 2 && signedArea2(hull.at(-2)!, hull.at(-1)!, point) <= 0) hull.pop();
      hull.push(point);
    }
    return hull.slice(0, -1);
  };
  return [...chain(points), ...chain(points.toReversed())];
}

/** Reduces a convex hull to four sides: repeatedly removes the side whose neighbours, when extended, add the least area. */
function reduceToQuad(hull: readonly Point[]): Quad | undefined {
  const points = [...hull];
  while (points.length > 4) {
    let minimum = Infinity;
    let taken: { at: number; corner: Point } | undefined;
    for (let at = 0; at < points.length; at += 1) {
      const [before, from, to, after] = [-1, 0, 1, 2].map(
        (step) => points[(at + step + points.length) % points.length]!,
      ) as [Point, Point, Point, Point];
      const corner = intersectLines([before, from], [to, after]);
      // The neighbours must meet outside the side; otherwise it cannot be removed.
      if (!corner || signedArea2(from, to, corner) > 0) continue;
      const added = quadArea([from, corner, to]);
      if (added >= minimum) continue;
      minimum = added;
      taken = { at, corner };
    }
    if (!taken) return undefined;
    const next = (taken.at + 1) % points.length;
    points[taken.at] = taken.corner;
    points.splice(next, 1);
  }
  return points.length === 4 ? startTopLeft(points as unknown as Quad) : undefined;
}

/** The same corners, starting with the one nearest to the top left. */
function startTopLeft(quad: Quad): Quad {
  const sums = quad.map(([x, y]) => x + y);
  const first = sums.indexOf(Math.min(...sums));
  return [0, 1, 2, 3].map((at) => quad[(first + at) % 4]!) as unknown as Quad;
}

const COSINE_MAX = Math.cos((38 * Math.PI) / 180);

function hasPlausibleAngles(quad: Quad): boolean {
  if (!isConvex(quad)) return false;
  return quad.every((point, at) => {
    const [before, after] = [quad[(at + 3) % 4]!, quad[(at + 1) % 4]!];
    const [ax, ay] = [before[0] - point[0], before[1] - point[1]];
    const [bx, by] = [after[0] - point[0], after[1] - point[1]];
    return Math.abs(ax * bx + ay * by) < COSINE_MAX * Math.hypot(ax, ay) * Math.hypot(bx, by);
  });
}

/** A region with its holes filled, such as a reflection on a screen. */
function fillHoles(patch: Int32Array, { width, height }: Size): Uint8Array {
  const outside = new Uint8Array(width * height).fill(1);
  for (const at of patch) {
    outside[at] = 0;
    outside[at + 1] = 0;
    outside[at + width] = 0;
    outside[at + width + 1] = 0;
  }
  const filled = new Uint8Array(width * height).fill(1);
  for (const part of connectedComponents(outside, width))
    if (part.some((at) => at % width === 0 || at < width)) for (const at of part) filled[at] = 0;
  return filled;
}

/** Sides that must be straight from end to end; the fourth can be occluded. */
const STRAIGHT_SIDES_MIN = 3;
/** Largest distance from the outline of a region to a side, as a fraction of the length across, at nine of ten positions. */
const BOW_MAX = 0.012;
const SIDE_PLACES = 60;
const CORNER = 0.12;

function countStraightSides(quad: Quad, filled: Uint8Array, size: Size): number {
  const middle = [0, 1].map((axis) => quad.reduce((sum, point) => sum + point[axis]!, 0) / 4) as [
    number,
    number,
  ];
  return quad.filter((from, at) => {
    const to = quad[(at + 1) % 4]!;
    const gaps = Array.from({ length: SIDE_PLACES }, (_, position) => {
      const along = CORNER + ((1 - 2 * CORNER) * (position + 0.5)) / SIDE_PLACES;
      return gapAt(
        [from[0] + along * (to[0] - from[0]), from[1] + along * (to[1] - from[1])],
        middle,
        filled,
        size,
      );
    }).sort((one, other) => one - other);
    return (
      gaps[Math.floor(0.9 * SIDE_PLACES)]! <=
      2 + BOW_MAX * 2 * Math.hypot(middle[0] - from[0], middle[1] - from[1])
    );
  }).length;
}

/** Pixels from a point on a side towards the centre until the region begins. */
function gapAt([x, y]: Point, [toX, toY]: Point, filled: Uint8Array, { width, height }: Size): number {
  const length = Math.hypot(toX - x, toY - y);
  for (let step = 0; step < length; step += 1) {
    const column = Math.floor(x + (step * (toX - x)) / length);
    const row = Math.floor(y + (step * (toY - y)) / length);
    if (column >= 0 && row >= 0 && column < width && row < height && filled[row * width + column])
      return step;
  }
  return length;
}

/** Largest OKLab distance between lit and shaded parts of the same cloth. */
const SAME_CLOTH_DISTANCE = 0.08;
/** Half the largest width of folds and seams, in pixels of the reduced photo. */
const FOLD_PX = 5;
/** Largest ratio of height to width of a print: shirts are printed on the chest. */
const PRINT_ASPECT_MAX = 1.25;
/** Distance from the top of the area to the print, as a fraction of its height. */
const PRINT_TOP = 0.1;

/** Print area on the largest uniform region that is not background: upright, centred, near its top. */
function findPrintArea(lab: ColorRaster): Quad | undefined {
  const area = largestArea(lab);
  if (!area) return undefined;
  const box = largestRectangle(area, lab);
  if (box.width * box.height < (CLOTH_SHARE_MIN * lab.width * lab.height) / 2) return undefined;
  const width = box.width * PRINT_SHARE;
  const height = Math.min(box.height * (1 - 2 * PRINT_TOP), width * PRINT_ASPECT_MAX);
  const left = box.left + (box.width - width) / 2;
  const top = box.top + Math.min(PRINT_TOP * box.height, (box.height - height) / 2);
  return [
    [left, top],
    [left + width, top],
    [left + width, top + height],
    [left, top + height],
  ];
}

/** The largest uniform region, joined with regions of its colour beyond its folds. */
function largestArea(lab: ColorRaster): Uint8Array | undefined {
  const { width, height } = lab;
  const found = STEPS.map((step) =>
    [...largeComponents(uniformPixels(lab, step), lab)]
      .filter((patch) => !isBackground(patch, lab))
      .sort((one, other) => other.length - one.length),
  );
  const areas = found.reduce((best, one) => ((one[0]?.length ?? 0) > (best[0]?.length ?? 0) ? one : best));
  const [largest] = areas;
  if (!largest || largest.length < CLOTH_SHARE_MIN * width * height) return undefined;
  const mean = meanColor(lab, largest);
  const mask = new Uint8Array(width * height);
  for (const patch of areas) {
    const [light, a, b] = meanColor(lab, patch);
    if (Math.hypot(light - mean[0], a - mean[1], b - mean[2]) < SAME_CLOTH_DISTANCE)
      for (const at of patch) mask[at] = 1;
  }
  const closed = inverted(dilate(inverted(dilate(mask, lab, FOLD_PX)), lab, FOLD_PX));
  return fillHoles(largestComponent(closed, width), lab);
}

/** Connected components that are large enough to be part of an object. */
function* largeComponents(mask: Uint8Array, { width, height }: Size): Generator<Int32Array> {
  for (const patch of connectedComponents(mask, width))
    if (patch.length > 0.002 * width * height) yield patch.slice();
}

/** A region that contains both top corners, or three corners, is background. */
function isBackground(patch: Int32Array, { width, height }: Size): boolean {
  const near = Math.round(0.03 * Math.max(width, height));
  const held = [0, 0, 0, 0];
  for (const at of patch) {
    const [x, y] = [at % width, Math.floor(at / width)];
    const isLeft = x < near;
    if (!isLeft && x < width - near) continue;
    if (y < near) held[isLeft ? 0 : 1] = 1;
    if (y >= height - near) held[isLeft ? 2 : 3] = 1;
  }
  return (held[0] === 1 && held[1] === 1) || held.reduce((sum, one) => sum + one, 0) >= 3;
}

/** Largest rectangle of set pixels, by a stack over the column heights of each row. */
function largestRectangle(mask: Uint8Array, { width, height }: Size): Part {
  const heights = new Int32Array(width + 1);
  let best: Part = { left: 0, top: 0, width: 0, height: 0 };
  for (let y = 0; y < height; y += 1) {
    const stack: { from: number; height: number }[] = [];
    for (let x = 0; x <= width; x += 1) {
      heights[x] = x < width && mask[y * width + x] ? heights[x]! + 1 : 0;
      let from = x;
      while (stack.length > 0 && stack.at(-1)!.height >= heights[x]!) {
        const top = stack.pop()!;
        from = top.from;
        if (top.height * (x - from) > best.width * best.height)
          best = { left: from, top: y - top.height + 1, width: x - from, height: top.height };
      }
      stack.push({ from, height: heights[x]! });
    }
  }
  return best;
}
