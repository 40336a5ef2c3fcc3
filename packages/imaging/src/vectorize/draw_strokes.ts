import { EngineError } from '../errors/engine_error.ts';
import { oklabDistance, oklabOf } from '../pixels/oklab.ts';
import type { Raster } from '../pixels/raster.ts';
import { reverseCurve } from './curve.ts';
import { type Curve, fitCurve } from './fit_curve.ts';
import { endsAt, joinCrossings, pruneSkeleton } from './join_crossings.ts';
import { chainSides, type Side } from './outlines.ts';
import type { Partition } from './partition.ts';
import { type CentreLine, refineCentreLine, type Shares } from './place_middle.ts';
import type { Physical } from './sheet_size.ts';
import { type GraphNode, type InkMask, inkDepth, inkMask, skeletonGraph, thinInk } from './skeleton_graph.ts';
import type { Sketch } from './sketch.ts';
import type { Layer } from './stack_areas.ts';
import {
  borderError,
  closeOutlines,
  type LineErrors,
  lineErrors,
  offsetHiddenCurve,
  traceBorders,
} from './trace_borders.ts';
import { type Fill, hex, nodesOf } from './write_svg.ts';

/** A drawing with one layer a colour, its outlines not made yet. */
interface Sheets {
  /** Nodes it will have, but for outlines that shrink to a point. */
  readonly nodeCount: number;
  /** The colour with the largest area comes first, at the bottom. */
  readonly layers: () => Layer[];
  /** Pixels that 95 of 100 points of its lines stay within, of the edges they follow. */
  readonly lineError: () => number | undefined;
}

/**
 * Plans one layer per colour of a sketch of solid colours. Stacked layers cover the visible areas of their colour and
 * of all layers above, so that no gaps can occur. Other layers cover only their own colour, like a sheet of material
 * with cut-outs.
 */
export function planSheets(
  { picture, areas, fills }: Pick<Sketch, 'picture' | 'areas' | 'fills'>,
  stacked: boolean,
): Sheets {
  const borders = traceBorders(picture, areas, fills);
  const { lines, curves } = borders;
  const { ranks, samples } = rankColors(areas, fills);
  const rankOf = (area: number): number => (area < 0 ? -1 : ranks[area]!);
  const sides: Side[][] = samples.map(() => []);
  let nodeCount = 0;
  const owned = lines.map(({ left, right }) => ownersOf(rankOf(left), rankOf(right), stacked));
  for (const [line, owners] of owned.entries()) nodeCount += owners.length * ((curves[line]!.length - 2) / 6);
  const layers = () => {
    for (const [line, owners] of owned.entries())
      for (const { rank, backwards } of owners) sides[rank]!.push({ line, backwards });
    const hidden = new Map<number, Curve>();
    const curveOf = (rank: number, { line, backwards }: Side): Curve => {
      const { left, right } = lines[line]!;
      // If several layers end at one line, only the topmost edge is visible; the others would show through its antialiasing.
      if (!stacked || rank === Math.max(rankOf(left), rankOf(right))) return curves[line]!;
      const under = hidden.get(line) ?? offsetHiddenCurve(borders, line, backwards ? 1 : -1);
      hidden.set(line, under);
      return under;
    };
    return samples.map((area, rank) => ({
      area,
      outlines: closeOutlines(chainSides(sides[rank]!, lines), (side) =>
        side.backwards ? reverseCurve(curveOf(rank, side)) : curveOf(rank, side),
      ),
    }));
  };
  return { nodeCount, layers, lineError: () => borderError(borders) };
}

/** Layers that a line bounds, and whether it runs backwards around each: areas are on the left of their outline. */
function ownersOf(left: number, right: number, stacked: boolean) {
  if (left === right) return [];
  if (!stacked)
    return [
      ...(left < 0 ? [] : [{ rank: left, backwards: false }]),
      ...(right < 0 ? [] : [{ rank: right, backwards: true }]),
    ];
  const lower = Math.min(left, right);
  return Array.from({ length: Math.max(left, right) - lower }, (_, above) => ({
    rank: lower + 1 + above,
    backwards: right > left,
  }));
}

/** Colours closer than this (ΔE_OK) are one ink or one sheet of material. */
const ALIKE = 0.03;

