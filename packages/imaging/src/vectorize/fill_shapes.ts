import type { Size } from '../pixels/plane.ts';
import { isOpaque, type Raster } from '../pixels/raster.ts';
import { createCoverage } from './coverage.ts';
import { flattenCurve } from './curve.ts';
import type { DrawnStrokes, Strokes } from './draw_strokes.ts';
import {
  correctFills,
  correctLayerFills,
  type RasterError,
  rasterError,
  renderFills,
} from './fill_layers.ts';
import { mixesSides } from './flatten_edges.ts';
import { createHeap } from './heap.ts';
import { linkDots, textureTest } from './link_dots.ts';
import { OPAQUE_MIN } from './partition.ts';
import type { Sketch } from './sketch.ts';
import type { Layer } from './stack_areas.ts';
import { type VisibleParts, visibleParts } from './visible_parts.ts';
import { colorAt, type Fill, type Shape } from './write_svg.ts';

/** A soft round dot at one of four positions in its pixel. */
interface Dot {
  readonly pixel: number;
  /** 0 to 3: its middle, its right side, its lower side, its lower right corner. */
  readonly place: number;
  readonly color: readonly number[];
}

/**
 * Superimposed pens that draw a dot or a stroke: radius in pixels, and opacity. Their sum falls off like an
 * interpolated pixel, so that it does not look like a dot when enlarged.
 */
export const PENS = [
  { radius: 1.2, opacity: 0.35 },
  { radius: 0.8, opacity: 0.6 },
] as const;
/** Reach of a dot beyond its pixel, in pixels. */
const DOTS_REACH = 2;

/** Coverage of the pixels around a dot. `squares` is the sum of the squared shares. */
interface Cover {
  readonly across: Int8Array;
  readonly down: Int8Array;
  readonly shares: Float32Array;
  readonly squares: number;
}

/** Offset of each position from its pixel centre, in half pixels. */
const DOT_PLACES = [
  [0, 0],
  [1, 0],
  [0, 1],
  [1, 1],
] as const;

/** Sample points per pixel side for the coverage of a dot. */
const SAMPLES = 32;

/** Pixels across that a dot may reach. */
const DOT_SIDE = 2 * DOTS_REACH + 1;

/** For each pen and position of a dot: coverage of the surrounding pixels, row by row. */
const PEN_SHARES = PENS.map(({ radius }) =>
  DOT_PLACES.map(([right, below]) =>
    Float32Array.from({ length: DOT_SIDE ** 2 }, (_, at) =>
      shareWithin(
        (at % DOT_SIDE) - DOTS_REACH - right / 2,
        Math.floor(at / DOT_SIDE) - DOTS_REACH - below / 2,
        radius,
      ),
    ),
  ),
);

const DOT_COVERS: readonly Cover[] = DOT_PLACES.map((_, place) => {
  const found: [across: number, down: number, share: number][] = [];
  for (let at = 0; at < DOT_SIDE ** 2; at++) {
    const open = PENS.reduce(
      (left, { opacity }, pen) => left * (1 - opacity * PEN_SHARES[pen]![place]![at]!),
      1,
    );
    if (open < 1)
      found.push([(at % DOT_SIDE) - DOTS_REACH, Math.floor(at / DOT_SIDE) - DOTS_REACH, 1 - open]);
  }
  const shares = Float32Array.from(found, ([, , share]) => share);
  return {
    across: Int8Array.from(found, ([across]) => across),
    down: Int8Array.from(found, ([, down]) => down),
    shares,
    squares: shares.reduce((sum, share) => sum + share * share, 0),
  };
});

/** Share of a pixel within a radius of the dot, by the offset between their centres. */
function shareWithin(across: number, down: number, radius: number): number {
  let within = 0;
  for (let row = 0; row < SAMPLES; row++)
    for (let column = 0; column < SAMPLES; column++) {
      const [x, y] = [across + (column + 0.5) / SAMPLES - 0.5, down + (row + 0.5) / SAMPLES - 0.5];
      if (x * x + y * y <= radius * radius) within++;
    }
  return within / SAMPLES ** 2;
}

/** Strokes of one colour, which are one path. */
export interface SoftStrokes {
  readonly color: readonly number[];
  /** Each is a polyline in half pixels: x, y, x, y …; a dot is a single point. */
  readonly lines: readonly (readonly number[])[];
}

