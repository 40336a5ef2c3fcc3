import type { Size } from '../pixels/plane.ts';
import { roundTo } from '../pixels/round_to.ts';
import type { Curve } from './fit_curve.ts';

/** One filled shape: closed outlines; holes have the opposite direction. */
export interface Shape {
  readonly outlines: readonly Curve[];
  readonly fill: Fill;
}

/** One colour (8-bit channels), or colours at equal distances along a line; over either, glows, each above the previous ones. */
export type Fill = (
  | { readonly color: readonly number[] }
  | {
      readonly from: readonly [x: number, y: number];
      readonly to: readonly [x: number, y: number];
      readonly stops: readonly (readonly number[])[];
    }
) & { readonly glows?: readonly Glow[] };

/** A translucent disc that fades out towards its edge. */
export interface Glow {
  readonly x: number;
  readonly y: number;
  readonly radius: number;
  readonly color: readonly number[];
}

/** Opacity of a glow at even distances from its middle to its edge: a quarter of the smoothstep polynomial. An opaque one would level the gradient below. */
const GLOW_SHARES = [0.25, 0.211, 0.125, 0.039, 0] as const;

/** Opacity of a glow at a distance from its middle, in radii. */
export function shareOfGlow(distance: number): number {
  const place = distance * (GLOW_SHARES.length - 1);
  const first = Math.floor(place);
  if (first >= GLOW_SHARES.length - 1) return 0;
  const [from, to] = [GLOW_SHARES[first]!, GLOW_SHARES[first + 1]!];
  return from + (place - first) * (to - from);
}

/** The colour of a fill in the middle of a pixel. */
export function colorAt(fill: Fill, x: number, y: number): readonly number[] {
  const base = baseAt(fill, x, y);
  if (!fill.glows) return base;
  const color = [...base];
  for (const glow of fill.glows) {
    const [dx, dy] = [x + 0.5 - glow.x, y + 0.5 - glow.y];
    const squares = dx * dx + dy * dy;
    if (squares >= glow.radius * glow.radius) continue;
    const share = shareOfGlow(Math.sqrt(squares) / glow.radius);
    for (let channel = 0; channel < 3; channel++)
      color[channel]! += share * (glow.color[channel]! - color[channel]!);
  }
  return color;
}

function baseAt(fill: Fill, x: number, y: number): readonly number[] {
  if ('color' in fill) return fill.color;
  const place = positionAlong(fill, x, y) * (fill.stops.length - 1);
  const first = Math.min(Math.floor(place), fill.stops.length - 2);
  const [from, to] = [fill.stops[first]!, fill.stops[first + 1]!];
  return from.map((value, channel) => value + (place - first) * (to[channel]! - value));
}

/** Position of a pixel centre along a gradient, 0 to 1. */
export function positionAlong({ from, to }: Extract<Fill, { from: unknown }>, x: number, y: number): number {
  const [dx, dy] = [to[0] - from[0], to[1] - from[1]];
  const along = ((x + 0.5 - from[0]) * dx + (y + 0.5 - from[1]) * dy) / (dx * dx + dy * dy || 1);
  return Math.min(1, Math.max(0, along));
}

/** Ends of pieces, where one starts that another ended counted once. */
export const nodesOf = (outlines: readonly Curve[]): number =>
  outlines.reduce((sum, outline) => sum + (outline.length - 2) / 6, 0);

/** Coordinates are written in tenths of a pixel. */
export const toTenths = (length: number): number => Math.round(10 * length);

/**
 * Writes a drawing of paths. `size` is the displayed size, `traced` the coordinate range, `above` additional paths in
 * traced coordinates.
 */
export function writeSvg(shapes: readonly Shape[], size: Size, traced: Size, above = ''): string {
  const open = `<svg xmlns="http://www.w3.org/2000/svg" width="${size.width}" height="${size.height}" viewBox="0 0 ${traced.width} ${traced.height}" preserveAspectRatio="none">\n`;
  const only = commonColor(shapes);
  if (only !== undefined) return `${open}${inkPaths(shapes, only)}${above}</svg>\n`;
  const gradients: string[] = [];
  const paths = shapes.map(({ outlines, fill }) => {
    const path = `<path fill="${paint(fill, gradients)}" d="${outlines.map((outline) => pathData(outline)).join('')}"/>`;
    return fill.glows ? writeGlows(path, fill.glows, gradients) : `${path}\n`;
  });
  const defs = gradients.length > 0 ? `<defs>\n${gradients.join('')}</defs>\n` : '';
  return `${open}${defs}${paths.join('')}${above}</svg>\n`;
}

/** Common fill of several shapes, if they share one. */
function commonColor(shapes: readonly Shape[]): string | undefined {
  const names = new Set(shapes.map(({ fill }) => ('color' in fill ? hex(fill.color) : '')));
  const [name] = names;
  return shapes.length > 1 && names.size === 1 && name !== '' ? name : undefined;
}

/** Shapes of one colour as a group: the colour is said once, and lengths are whole tenths, without a point in each. */
function inkPaths(shapes: readonly Shape[], color: string): string {
  const paths = shapes.map(({ outlines }) => {
    const d = outlines.map((outline) => pathData(outline.map(toTenths), 1)).join('');
    return `<path d="${d}"/>\n`;
  });
  return `<g fill="${color}" transform="scale(.1)">\n${paths.join('')}</g>\n`;
}

