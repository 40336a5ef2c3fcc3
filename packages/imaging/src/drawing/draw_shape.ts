import type { Rgba } from '../color/css_color.ts';
import { EngineError } from '../errors/engine_error.ts';
import type { Size } from '../pixels/plane.ts';
import type { DrawnLayer } from './layer.ts';
import { COORDINATE_PX_MAX, POINTS_MAX, STROKE_PX_MAX } from './limits.ts';
import {
  coverageMask,
  joinRegions,
  type Paint,
  paintRegion,
  regionOf,
  shadowOf,
  shadowReach,
} from './mask.ts';
import {
  type CAPS,
  flatten,
  type JOINS,
  type Outlines,
  type PathCommand,
  rotation,
  strokeOutlines,
  transform,
  unite,
} from './outline.ts';
import { parsePath } from './parse_path.ts';
import { ellipse, polygon, polyline, rectangle } from './shape_outlines.ts';

export const SHAPE_TYPES = ['rect', 'ellipse', 'line', 'arrow', 'polygon', 'path'] as const;
export type ShapeType = (typeof SHAPE_TYPES)[number];

/** A shape on a canvas. Lengths in px. */
export interface ShapeRequest {
  readonly type: ShapeType;
  /** Box of a rectangle or ellipse. A path or polygon is scaled to fill it; a line runs from its top left to its bottom right. */
  readonly box?:
    | { readonly x: number; readonly y: number; readonly width: number; readonly height: number }
    | undefined;
  /** Vertices of a polygon, or points of a line or arrow, in canvas px. */
  readonly points?: readonly (readonly [x: number, y: number])[] | undefined;
  /** SVG path data, in canvas px. */
  readonly path?: string | undefined;
  /** Corner radius of a rectangle. */
  readonly radius?: number | undefined;
  /** Default: black if there is no stroke. Lines and arrows have no fill. */
  readonly fill?: Rgba | undefined;
  /** Centred on the outline. Default: none; for lines and arrows, black and 4 px wide. */
  readonly stroke?:
    | {
        readonly color: Rgba;
        readonly width: number;
        readonly join?: keyof typeof JOINS | undefined;
        readonly cap?: keyof typeof CAPS | undefined;
      }
    | undefined;
  readonly shadow?:
    | { readonly x: number; readonly y: number; readonly blur: number; readonly color: Rgba }
    | undefined;
  /** Degrees clockwise about the centre of the shape. */
  readonly rotate?: number | undefined;
  /** 0 to 1. */
  readonly opacity?: number | undefined;
}

const BLACK: Rgba = [0, 0, 0, 1];
const LINE_WIDTH = 4;
/** Length and half width of an arrow head, in line widths. */
const HEAD = { length: 4.5, half: 2.2 } as const;

/** Rotated outlines of a shape on the canvas, and their paint. */
export interface ShapeInk {
  readonly fill?: { readonly outlines: Outlines; readonly color: Rgba } | undefined;
  readonly stroke?: { readonly outlines: Outlines; readonly color: Rgba } | undefined;
}

/** Computes the outlines of a shape and their paint. @throws EngineError invalid_input */
export function shapeInk(wish: ShapeRequest): ShapeInk {
  const isLine = wish.type === 'line' || wish.type === 'arrow';
  const stroke = wish.stroke ?? (isLine ? { color: BLACK, width: LINE_WIDTH } : undefined);
  const fillColor = isLine ? undefined : (wish.fill ?? (stroke ? undefined : BLACK));
  const outlines = outlinesOf(wish);
  const fill = fillColor ? unite(outlines.lines) : [];
  const drawn = stroke && stroke.width > 0 ? strokesOf(wish, outlines, stroke) : [];
  const [filled, stroked] = turnAll([fill, drawn], wish.rotate ?? 0) as [Outlines, Outlines];
  return {
    fill: fillColor && { outlines: filled, color: fillColor },
    stroke: stroke && { outlines: stroked, color: stroke.color },
  };
}

/** Draws a shape with a fill, a stroke or both. @throws EngineError invalid_input */
export function drawShape(wish: ShapeRequest, canvas: Size): DrawnLayer {
  const { fill, stroke } = shapeInk(wish);
  const { shadow } = wish;
  const reach = shadow ? shadowReach(shadow) : 0;
  const groups = [fill?.outlines ?? [], stroke?.outlines ?? []] as const;
  const region = joinRegions(regionOf([groups[0]], reach, canvas), regionOf([groups[1]], reach, canvas));
  if (!region) return { left: 0, top: 0 };
  const masks = [coverageMask([groups[0]], region), coverageMask([groups[1]], region)] as const;
  const paints: Paint[] = [];
  if (shadow) {
    const data = masks[0].data.map((share, at) => Math.max(share, masks[1].data[at]!));
    paints.push({
      mask: shadowOf({ ...region, data }, { ...shadow, sigma: shadow.blur / 2 }),
      color: shadow.color,
    });
  }
  if (fill) paints.push({ mask: masks[0], color: fill.color });
  if (stroke) paints.push({ mask: masks[1], color: stroke.color });
  const { left, top, width, height } = region;
  return {
    left,
    top,
    raster: { width, height, channels: 4, data: paintRegion(paints, region, wish.opacity) },
  };
}

function turnAll(groups: readonly Outlines[], degrees: number): Outlines[] {
  if (degrees === 0) return [...groups];
  const points = groups.flat();
  const [left, right] = extentOf(points, 0);
  const [top, bottom] = extentOf(points, 1);
  const turn = rotation(degrees, (left + right) / 2, (top + bottom) / 2);
  return groups.map((outlines) => transform(outlines, turn));
}