/** Rank of each area's colour by its total area, and one area of each colour. */
function rankColors({ labels, count }: Partition, fills: readonly Fill[]) {
  const names = fills.map((fill) => hex('color' in fill ? fill.color : fill.stops[0]!));
  const found = new Map<string, { area: number; size: number; lab: Oklab }>();
  for (const label of labels) {
    if (label < 0) continue;
    const known = found.get(names[label]!);
    if (known) known.size++;
    else found.set(names[label]!, { area: label, size: 1, lab: labOf(fills[label]!) });
  }
  const kept: { area: number; lab: Oklab }[] = [];
  const places = new Map<string, number>();
  for (const [name, color] of [...found].sort(([, one], [, other]) => other.size - one.size)) {
    const like = kept.findIndex(({ lab }) => oklabDistance(lab, color.lab) < ALIKE);
    places.set(name, like < 0 ? kept.push(color) - 1 : like);
  }
  return {
    ranks: Int32Array.from({ length: count }, (_, area) => places.get(names[area]!) ?? -1),
    samples: kept.map(({ area }) => area),
  };
}

type Oklab = ReturnType<typeof oklabOf>;

function labOf(fill: Fill): Oklab {
  const [red, green, blue] = 'color' in fill ? fill.color : fill.stops[0]!;
  return oklabOf(red!, green!, blue!);
}

/** Narrow ink as lines, wide ink as areas. */
interface InkSplit {
  readonly lines: readonly CentreLine[];
  /** 0 for a pixel of the areas, -1 for others. */
  readonly labels: Int32Array;
}

/** Length in stroke widths below which a line attached to a wide area is a corner of that area. */
const CORNER_WIDTHS = 1.5;

/** Share of the ink that is wide: reached by a disc of `radius` pixels inside it. */
function wideShare(mask: InkMask, radius: number): { wide: number; all: number } {
  const count = (pixels: Uint8Array): number => pixels.reduce((sum, is) => sum + is, 0);
  return { wide: count(wideInk(mask, radius)), all: count(mask.ink) };
}

/** Divides ink by how wide it is: areas are where a disc of `radius` pixels fits, with their corners. */
function splitWide(mask: InkMask, lines: readonly CentreLine[], radius: number): InkSplit {
  const wide = wideInk(mask, radius);
  const kept = lines.flatMap((line) => outsideOf(line, wide, mask.across));
  const drawn = stampLines(kept, mask);
  const areas = growWithin(wide, mask, drawn);
  const labels = new Int32Array(mask.width * mask.height).fill(-1);
  for (let y = 0, pixel = 0; y < mask.height; y++)
    for (let x = 0; x < mask.width; x++, pixel++)
      if (areas[(y + 1) * mask.across + x + 1] === 1) labels[pixel] = 0;
  return { lines: kept, labels };
}

/**
 * A part that is barely wide is a swelling of a stroke: a wide area must be deeper than the radius by this share and
 * this many pixels.
 */
const DEEPER = 1.4;
const DEEPER_PX = 1;

/** Morphological opening of the ink with a disc, without swellings of strokes. */
function wideInk(mask: InkMask, radius: number): Uint8Array {
  const depths = inkDepth(mask);
  const far = (radius + 0.5) ** 2;
  const shallow = Uint8Array.from(depths, (depth) => (depth < far ? 1 : 0));
  if (!shallow.includes(0)) return new Uint8Array(shallow.length);
  const ways = inkDepth({ ...mask, ink: shallow });
  const opened = Uint8Array.from(mask.ink, (is, pixel) => (is === 1 && ways[pixel]! <= far ? 1 : 0));
  const deep: number[] = [];
  for (const [pixel, depth] of depths.entries())
    if (depth >= (Math.max(DEEPER * radius, radius + DEEPER_PX) + 0.5) ** 2) deep.push(pixel);
  return spread(deep, opened, mask.across);
}

/** The runs of a line outside of wide ink. */
function outsideOf(line: CentreLine, wide: Uint8Array, across: number): CentreLine[] {
  const { points, widths } = line;
  const count = points.length / 2;
  const isWide = (index: number): boolean =>
    wide[Math.floor(points[2 * index + 1]! + 1) * across + Math.floor(points[2 * index]! + 1)] === 1;
  const runs: CentreLine[] = [];
  for (let from = 0; from < count; ) {
    let to = from;
    while (to < count && !isWide(to)) to++;
    if (from === 0 && to === count) return [line];
    let width = 1;
    for (const own of widths.subarray(from, to)) if (own > width) width = own;
    if (to - from > Math.max(2, CORNER_WIDTHS * width))
      runs.push({ points: points.slice(2 * from, 2 * to), widths: widths.slice(from, to) });
    from = to + 1;
  }
  return runs;
}