/** A dot as part of the stroke it belongs to, in the colour of that. */
interface Part {
  readonly color: readonly number[];
  readonly line: readonly number[];
}

/**
 * Groups strokes into few colours: a group is split at the mean of the channel with the highest variance if that
 * reduces the squared error by more than `pathWorth`.
 */
function groupParts(parts: readonly Part[], pathWorth: number): SoftStrokes[] {
  if (parts.length === 0) return [];
  const done: SoftStrokes[] = [];
  const waiting = [parts];
  while (waiting.length > 0) {
    const group = waiting.pop()!;
    const color = meanOf(group);
    const spreads = [0, 1, 2].map((channel) => spreadOf(group, channel, color[channel]!));
    const widest = spreads.indexOf(Math.max(...spreads));
    const [lower, upper] = [
      group.filter((part) => part.color[widest]! < color[widest]!),
      group.filter((part) => part.color[widest]! >= color[widest]!),
    ];
    if (splitGain(lower, upper) > pathWorth) waiting.push(upper, lower);
    else done.push({ color, lines: [...new Set(group.map(({ line }) => line))] });
  }
  return done;
}

const meanOf = (dots: readonly Pick<Dot, 'color'>[]): number[] =>
  [0, 1, 2].map((channel) => dots.reduce((sum, { color }) => sum + color[channel]!, 0) / dots.length);

const spreadOf = (dots: readonly Pick<Dot, 'color'>[], channel: number, mean: number): number =>
  dots.reduce((sum, { color }) => sum + (color[channel]! - mean) ** 2, 0);

/** Reduction of the squared error by two colours instead of one: from the distance of their means and their counts. */
function splitGain(lower: readonly Pick<Dot, 'color'>[], upper: readonly Pick<Dot, 'color'>[]): number {
  if (lower.length === 0 || upper.length === 0) return 0;
  const [one, two] = [meanOf(lower), meanOf(upper)];
  const apart = one.reduce((sum, value, channel) => sum + (value - two[channel]!) ** 2, 0);
  return ((lower.length * upper.length) / (lower.length + upper.length)) * apart;
}

/** Input for finding dots, three channels per pixel: the image on white, and the drawing without dots. */
interface Residual {
  readonly target: Float32Array;
  readonly drawn: Float32Array;
  /** Tests whether a dot may be placed on a pixel. */
  readonly isFree: (pixel: number) => boolean;
}

interface DotGain {
  /** Squared error that a dot has to take off. */
  readonly dot: number;
  /** Squared error of the whole drawing at which to stop. */
  readonly enough: number;
  readonly dotsMax: number;
}

/**
 * Finds the dots that reduce the error of a drawing most, the best first: each is evaluated against the residual of
 * those before it. Adds them to `missing.drawn`. Source: matching pursuit (S. Mallat and Z. Zhang, 1993) with one round
 * atom.
 */
function findDots(missing: Residual, { width, height }: Size, { dot, enough, dotsMax }: DotGain): Dot[] {
  let error = 0;
  for (let pixel = 0; pixel < width * height; pixel++) error += squaredError(missing, pixel);
  if (error <= enough) return [];
  const heap = createHeap(1024);
  const weigh = scaleOf(missing, width);
  for (let y = 0, pixel = 0; y < height; y++) {
    for (let x = 0; x < width; x++, pixel++) {
      const own = squaredError(missing, pixel);
      const isInside =
        x >= DOTS_REACH && y >= DOTS_REACH && x < width - DOTS_REACH && y < height - DOTS_REACH;
      if (!isInside || own < OWN_SHARE * dot || !missing.isFree(pixel)) continue;
      let most = dot;
      let best = -1;
      for (let place = 0; place < DOT_COVERS.length; place++) {
        const { gain } = weigh(pixel, place);
        if (gain <= most) continue;
        most = gain;
        best = place;
      }
      if (best >= 0) heap.push(-most, DOT_COVERS.length * pixel + best);
    }
  }
  const dots: Dot[] = [];
  while (heap.size() > 0 && error > enough && dots.length < dotsMax) {
    const hoped = -heap.least();
    const item = heap.pop();
    const place = item % DOT_COVERS.length;
    const pixel = (item - place) / DOT_COVERS.length;
    const { gain, color } = weigh(pixel, place);
    if (gain < dot) continue;
    if (gain < hoped - 1) {
      heap.push(-gain, item);
      continue;
    }
    error -= gain;
    dots.push({ pixel, place, color: [...color] });
    paintDot(missing.drawn, width, pixel, place, color);
  }
  return dots;
}

