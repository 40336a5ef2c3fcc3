import type { Size } from '../pixels/plane.ts';
import type { Art, ArtPlacement, ArtProperties } from './art.ts';
import { blurField, type Field, fieldOf, SCENE, valueAt } from './field.ts';
import { type Ink, overlapsInk, prepareInk, type Row, type Run, sampleInk } from './ink.ts';
import type { Layer, Maps } from './layer.ts';
import { GRAIN_PARTS, type LinearRgb, SAMPLE_PARTS, sampleTable, smoothStep, TABLE_STEPS } from './light.ts';
import { latticeNoise } from './noise.ts';
import type { Texture } from './texture.ts';

/** The lamp is warmer than the ambient light, so shadows lose more red than blue. */
const SHADOW_COOLING = 0.025;

/** Composites a layer under the pixels already in a row. */
interface Painter {
  /** `y` is the centre of the row, in scene units. */
  readonly paint: (y: number, row: Row) => void;
  /** The range of pixels the layer can touch; `to` is exclusive. */
  readonly from: number;
  readonly to: number;
}

/** The maps of a layer along one row of pixels, at each column of nodes. */
interface ScanlineMaps {
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
  readonly lines: ScanlineMaps;
  readonly pixel: number;
  readonly texture: Texture;
  readonly ink: Ink | undefined;
  readonly run: Run;
  /** Buffer for the ink under the pixels of a row. */
  inkRow: Float32Array;
}

const SMOOTH: Texture = { data: Float32Array.of(1), side: 1, density: 1 };

const NO_INK = new Float32Array(0);

/** Creates a painter of a layer; `pixel` is the side of an output pixel in scene units. */
function layerPainter({ maps, color, print, texture = SMOOTH }: Layer, pixel: number): Painter {
  const lines = createScanlineMaps(maps, color);
  const ink = print && prepareInk(maps, print, pixel);
  const run = { first: 0, last: 0, t: 0, by: pixel / maps.step, x: 0, y: 0, stepX: 0, stepY: 0 };
  const brush = { maps, lines, pixel, texture, ink, run, inkRow: NO_INK };
  return {
    from: Math.floor(maps.x / pixel),
    to: Math.ceil((maps.x + (maps.columns - 1) * maps.step) / pixel) + 1,
    paint: (y, row) => {
      const position = (y - maps.y) / maps.step;
      const above = Math.floor(position);
      if (above < 0 || above >= maps.rows - 1) return;
      if (ink && brush.inkRow.length < row.length) brush.inkRow = new Float32Array(row.length);
      const stretch = interpolateLines(maps, lines, {
        above,
        share: position - above,
        y,
        reach: 0.5 * pixel,
      });
      if (stretch.from < stretch.to) paintLine(brush, { ...stretch, above }, row);
    },
  };
}

function createScanlineMaps({ x, columns, step }: Maps, [red, green, blue]: LinearRgb): ScanlineMaps {
  const line = (value: number) => new Float32Array(columns).fill(value);
  return {
    edge: line(0),
    light: line(0),
    gloss: line(0),
    across: line(0).map((_, at) => x + at * step),
    down: line(0),
    red: line(red),
    green: line(green),
    blue: line(blue),
  };
}

/** Range of node columns in which a layer is visible. */
interface ColumnRange {
  readonly from: number;
  readonly to: number;
}

interface LineOptions {
  readonly above: number;
  readonly share: number;
  readonly y: number;
  /** Distance outside the outline from which the layer is invisible. */
  readonly reach: number;
}