/**
 * A gradient across a strip is short: the 0.1 px rounding of its vector would be visible at the far end of the strip.
 */
const PLACE_DECIMALS = 3;

function paint(fill: Fill, gradients: string[]): string {
  if ('color' in fill) return hex(fill.color);
  const id = `g${gradients.length}`;
  const [x1, y1, x2, y2] = [...fill.from, ...fill.to].map((length) =>
    dropZero(roundTo(length, PLACE_DECIMALS)),
  );
  const stops = fill.stops.map((color, index) => {
    const place = index / (fill.stops.length - 1);
    const offset = index === 0 ? '' : ` offset="${dropZero(place)}"`;
    return `<stop${offset} stop-color="${hex(color)}"/>`;
  });
  gradients.push(
    `<linearGradient id="${id}" gradientUnits="userSpaceOnUse" x1="${x1}" y1="${y1}" x2="${x2}" y2="${y2}">${stops.join('')}</linearGradient>\n`,
  );
  return `url(#${id})`;
}

/**
 * Focus of a glow's gradient across its bounding box, a thousandth beside the middle. resvg then blends in floating point; for a gradient about
 * its middle it rounds every layer up, and areas under many glows became three levels too light.
 */
const GLOW_FOCUS = '.501';

/** A path with glows over it, which its outline clips. */
function writeGlows(path: string, glows: readonly Glow[], gradients: string[]): string {
  const id = `s${gradients.length}`;
  const discs = glows.map(({ x, y, radius, color }) => {
    const name = `g${gradients.length}`;
    const stops = GLOW_SHARES.map((share, index) => {
      const offset = index === 0 ? '' : ` offset="${dropZero(index / (GLOW_SHARES.length - 1))}"`;
      return `<stop${offset} stop-color="${hex(color)}" stop-opacity="${dropZero(share)}"/>`;
    });
    gradients.push(`<radialGradient id="${name}" fx="${GLOW_FOCUS}">${stops.join('')}</radialGradient>\n`);
    const [cx, cy, r] = [x, y, radius].map((length) => dropZero(roundTo(length, 1)));
    return `<circle cx="${cx}" cy="${cy}" r="${r}" fill="url(#${name})"/>`;
  });
  gradients.push(`<clipPath id="${id}">${path.replace(/ fill="[^"]*"/, '')}</clipPath>\n`);
  return `${path}\n<g clip-path="url(#${id})">${discs.join('')}</g>\n`;
}

/** Three hexadecimal digits if equivalent to six. */
export function hex(color: readonly number[]): string {
  const pairs = color.map((channel) => Math.round(channel).toString(16).padStart(2, '0'));
  if (pairs.every(([high, low]) => high === low)) return `#${pairs.map(([high]) => high).join('')}`;
  return `#${pairs.join('')}`;
}

/** Tests whether a curve ends at its start. */
export const isClosed = (curve: Curve): boolean => curve[0] === curve.at(-2) && curve[1] === curve.at(-1);

/** The shortest relative commands for an outline or a line, its lengths written in this many steps a unit. */
export function pathData(outline: Curve, steps = 10): string {
  const text = createWriter(steps);
  const closed = isClosed(outline);
  const inSteps = (length: number): number => Math.round(steps * length);
  let [x, y] = [inSteps(outline[0]!), inSteps(outline[1]!)];
  text.write('M', [x, y]);
  for (let at = 2; at < outline.length; at += 6) {
    const [dx, dy] = [inSteps(outline[at + 4]!) - x, inSteps(outline[at + 5]!) - y];
    const straight = Number.isNaN(outline[at]);
    const closing = closed && at + 6 >= outline.length;
    if (!straight) {
      const handles = [0, 1, 2, 3].map((n) => inSteps(outline[at + n]!) - (n % 2 === 0 ? x : y));
      if (dx !== 0 || dy !== 0 || handles.some(Boolean)) text.write('c', [...handles, dx, dy]);
    } else if (!closing && (dx !== 0 || dy !== 0)) {
      if (dy === 0) text.write('h', [dx]);
      else if (dx === 0) text.write('v', [dy]);
      else text.write('l', [dx, dy]);
    }
    [x, y] = [x + dx, y + dy];
  }
  return closed ? `${text.done()}z` : text.done();
}

/** Writes commands and numbers with only the separators that are needed. */
function createWriter(steps: number) {
  let text = '';
  let last = '';
  let hasPoint = false;
  return {
    write(command: string, values: readonly number[]): void {
      let apart = command === last;
      if (!apart) text += command;
      last = command;
      for (const value of values) {
        const next = dropZero(value / steps);
        if (apart && !next.startsWith('-') && !(hasPoint && next.startsWith('.'))) text += ' ';
        text += next;
        hasPoint = next.includes('.');
        apart = true;
      }
    },
    done: () => text,
  };
}

/** Without the zero before the point. */
const dropZero = (value: number): string => String(value).replace(/^(-?)0\./, '$1.');