/** @param axis 0 across, 1 down */
function extentOf(outlines: Outlines, axis: 0 | 1): [least: number, most: number] {
  let [least, most] = [Infinity, -Infinity];
  for (const points of outlines)
    for (let at = axis; at < points.length; at += 2) {
      least = Math.min(least, points[at]!);
      most = Math.max(most, points[at]!);
    }
  return [least, most];
}

interface ShapeLines {
  readonly lines: Outlines;
  readonly isClosed: readonly boolean[];
}

function outlinesOf({ type, box, points, path, radius }: ShapeRequest): ShapeLines {
  if (type === 'rect') return linesOf(rectangle(requireBox(type, box), radius));
  if (type === 'ellipse') return linesOf(ellipse(requireBox(type, box)));
  if (type === 'path') {
    if (path === undefined) throw missing('path', 'path', 'SVG path data such as "M0 0 L10 0 L10 10 Z"');
    return linesOf(fitTo(parsePath(path), box));
  }
  const sent = points ?? (box && type !== 'polygon' ? diagonal(box) : undefined);
  if (!sent) throw missing(type, 'points', 'a list of [x, y], such as [[10, 10], [200, 120]]');
  const least = type === 'polygon' ? 3 : 2;
  if (sent.length < least || sent.length > POINTS_MAX)
    throw new EngineError(
      'invalid_input',
      `points has ${sent.length} points. A ${type} takes ${least} to ${POINTS_MAX}.`,
    );
  const flat = sent.flat();
  if (flat.some((value) => !(Math.abs(value) <= COORDINATE_PX_MAX)))
    throw new EngineError('invalid_input', `points may be up to ${COORDINATE_PX_MAX} px from the origin.`);
  return linesOf(type === 'polygon' ? polygon(flat) : polyline(flat));
}

type Box = NonNullable<ShapeRequest['box']>;

const diagonal = ({ x, y, width, height }: Box): [number, number][] => [
  [x, y],
  [x + width, y + height],
];

function requireBox(type: string, box: Box | undefined): Box {
  if (!box) throw missing(type, 'box', 'such as {"x": 10, "y": 10, "width": 200, "height": 100}');
  return box;
}

const missing = (type: string, field: string, form: string): EngineError =>
  new EngineError('invalid_input', `A shape of type ${type} needs ${field}: ${form}.`);

function linesOf(commands: readonly PathCommand[]): ShapeLines {
  const isClosed: boolean[] = [];
  for (const { type } of commands) {
    if (type === 'M') isClosed.push(false);
    if (type === 'Z') isClosed[isClosed.length - 1] = true;
  }
  return { lines: flatten(commands, [1, 0, 0, 1, 0, 0]), isClosed };
}

/** Scales the path to the box. Without a box it stays unchanged. */
function fitTo(commands: readonly PathCommand[], box: Box | undefined): readonly PathCommand[] {
  if (!box) return commands;
  const lines = flatten(commands, [1, 0, 0, 1, 0, 0]);
  const [left, right] = extentOf(lines, 0);
  const [top, bottom] = extentOf(lines, 1);
  const [across, down] = [box.width / (right - left || 1), box.height / (bottom - top || 1)];
  return commands.map(({ type, values }) => ({
    type,
    values: values.map((value, at) =>
      at % 2 === 0 ? box.x + (value - left) * across : box.y + (value - top) * down,
    ),
  }));
}

function strokesOf(
  { type }: ShapeRequest,
  { lines, isClosed }: ShapeLines,
  sent: NonNullable<ShapeRequest['stroke']>,
): number[][] {
  const stroke = { ...sent, width: Math.min(STROKE_PX_MAX, sent.width) };
  const shafts = type === 'arrow' ? lines.map((line) => withoutHead(line, stroke.width)) : lines;
  const open = shafts.filter((line, at) => !isClosed[at] && line.length > 2);
  const closed = shafts.filter((_, at) => isClosed[at]);
  const heads = type === 'arrow' ? lines.map((line) => headOf(line, stroke.width)) : [];
  return unite([
    ...(open.length > 0 ? strokeOutlines(open, false, stroke) : []),
    ...(closed.length > 0 ? strokeOutlines(closed, true, stroke) : []),
    ...heads,
  ]);
}

/** Direction and length of the last segment of a line. */
function endOf(line: readonly number[]): { x: number; y: number; dx: number; dy: number; length: number } {
  const [x0, y0, x, y] = line.slice(-4) as [number, number, number, number];
  const length = Math.hypot(x - x0, y - y0) || 1;
  return { x, y, dx: (x - x0) / length, dy: (y - y0) / length, length };
}

/** The line up to the middle of its arrow head, so that its end is hidden. */
function withoutHead(line: readonly number[], width: number): number[] {
  const { x, y, dx, dy, length } = endOf(line);
  const back = Math.min(length * 0.9, HEAD.length * width * 0.7);
  return [...line.slice(0, -2), x - back * dx, y - back * dy];
}

function headOf(line: readonly number[], width: number): number[] {
  const { x, y, dx, dy } = endOf(line);
  const [bx, by] = [x - HEAD.length * width * dx, y - HEAD.length * width * dy];
  const [nx, ny] = [-dy * HEAD.half * width, dx * HEAD.half * width];
  return [x, y, bx + nx, by + ny, bx - nx, by - ny];
}