function interpolateLines(
  maps: Maps,
  lines: ScanlineMaps,
  { above, share, y, reach }: LineOptions,
): ColumnRange {
  const { columns } = maps;
  let from = columns;
  let to = 0;
  const start = above * columns;
  for (let at = 0; at < columns; at += 1) {
    const one = maps.edge[start + at]!;
    const edge = one + share * (maps.edge[start + columns + at]! - one);
    lines.edge[at] = edge;
    if (edge > reach) continue;
    if (from > at) from = at;
    to = at;
  }
  // Visible pixels extend to the neighbouring columns.
  from = Math.max(0, from - 1);
  to = Math.min(columns - 1, to + 1);
  const between = (plane: Float32Array, out: Float32Array, first = start) => {
    for (let at = from; at <= to; at += 1) {
      const one = plane[first + at]!;
      out[at] = one + share * (plane[first + columns + at]! - one);
    }
  };
  between(maps.light, lines.light);
  if (maps.gloss) between(maps.gloss, lines.gloss);
  if (maps.colors) {
    const plane = columns * maps.rows;
    between(maps.colors, lines.red, start);
    between(maps.colors, lines.green, plane + start);
    between(maps.colors, lines.blue, 2 * plane + start);
  }
  if (maps.across && maps.down) {
    between(maps.across, lines.across);
    between(maps.down, lines.down);
  } else lines.down.fill(y);
  return { from, to };
}

/**
 * Paints the pixels of a row, cell by cell. A single loop without objects or repeated reads: a call or an allocation per cell would cost as
 * much as its shading.
 */
function paintLine(
  brush: Brush,
  { above, from, to }: ColumnRange & { readonly above: number },
  row: Row,
): void {
  const { maps, lines, pixel, ink, run } = brush;
  const { edge } = lines;
  const perUnit = 1 / pixel;
  const reach = pixel * 0.5;
  const columns = row.length >> 2;
  for (let cell = from, next = from + 1; next <= to; cell = next, next += 1) {
    if (edge[cell]! > reach && edge[next]! > reach) continue;
    const start = maps.x + cell * maps.step;
    run.first = Math.max(0, Math.ceil(start * perUnit - 0.5));
    run.last = Math.min(columns, Math.ceil((start + maps.step) * perUnit - 0.5));
    run.t = ((run.first + 0.5) * pixel - start) / maps.step;
    const isPrinted = ink !== undefined && overlapsInk(ink, lines, cell);
    if (isPrinted) sampleInk(ink, above * maps.columns + cell, brush, cell, row);
    paintRun(brush, cell, isPrinted, row);
  }
}

/** Paints the pixels of a row between two columns of nodes. */
function paintRun(
  { lines, pixel, texture, run, inkRow }: Brush,
  cell: number,
  isPrinted: boolean,
  row: Row,
): void {
  const { edge, light, gloss, across, down, red, green, blue } = lines;
  const { data, side, density } = texture;
  const { first, last, by } = run;
  const mask = side - 1;
  const isTextured = side > 1;
  const perUnit = 1 / pixel;
  const next = cell + 1;
  const e0 = edge[cell]!;
  const l0 = light[cell]!;
  const s0 = gloss[cell]!;
  const u0 = across[cell]!;
  const v0 = down[cell]!;
  const r0 = red[cell]!;
  const g0 = green[cell]!;
  const b0 = blue[cell]!;
  const de = edge[next]! - e0;
  const dl = light[next]! - l0;
  const ds = gloss[next]! - s0;
  const du = across[next]! - u0;
  const dv = down[next]! - v0;
  const dr = red[next]! - r0;
  const dg = green[next]! - g0;
  const db = blue[next]! - b0;
  let t = run.t;
  for (let column = first; column < last; column += 1, t += by) {
    const at = 4 * column;
    const free = 1 - row[at + 3]!;
    const cover = 0.5 - (e0 + t * de) * perUnit;
    if (free <= 0 || cover <= 0) continue;
    const weight = cover < 1 ? free * cover : free;
    let lit = l0 + t * dl;
    if (isTextured)
      lit *= data[(((v0 + t * dv) * density) & mask) * side + (((u0 + t * du) * density) & mask)]!;
    const bare = isPrinted ? 1 - inkRow[at + 3]! : 1;
    const r = (r0 + t * dr) * bare + (isPrinted ? inkRow[at]! : 0);
    const g = (g0 + t * dg) * bare + (isPrinted ? inkRow[at + 1]! : 0);
    const b = (b0 + t * db) * bare + (isPrinted ? inkRow[at + 2]! : 0);
    const shine = s0 + t * ds;
    const cool = SHADOW_COOLING * (lit - lit * lit);
    row[at]! += weight * (r * (lit - cool) + shine);
    row[at + 1]! += weight * (g * lit + shine);
    row[at + 2]! += weight * (b * (lit + cool) + shine);
    row[at + 3]! += weight;
  }
}