/**
 * Minimum share of the error reduction that must come from the pixel of the dot itself: neighbouring pixels are
 * candidates themselves.
 */
const OWN_SHARE = 1 / 8;

function squaredError({ target, drawn }: Residual, pixel: number): number {
  let square = 0;
  for (let at = 3 * pixel; at < 3 * pixel + 3; at++) square += (target[at]! - drawn[at]!) ** 2;
  return square;
}

/** Best colour of a dot at a position, and its reduction of the squared error. Overwritten by the next call. */
function scaleOf({ target, drawn }: Residual, width: number) {
  const found = { gain: 0, color: [0, 0, 0] };
  return (pixel: number, place: number): typeof found => {
    const { across, down, shares, squares } = DOT_COVERS[place]!;
    found.gain = 0;
    for (let channel = 0; channel < 3; channel++) {
      let wanted = 0;
      let spared = 0;
      for (let index = 0; index < shares.length; index++) {
        const at = 3 * (pixel + down[index]! * width + across[index]!) + channel;
        const under = shares[index]! * drawn[at]!;
        const bare = target[at]! - drawn[at]! + under;
        wanted += shares[index]! * bare;
        spared += under * (bare + target[at]! - drawn[at]!);
      }
      const value = Math.min(255, Math.max(0, wanted / squares));
      found.color[channel] = value;
      found.gain += value * (2 * wanted - value * squares) - spared;
    }
    return found;
  };
}

function paintDot(
  drawn: Float32Array,
  width: number,
  pixel: number,
  place: number,
  color: readonly number[],
): void {
  const { across, down, shares } = DOT_COVERS[place]!;
  for (let index = 0; index < shares.length; index++)
    for (let channel = 0; channel < 3; channel++) {
      const at = 3 * (pixel + down[index]! * width + across[index]!) + channel;
      drawn[at]! += shares[index]! * (color[channel]! - drawn[at]!);
    }
}

interface Drawing {
  /** Of each layer. */
  readonly fills: readonly Fill[];
  /** The drawing's pixels on white, three channels each. */
  readonly drawn: Float32Array;
}

/**
 * Draws details smaller than areas, such as threads of brocade, hair or distant leaves, as soft strokes over a drawing:
 * finds at most `dotsMax` dots, if the sketch has prices for them, and joins them. Returns the fills adjusted for the
 * strokes, followed by the strokes.
 * @param parts visible parts of the drawing
 * @param target image on white
 */
function drawSoftStrokes(
  sketch: Sketch,
  drawing: Drawing,
  parts: VisibleParts,
  target: Float32Array,
  dotsMax: number,
): Drawing & { readonly touches: readonly SoftStrokes[] } {
  const { picture, dots: prices } = sketch;
  if (!prices) return { ...drawing, touches: [] };
  const { fills } = drawing;
  const missing = {
    target,
    drawn: drawing.drawn,
    isFree: (pixel: number) => isFillError(sketch, pixel, prices.dot),
  };
  const enough = prices.enough * picture.width * picture.height;
  const found = findDots(missing, picture, { dot: prices.dot, enough, dotsMax });
  const groups = groupParts(joinDots(found, missing, picture.width, prices.dot), prices.path);
  if (groups.length === 0) return { ...drawing, touches: [] };
  const touched = addSoftStrokes(parts, groups, picture);
  const colored = correctLayerFills(
    [...fills, ...groups.map(({ color }) => ({ color }))],
    touched,
    target,
    picture.width,
  );
  const touches = groups.map((group, index) => ({
    ...group,
    color: colorAt(colored[fills.length + index]!, 0, 0),
  }));
  return { fills: colored, drawn: renderFills(colored, touched, target.length, picture.width), touches };
}

/** Maximum error that a connection of two dots may add, as share of the reduction by one dot. */
const JOIN_LOSS = 1;
/** Opacity of a stroke at its centre. */
const MIDDLE_SHARE = 0.75;