/** Pixels that lines cover at their widths, plus a margin of one pixel. */
function stampLines(lines: readonly CentreLine[], { across, ink }: InkMask): Uint8Array {
  const drawn = new Uint8Array(ink.length);
  const down = ink.length / across;
  for (const { points, widths } of lines) {
    let reach = 1;
    for (const [index, width] of widths.entries()) {
      if (!Number.isNaN(width)) reach = width / 2 + 1;
      const [x, y] = [points[2 * index]! + 0.5, points[2 * index + 1]! + 0.5];
      for (let row = Math.max(0, Math.ceil(y - reach)); row <= Math.min(down - 1, y + reach); row++)
        for (
          let column = Math.max(0, Math.ceil(x - reach));
          column <= Math.min(across - 1, x + reach);
          column++
        )
          if ((column - x) ** 2 + (row - y) ** 2 <= reach ** 2) drawn[row * across + column] = 1;
    }
  }
  return drawn;
}

/** Wide ink and adjacent ink that no line draws. */
function growWithin(wide: Uint8Array, { across, ink }: InkMask, drawn: Uint8Array): Uint8Array {
  const front: number[] = [];
  for (const [pixel, is] of wide.entries()) if (is === 1) front.push(pixel);
  return spread(
    front,
    Uint8Array.from(ink, (is, pixel) => is & (wide[pixel]! | (1 - drawn[pixel]!))),
    across,
  );
}

/** The pixels that can be reached from some within others. */
function spread(front: number[], within: Uint8Array, across: number): Uint8Array {
  const reached = new Uint8Array(within.length);
  for (const pixel of front) reached[pixel] = 1;
  for (let next = 0; next < front.length; next++)
    for (const step of [1, -1, across, -across]) {
      const pixel = front[next]! + step;
      if (within[pixel] !== 1 || reached[pixel] === 1) continue;
      reached[pixel] = 1;
      front.push(pixel);
    }
  return reached;
}

/** The ink of one pen. */
interface PenInk {
  readonly color: readonly number[];
  /** 0 for ink, -1 otherwise. */
  readonly labels: Int32Array;
  readonly shares: Shares;
}

/** Colours closer to the paper than this (ΔE_OK) are paper. */
const PAPER_ALIKE = 0.05;

/**
 * Ink of each colour of a sketch. `paper` is the colour that is not drawn. A sketch of ink only has no paper colour;
 * the soft edges of its ink determine the pixel coverage.
 */
function penInks({ picture, areas, fills, paper }: Sketch): PenInk[] {
  const { width, height, data: rgba } = picture;
  if (paper === undefined) {
    const data = Uint8Array.from(areas.labels, (label, pixel) =>
      label >= 0 ? Math.max(128, rgba[4 * pixel + 3]!) : Math.min(127, rgba[4 * pixel + 3]!),
    );
    const labels = areas.labels.map((label) => Math.min(0, label));
    return [{ color: [0, 0, 0], labels, shares: { width, height, data } }];
  }
  const [red, green, blue] = paper;
  const ground = oklabOf(red, green, blue);
  const names = fills.map((fill) => hex('color' in fill ? fill.color : fill.stops[0]!));
  const colors = new Map(
    fills.map((fill, area) => [names[area]!, 'color' in fill ? fill.color : fill.stops[0]!]),
  );
  const pens = [...colors].filter(
    ([, color]) => oklabDistance(oklabOf(color[0]!, color[1]!, color[2]!), ground) >= PAPER_ALIKE,
  );
  return pens.map(([name, color]) => {
    const labels = areas.labels.map((label) => (label >= 0 && names[label] === name ? 0 : -1));
    return {
      color,
      labels,
      shares: { width, height, data: Uint8Array.from(labels, (label) => (label === 0 ? 255 : 0)) },
    };
  });
}

/**
 * Reconstructs the strokes of ink: centre lines, straight through crossings, extended to where a round pen of their
 * width ended.
 * @param shares ink coverage of each pixel
 */
export function centreLines(mask: InkMask, shares: Shares): CentreLine[] {
  const depths = inkDepth(mask);
  const graph = skeletonGraph(mask, thinInk(mask, depths), depths);
  const joined = joinCrossings(pruneSkeleton(graph), mask.across);
  const lines = joined.chains.map((chain) =>
    refineCentreLine(joined, chain, { across: mask.across, shares, depths }),
  );
  const ends = endsAt(graph.nodes, graph.branches);
  const spots = graph.nodes.filter((_, place) => ends[place]!.length === 0);
  return [...lines.filter(({ points }) => points.length >= 4), ...spots.map(lineOfSpot)];
}