export type ViewName = 'front' | 'angle';

export interface SceneOptions {
  readonly view: ViewName;
  /** Colour of the product itself; absent: its usual material. */
  readonly color: LinearRgb | undefined;
  /** Output pixels per scene unit. */
  readonly density: number;
  /** No background was requested: an outdoor product renders its own surroundings. */
  readonly hasSurroundings: boolean;
}

/** A product on which an artwork is shown. It is computed entirely, without photographs. */
export interface Product {
  readonly placement: (art: ArtProperties) => ArtPlacement;
  readonly scene: (art: Art, shot: SceneOptions) => Scene;
}

export interface Scene {
  /** In back-to-front order. */
  readonly layers: readonly Layer[];
  /** Fraction of the light on the background that the product blocks, 0 to 1. */
  readonly shadow: Field;
  /** The layers cover the whole background: every pixel has grain. */
  readonly coversBackground?: boolean;
}

interface Frame {
  readonly side: number;
  readonly background: LinearRgb;
  /** The background as stored where nothing changes it. */
  readonly bytes: readonly number[];
}

const BAND_ROWS = 64;
/** Fainter shadows leave the background unchanged. */
const SHADOW_MIN = 0.0015;

/** Renders a scene over a background, in bands from the top, as 8-bit RGB. The buffer of a band is reused for the next. */
export function* renderBands({ layers, shadow }: Scene, frame: Frame): Generator<Uint8Array> {
  const { side } = frame;
  const pixel = SCENE / side;
  // Front to back: a fully covered pixel is skipped.
  const painters = layers.map((layer) => layerPainter(layer, pixel)).reverse();
  const row = new Float32Array(4 * side);
  const dark = new Float32Array(shadow.side + 1);
  const fades = edgeFade(shadow.side);
  const perPixel = shadow.side / side;
  const band = new Uint8Array(3 * side * BAND_ROWS);
  const plain = Uint8Array.from({ length: 3 * side }, (_, at) => frame.bytes[at % 3]!);
  const [from, to] = [
    Math.min(...painters.map((painter) => painter.from)),
    Math.max(...painters.map((painter) => painter.to)),
  ];
  for (let line = 0; line < side; line += 1) {
    const y = (line + 0.5) * pixel;
    row.fill(0);
    for (const painter of painters) painter.paint(y, row);
    const shaded = shadowLine(shadow, y, fades, dark);
    const start = 3 * side * (line % BAND_ROWS);
    band.set(plain, start);
    const span = {
      from: Math.max(0, Math.min(from, Math.floor(shaded.from / perPixel))),
      to: Math.min(side, Math.max(to, Math.ceil(shaded.to / perPixel))),
    };
    developRow({ row, dark, frame, span, line }, band, start);
    if ((line + 1) % BAND_ROWS === 0) yield band;
    else if (line === side - 1) yield band.subarray(0, start + 3 * side);
  }
}

interface DevelopOptions {
  readonly row: Row;
  /** The shadow at the nodes of its field. */
  readonly dark: Float32Array;
  readonly frame: Frame;
  readonly span: { readonly from: number; readonly to: number };
  readonly line: number;
}

