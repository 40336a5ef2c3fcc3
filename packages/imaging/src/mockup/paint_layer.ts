import { type Ink, inkOf, readInk } from './ink.ts';
import type { Layer, Maps } from './layer.ts';
import type { Light } from './light.ts';
import type { Texture } from './texture.ts';

/** A row of the picture: red, green and blue times cover, and cover, four numbers a pixel. */
export type Row = Float32Array;

/** A lamp is warmer than the room: what lies in its shade has lost more red than blue. */
const COOL = 0.025;

/** Paints a layer over a row of the picture. */
export interface Painter {
  /** `y` is the middle of the row, in scene units. */
  readonly paint: (y: number, row: Row) => void;
  /** The pixels of a row it may touch: from the first to before the last. */
  readonly from: number;
  readonly to: number;
}

/** The maps of a layer along one row of the picture, at each column of nodes. */
interface Lines {
  readonly edge: Float32Array;
  readonly light: Float32Array;
  readonly gloss: Float32Array;
  readonly across: Float32Array;
  readonly down: Float32Array;
  readonly red: Float32Array;
  readonly green: Float32Array;
  readonly blue: Float32Array;
}

interface Brush {
  readonly maps: Maps;
  readonly lines: Lines;
  readonly pixel: number;
  readonly texture: Texture;
  readonly ink: Ink | undefined;
  /** Ink at a place, read into here. */
  readonly wet: Float64Array;
}

const SMOOTH: Texture = { data: Float32Array.of(1), side: 1, density: 1 };

/** A painter of a layer for pictures whose pixels have this side in scene units. */
export function layerPainter({ maps, color, print, texture = SMOOTH }: Layer, pixel: number): Painter {
  const lines = linesOf(maps.columns, color);
  const ink = print && inkOf(maps, print, pixel);
  const brush = { maps, lines, pixel, texture, ink, wet: new Float64Array(4) };
  const reach = pixel * 0.5;
  const { edge } = lines;
  return {
    from: Math.floor(maps.x / pixel),
    to: Math.ceil((maps.x + (maps.columns - 1) * maps.step) / pixel) + 1,
    paint: (y, row) => {
      const place = (y - maps.y) / maps.step;
      const above = Math.floor(place);
      if (above < 0 || above >= maps.rows - 1) return;
      fillLines(maps, lines, { above, share: place - above, y });
      for (let cell = 0; cell < maps.columns - 1; cell += 1)
        if (edge[cell]! <= reach || edge[cell + 1]! <= reach) paintCell(brush, above, cell, row);
    },
  };
}

function linesOf(columns: number, [red, green, blue]: Light): Lines {
  const line = (value: number) => new Float32Array(columns).fill(value);
  return {
    ...{ edge: line(0), light: line(0), gloss: line(0), across: line(0), down: line(0) },
    ...{ red: line(red), green: line(green), blue: line(blue) },
  };
}

function fillLines(
  maps: Maps,
  lines: Lines,
  { above, share, y }: { above: number; share: number; y: number },
): void {
  const { columns } = maps;
  const from = above * columns;
  const between = (plane: Float32Array, out: Float32Array, start = from) => {
    for (let at = 0; at < columns; at += 1) {
      const one = plane[start + at]!;
      out[at] = one + share * (plane[start + columns + at]! - one);
    }
  };
  between(maps.edge, lines.edge);
  between(maps.light, lines.light);
  if (maps.gloss) between(maps.gloss, lines.gloss);
  if (maps.colors) {
    const plane = columns * maps.rows;
    between(maps.colors, lines.red);
    between(maps.colors, lines.green, plane + from);
    between(maps.colors, lines.blue, 2 * plane + from);
  }
  if (maps.across && maps.down) {
    between(maps.across, lines.across);
    between(maps.down, lines.down);
    return;
  }
  for (let at = 0; at < columns; at += 1) lines.across[at] = maps.x + at * maps.step;
  lines.down.fill(y);
}

/**
 * The pixels of a row between two columns of nodes. All in one loop, and nothing read twice: a call for each pixel would cost as
 * much as its light.
 */
function paintCell(
  { maps, lines, pixel, texture, ink, wet }: Brush,
  above: number,
  cell: number,
  row: Row,
): void {
  const { edge, light, gloss, across, down, red, green, blue } = lines;
  const next = cell + 1;
  const [e0, l0, s0, u0, v0] = [edge[cell]!, light[cell]!, gloss[cell]!, across[cell]!, down[cell]!];
  const [r0, g0, b0] = [red[cell]!, green[cell]!, blue[cell]!];
  const [de, dl, ds] = [edge[next]! - e0, light[next]! - l0, gloss[next]! - s0];
  const [du, dv] = [across[next]! - u0, down[next]! - v0];
  const [dr, dg, db] = [red[next]! - r0, green[next]! - g0, blue[next]! - b0];
  const start = maps.x + cell * maps.step;
  const perUnit = 1 / pixel;
  const first = Math.max(0, Math.ceil(start * perUnit - 0.5));
  const last = Math.min(row.length >> 2, Math.ceil((start + maps.step) * perUnit - 0.5));
  const by = pixel / maps.step;
  const isPrinted = ink !== undefined && isUnderInk(ink, lines, cell);
  const node = above * maps.columns + cell;
  const { data, side, density } = texture;
  const mask = side - 1;
  let t = ((first + 0.5) * pixel - start) / maps.step;
  for (let column = first; column < last; column += 1, t += by) {
    const weight = Math.min(1, 0.5 - (e0 + t * de) * perUnit);
    if (weight <= 0) continue;
    const u = u0 + t * du;
    const v = v0 + t * dv;
    const lit = (l0 + t * dl) * data[((v * density) & mask) * side + ((u * density) & mask)]!;
    let r = r0 + t * dr;
    let g = g0 + t * dg;
    let b = b0 + t * db;
    if (isPrinted) {
      readInk(ink, node, u, v, wet);
      const bare = 1 - wet[3]!;
      r = r * bare + wet[0]!;
      g = g * bare + wet[1]!;
      b = b * bare + wet[2]!;
    }
    const shine = s0 + t * ds;
    const cool = COOL * (1 - lit);
    const at = 4 * column;
    if (weight === 1) {
      row[at] = r * (lit - lit * cool) + shine;
      row[at + 1] = g * lit + shine;
      row[at + 2] = b * (lit + lit * cool) + shine;
      row[at + 3] = 1;
      continue;
    }
    const behind = 1 - weight;
    row[at] = behind * row[at]! + weight * (r * (lit - lit * cool) + shine);
    row[at + 1] = behind * row[at + 1]! + weight * (g * lit + shine);
    row[at + 2] = behind * row[at + 2]! + weight * (b * (lit + lit * cool) + shine);
    row[at + 3] = behind * row[at + 3]! + weight;
  }
}

function isUnderInk(ink: Ink, { across, down }: Lines, cell: number): boolean {
  if (ink.isEndless) return true;
  const [a, b, c, d] = [across[cell]!, across[cell + 1]!, down[cell]!, down[cell + 1]!];
  return (
    (a > ink.left || b > ink.left) &&
    (a < ink.right || b < ink.right) &&
    (c > ink.top || d > ink.top) &&
    (c < ink.bottom || d < ink.bottom)
  );
}