/** Maximum colour difference between two dots of a stroke, in 8-bit steps. */
const COLORS_APART = 48;

/** Joins dots in sequence to strokes. Single dots are kept where they form a texture. */
function joinDots(
  dots: readonly Dot[],
  { target, drawn }: Residual,
  width: number,
  dotWorth: number,
): Part[] {
  const places = dots.map(({ pixel, place }): readonly [number, number] => {
    const column = pixel % width;
    const [right, below] = DOT_PLACES[place]!;
    return [2 * column + 1 + right, (2 * (pixel - column)) / width + 1 + below];
  });
  const { strokes, single } = linkDots(places, (one, other) => {
    const [a, b] = [dots[one]!.color, dots[other]!.color];
    if (Math.hypot(a[0]! - b[0]!, a[1]! - b[1]!, a[2]! - b[2]!) > COLORS_APART) return false;
    const [[ax, ay], [bx, by]] = [places[one]!, places[other]!];
    const pixel = Math.floor((ay + by) / 4) * width + Math.floor((ax + bx) / 4);
    let [before, after] = [0, 0];
    for (let channel = 0; channel < 3; channel++) {
      const under = drawn[3 * pixel + channel]!;
      const miss = target[3 * pixel + channel]! - under;
      before += miss * miss;
      after += (miss - MIDDLE_SHARE * ((a[channel]! + b[channel]!) / 2 - under)) ** 2;
    }
    return after <= before + JOIN_LOSS * dotWorth;
  });
  const isTexture = textureTest(places);
  return [
    ...strokes.flatMap((stroke) => {
      const line = stroke.flatMap((at) => places[at]!);
      const color = meanOf(stroke.map((at) => dots[at]!));
      return stroke.map(() => ({ color, line }));
    }),
    ...single
      .filter((at) => isTexture(places[at]!))
      .map((at) => ({ color: dots[at]!.color, line: places[at]! })),
  ];
}

/** Minimum share of the error reduction that must be due to the fill of the pixel's area. */
const FILL_SHARE = 1 / 4;

/**
 * Tests whether the error of a pixel is due to the fill of its area. Where a curve deviates from its line, or a soft
 * edge matches neither side, dots would only roughen the edge.
 */
function isFillError({ picture, areas, fills }: Sketch, pixel: number, dotWorth: number): boolean {
  const area = areas.labels[pixel]!;
  if (area < 0) return false;
  const x = pixel % picture.width;
  const color = colorAt(fills[area]!, x, (pixel - x) / picture.width);
  let missed = 0;
  for (let channel = 0; channel < 3; channel++)
    missed += (picture.data[4 * pixel + channel]! - color[channel]!) ** 2;
  return missed > FILL_SHARE * dotWorth && !mixesSides(picture, pixel);
}

/** What can be seen of layers and of groups of strokes above them, a layer for each group. */
function addSoftStrokes(parts: VisibleParts, groups: readonly SoftStrokes[], size: Size): VisibleParts {
  const open = new Float32Array(size.width * size.height).fill(1);
  const lists = groups.toReversed().map(({ lines }) =>
    [...softStrokeCoverage(lines, size)].map(([pixel, share]) => {
      const visible = share * open[pixel]!;
      open[pixel]! -= visible;
      return { pixel, visible };
    }),
  );
  lists.reverse();
  const ends = [...parts.starts];
  for (const list of lists) ends.push(ends.at(-1)! + list.length);
  const pixels = new Int32Array(ends.at(-1)!);
  const shares = new Float32Array(ends.at(-1)!);
  pixels.set(parts.pixels);
  for (const [index, pixel] of parts.pixels.entries()) shares[index] = parts.shares[index]! * open[pixel]!;
  let index = parts.pixels.length;
  for (const { pixel, visible } of lists.flat()) {
    pixels[index] = pixel;
    shares[index++] = visible;
  }
  return { starts: Int32Array.from(ends), pixels, shares };
}