/** Converts linear light to sRGB samples and adds sensor grain; untouched pixels keep the exact background. */
function developRow({ row, dark, frame, span, line }: DevelopOptions, band: Uint8Array, start: number): void {
  const [backR, backG, backB] = frame.background;
  const table = sampleTable();
  const perPixel = (dark.length - 1) / frame.side;
  const grainRow = (Math.imul(line, 0x9e3779b1) >>> 12) & GRAIN_MASK;
  for (let column = span.from; column < span.to; column += 1) {
    const at = 4 * column;
    const cover = row[at + 3]!;
    let behind = 0;
    if (cover < 1) {
      const position = (column + 0.5) * perPixel;
      const node = position | 0;
      const shade = dark[node]! + (position - node) * (dark[node + 1]! - dark[node]!);
      if (cover === 0 && shade < SHADOW_MIN) continue;
      behind = (1 - cover) * (1 - shade);
    }
    const r = row[at]! + behind * backR;
    const g = row[at + 1]! + behind * backG;
    const b = row[at + 2]! + behind * backB;
    const grain = GRAIN[(grainRow + column) & GRAIN_MASK]!;
    const to = start + 3 * column;
    band[to] = (table[r >= 1 ? TABLE_STEPS : (r * TABLE_STEPS) | 0]! + grain) >> 8;
    band[to + 1] = (table[g >= 1 ? TABLE_STEPS : (g * TABLE_STEPS) | 0]! + grain) >> 8;
    band[to + 2] = (table[b >= 1 ? TABLE_STEPS : (b * TABLE_STEPS) | 0]! + grain) >> 8;
  }
}

/** The shadow along a row, at the nodes of its field; it fades towards the image edges so that they show the requested background. */
function shadowLine(shadow: Field, y: number, fades: Float32Array, line: Float32Array): ColumnRange {
  const fade = smoothStep(0, FADE_WIDTH, Math.min(y, SCENE - y));
  const unit = SCENE / (line.length - 1);
  let from = line.length;
  let to = 0;
  for (let at = 0; at < line.length; at += 1) {
    const dark = fade * fades[at]! * valueAt(shadow, at * unit, y);
    line[at] = dark;
    if (dark < SHADOW_MIN) continue;
    if (from >= at) from = at - 1;
    to = at + 1;
  }
  return { from, to };
}

/** Attenuation of the shadow across the image, at the nodes of its field. */
const edgeFade = (side: number): Float32Array =>
  Float32Array.from({ length: side + 1 }, (_, at) => {
    const x = (at * SCENE) / side;
    return smoothStep(0, FADE_WIDTH, Math.min(x, SCENE - x));
  });

/** Distance from the image edges at which a shadow starts to fade, in scene units. */
const FADE_WIDTH = 130;
const GRAIN_MASK = 65535;
/** Sensor noise and dithering, which prevents banding, in parts of a sample; includes half a sample for rounding. */
const GRAIN = Int16Array.from({ length: GRAIN_MASK + 1 }, (_, at) =>
  Math.max(-GRAIN_PARTS, SAMPLE_PARTS * (0.5 + 0.4 * (latticeNoise(at, 0, 7) + latticeNoise(at, 1, 8)))),
);

interface ShadowCast {
  /** Offset and blur radius of the shadow, in scene units. */
  readonly x: number;
  readonly y: number;
  readonly blur: number;
  readonly strength: number;
}

/** Sums the soft shadows of a part on the background. `cover` is 1 inside the part. */
export function castShadows(cover: (x: number, y: number) => number, casts: readonly ShadowCast[]): Field {
  const side = 250;
  const covered = fieldOf(cover, side);
  const layers = casts.map(({ x, y, blur, strength }) => ({
    strength,
    field: blurField(
      fieldOf((px, py) => valueAt(covered, px - x, py - y), side),
      blur,
    ),
  }));
  const data = new Float32Array(side * side);
  for (let at = 0; at < data.length; at += 1)
    data[at] = 1 - layers.reduce((light, { strength, field }) => light * (1 - strength * field.data[at]!), 1);
  return { side, data };
}

/** The largest size of an artwork that fits a box with its aspect ratio kept. */
export function fitArt(art: Size, box: Size): Size {
  const ratio = art.width / art.height;
  const scale = Math.min(box.width / ratio, box.height);
  return { width: ratio * scale, height: scale };
}