/** A spot has a middle and next to no length: the pen touches down. */
function lineOfSpot({ x, y, radius }: GraphNode): CentreLine {
  return {
    points: Float64Array.of(x - SPOT_PX / 2, y, x + SPOT_PX / 2, y),
    widths: Float64Array.of(2 * radius, 2 * radius),
  };
}

const SPOT_PX = 0.2;

/** What one pen or one setting of a machine draws; lengths in traced pixels. */
export interface Strokes {
  readonly color: readonly number[];
  /** Centre lines, closed if they end at their start. */
  readonly lines: readonly Curve[];
  /** Width of the ink of each line. */
  readonly widths: readonly number[];
  /** Outlines of ink too wide for a line, to be filled. */
  readonly areas: readonly Curve[];
}

export interface DrawnStrokes {
  readonly pens: readonly Strokes[];
  readonly nodeCount: number;
  readonly errors: LineErrors;
  readonly notes: readonly string[];
}

/**
 * Maximum width of a stroke that a laser engraves as a line; wider ink becomes an area. For a pen, wider strokes cause
 * a note.
 */
const LINE_MM_MAX = 1;
const WIDE_MM = 2;
const WIDE_SHARE = 0.1;
/** Maximum deviation of a curve from the centre of its ink, in pixels. */
const TOLERANCE_PX = 0.4;

/** Draws the ink of a sketch as centre lines: all of it for a plotter, only narrow ink for engraving. */
export function drawStrokes(sketch: Sketch, { purpose, widthMm }: Physical): DrawnStrokes {
  const pixelMm = widthMm / sketch.picture.width;
  const inks = penInks(sketch);
  const errors = lineErrors();
  let [wide, all] = [0, 0];
  const pens = inks.map((ink) => {
    const mask = inkMask(ink.shares, (pixel) => ink.labels[pixel]! >= 0);
    const lines = centreLines(mask, ink.shares);
    if (purpose === 'plot') {
      const share = wideShare(mask, WIDE_MM / pixelMm / 2);
      wide += share.wide;
      all += share.all;
      return strokesOf(ink, lines, [], errors);
    }
    const split = splitWide(mask, lines, LINE_MM_MAX / pixelMm / 2);
    return strokesOf(ink, split.lines, areaOutlines(sketch.picture, ink, split.labels), errors);
  });
  if (nodesOfPens(pens) === 0) throw new EngineError('unsuitable_image', NO_INK);
  return {
    pens: pens.filter(({ lines, areas }) => lines.length + areas.length > 0),
    nodeCount: nodesOfPens(pens),
    errors,
    notes: wide > WIDE_SHARE * all ? [wideNote(wide / all)] : [],
  };
}

const nodesOfPens = (pens: readonly Strokes[]): number =>
  pens.reduce((sum, { lines, areas }) => sum + nodesOf(lines) + nodesOf(areas), 0);

const NO_INK =
  'No ink was found to draw: the image has a single tone, or its marks are smaller than filter_speckle or have the colour of the paper. Send an image with dark strokes on a light background, lower filter_speckle, or send the colours of the strokes as palette.';

const wideNote = (share: number): string =>
  `${Math.round(100 * share)} % of the ink is in areas wider than ${WIDE_MM} mm, of which a plot draws only the centre line. Purpose "engrave" fills wide areas.`;

function strokesOf(
  { color }: PenInk,
  lines: readonly CentreLine[],
  areas: readonly Curve[],
  errors: LineErrors,
): Strokes {
  const curves = lines.map(({ points }) => fitCurve(points.slice(), TOLERANCE_PX));
  for (const [index, curve] of curves.entries()) errors.add(curve, lines[index]!.points);
  return { color, lines: curves, widths: lines.map(medianWidth), areas };
}

function medianWidth({ widths }: CentreLine): number {
  const told = widths.filter((width) => !Number.isNaN(width)).sort();
  return told[told.length >> 1] ?? 1;
}

function areaOutlines(picture: Raster, { color }: PenInk, labels: Int32Array): readonly Curve[] {
  if (!labels.includes(0)) return [];
  const { width, height } = picture;
  const sheets = planSheets(
    { picture, areas: { width, height, labels, count: 1 }, fills: [{ color }] },
    false,
  );
  return sheets.layers().flatMap(({ outlines }) => outlines);
}