/** Pixel coverage of soft strokes of one colour. */
function softStrokeCoverage(
  lines: readonly (readonly number[])[],
  { width, height }: Size,
): Map<number, number> {
  const open = new Map<number, number>();
  for (const [index, { radius, opacity }] of PENS.entries()) {
    const pen = new Map<number, number>();
    for (const line of lines) {
      if (line.length === 2) stampDot(pen, { width, height }, line, PEN_SHARES[index]!);
      for (let at = 0; at + 2 < line.length; at += 2) {
        const [x, y] = [line[at]! / 2, line[at + 1]! / 2];
        const [dx, dy] = [line[at + 2]! / 2 - x, line[at + 3]! / 2 - y];
        const steps = Math.ceil(2 * Math.hypot(dx, dy));
        for (let step = 0; step <= steps; step++)
          stampSoft(pen, { width, height }, [x + (step / steps) * dx, y + (step / steps) * dy], radius);
      }
    }
    for (const [pixel, share] of pen) open.set(pixel, (open.get(pixel) ?? 1) * (1 - opacity * share));
  }
  for (const [pixel, left] of open) open.set(pixel, 1 - left);
  return open;
}

/** Adds the coverage of a dot; the maximum with the existing coverage counts. */
function stampDot(
  cover: Map<number, number>,
  { width, height }: Size,
  [x, y]: readonly number[],
  shares: readonly Float32Array[],
): void {
  const [right, below] = [(x! + 1) % 2, (y! + 1) % 2];
  const [column, row] = [(x! - 1 - right) / 2, (y! - 1 - below) / 2];
  for (const [at, share] of shares[right + 2 * below]!.entries()) {
    const [across, down] = [
      column + (at % DOT_SIDE) - DOTS_REACH,
      row + Math.floor(at / DOT_SIDE) - DOTS_REACH,
    ];
    if (across < 0 || down < 0 || across >= width || down >= height) continue;
    const pixel = down * width + across;
    if (share > (cover.get(pixel) ?? 0)) cover.set(pixel, share);
  }
}

/** Adds the coverage of a position on a stroke; the maximum with the existing coverage counts. */
function stampSoft(
  cover: Map<number, number>,
  { width, height }: Size,
  [x, y]: readonly [number, number],
  radius: number,
): void {
  const reach = Math.ceil(radius + 0.5);
  const [column, row] = [Math.floor(x), Math.floor(y)];
  for (let down = Math.max(0, row - reach); down <= Math.min(height - 1, row + reach); down++)
    for (let across = Math.max(0, column - reach); across <= Math.min(width - 1, column + reach); across++) {
      const share = Math.min(1, radius + 0.5 - Math.hypot(across + 0.5 - x, down + 0.5 - y));
      const at = down * width + across;
      if (share > (cover.get(at) ?? 0)) cover.set(at, share);
    }
}

/** Visible parts of pen strokes, each line drawn with a round pen of its width, later pens over earlier ones. */
function strokeCover(pens: readonly Strokes[], size: Size): VisibleParts {
  const open = new Float32Array(size.width * size.height).fill(1);
  const starts = new Int32Array(pens.length + 1);
  const [pixels, shares]: [number[], number[]] = [[], []];
  const lists = pens.map((pen) => coverOf(pen, size)).toReversed();
  const seen = lists.map((cover) => {
    const own: { pixel: number; share: number }[] = [];
    for (const [pixel, share] of cover.entries()) {
      if (share * open[pixel]! <= SHARE_MIN) continue;
      own.push({ pixel, share: share * open[pixel]! });
      open[pixel]! *= 1 - share;
    }
    return own;
  });
  for (const [pen, own] of seen.toReversed().entries()) {
    for (const { pixel, share } of own) {
      pixels.push(pixel);
      shares.push(share);
    }
    starts[pen + 1] = pixels.length;
  }
  return { starts, pixels: Int32Array.from(pixels), shares: Float32Array.from(shares) };
}

/** Less than this is not seen in eight bits. */
const SHARE_MIN = 1 / 1024;

function coverOf({ lines, widths, areas }: Strokes, { width, height }: Size): Float32Array {
  const cover = new Float32Array(width * height);
  const filled = createCoverage(width, height)(areas.map(flattenCurve));
  for (let row = 0; areas.length > 0 && row < filled.height; row++)
    for (let column = 0; column < Math.min(filled.width, width - filled.left); column++)
      cover[(filled.top + row) * width + filled.left + column] = filled.shares[row * filled.width + column]!;
  for (const [index, line] of lines.entries()) {
    const points = flattenCurve(line);
    const stamp = (x: number, y: number): void =>
      stampDisc(cover, { width, height }, [x, y], widths[index]! / 2);
    for (let at = 2; at < points.length; at += 2) {
      const [x, y] = [points[at - 2]!, points[at - 1]!];
      const [dx, dy] = [points[at]! - x, points[at + 1]! - y];
      const steps = Math.max(1, Math.ceil(2 * Math.hypot(dx, dy)));
      for (let step = 0; step <= steps; step++) stamp(x + (step / steps) * dx, y + (step / steps) * dy);
    }
  }
  return cover;
}

/** Adds the coverage of a disc; the maximum with the existing coverage counts. */
function stampDisc(
  cover: Float32Array,
  { width, height }: Size,
  [x, y]: readonly [number, number],
  radius: number,
): void {
  const reach = radius + 0.5;
  const right = Math.min(width - 1, Math.floor(x + reach - 0.5));
  const bottom = Math.min(height - 1, Math.floor(y + reach - 0.5));
  for (let row = Math.max(0, Math.ceil(y - reach - 0.5)); row <= bottom; row++)
    for (let column = Math.max(0, Math.ceil(x - reach - 0.5)); column <= right; column++) {
      const share = Math.min(1, reach - Math.hypot(column + 0.5 - x, row + 0.5 - y));
      const at = row * width + column;
      if (share > cover[at]!) cover[at] = share;
    }
}

interface Traced {
  readonly sketch: Sketch;
  readonly layers: readonly Layer[];
  readonly strokes?: DrawnStrokes;
}

interface Filled {
  readonly shapes: readonly Shape[];
  readonly touches: readonly SoftStrokes[];
  readonly strokes?: readonly Strokes[];
  /** Of the drawing, rendered, against what was traced. */
  readonly error: RasterError;
}

/**
 * Assigns fills to layers, corrects them by their rendering, adds a limited number of dots and measures the difference
 * from the image.
 */
export function fillShapes({ sketch, layers, strokes }: Traced, dotsMax: number): Filled {
  const { picture, fills, correctable, times } = sketch;
  if (strokes)
    return { shapes: [], touches: [], strokes: strokes.pens, error: strokeError(strokes.pens, sketch) };
  const parts = visibleParts(layers, picture);
  const target = flattenOnWhite(picture);
  const planned = layers.map(({ area }) => fills[area]!);
  const meant = isOpaque(picture) ? target : flattenOnWhite(hardenOpacity(picture));
  const corrected = correctable
    ? correctFills(planned, parts, meant, { width: picture.width, times })
    : planned;
  const drawn = renderFills(corrected, parts, target.length, picture.width);
  const drawing = drawSoftStrokes(sketch, { fills: corrected, drawn }, parts, meant, dotsMax);
  return {
    shapes: layers.map(({ outlines }, index) => ({ outlines, fill: drawing.fills[index]! })),
    touches: drawing.touches,
    error: rasterError(drawing.drawn, target),
  };
}

/** Semi-transparent pixels keep their own colour instead of a paler one. */
function hardenOpacity(picture: Raster): Raster {
  const hard = new Uint8Array(picture.data);
  for (let at = 3; at < hard.length; at += 4) hard[at] = hard[at]! < OPAQUE_MIN ? 0 : 255;
  return { ...picture, data: hard };
}

/** What lines as wide as their strokes differ from the ink they stand for; on white, whatever the paper is. */
function strokeError(pens: readonly Strokes[], { picture }: Sketch): RasterError {
  const target = flattenOnWhite(picture);
  const fills = pens.map(({ color }) => ({ color }));
  return rasterError(renderFills(fills, strokeCover(pens, picture), target.length, picture.width), target);
}

/** An image on white, three channels per pixel. */
export function flattenOnWhite({ data: rgba }: Raster): Float32Array {
  const target = new Float32Array((3 * rgba.length) / 4);
  for (let pixel = 0; 4 * pixel < rgba.length; pixel++) {
    const share = rgba[4 * pixel + 3]! / 255;
    for (let channel = 0; channel < 3; channel++)
      target[3 * pixel + channel] = 255 + share * (rgba[4 * pixel + channel]! - 255);
  }
  return target;
}
