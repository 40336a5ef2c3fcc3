import type { Size } from '../pixels/plane.ts';
import type { Art, ArtSeen, ArtWish } from './art.ts';
import { blurField, type Field, fieldOf, SCENE, valueAt } from './field.ts';
import type { Layer, Maps, Print } from './layer.ts';
import { GRAIN_PARTS, type Light, SAMPLE_PARTS, sampleTable, smoothStep, TABLE_STEPS } from './light.ts';
import { corner } from './noise.ts';
import type { Texture } from './texture.ts';

/** More art pixels than this beneath one of the picture are read at several places. */
const DENSE = 1.3;
const TAPS_MAX = 4;
/** Beyond this a surface is seen so much from the side that nothing of it is. */
const DENSEST = 64;

/** An artwork on a surface, ready to be read at its places; numbers that a loop over pixels needs side by side. */
interface Ink {
  readonly samples: Uint16Array;
  /** Samples from one row to the next. */
  readonly stride: number;
  readonly width: number;
  readonly height: number;
  /** Art pixels for a scene unit of the surface, and where its corner lies there. */
  readonly perX: number;
  readonly perY: number;
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
  readonly gain: number;
  readonly floor: number;
  readonly isEndless: boolean;
  /** It covers all of the surface, and nothing shows through. */
  readonly isFull: boolean;
  /** How many places are read for a pixel of each cell, and the way from the first to beyond the last, in art pixels. */
  readonly taps: Uint8Array;
  readonly stepX: Float32Array;
  readonly stepY: Float32Array;
}

/** How an artwork lies under the pixels of a layer: a slanted surface shows it denser one way than the other. */
function inkOf(
  maps: Maps,
  { art, x, y, width, height, gain, floor, isEndless = false }: Print,
  pixel: number,
): Ink {
  const [perX, perY] = [art.width / width, art.height / height];
  // A pixel beyond the edges is still mixed with what lies at them.
  const [marginX, marginY] = [1 / perX, 1 / perY];
  return {
    samples: art.samples,
    stride: 4 * (art.width + 2),
    width: art.width,
    height: art.height,
    perX,
    perY,
    gain,
    floor,
    isEndless,
    isFull: isEndless && art.isOpaque,
    left: x - width / 2 - marginX,
    top: y - height / 2 - marginY,
    right: x + width / 2 + marginX,
    bottom: y + height / 2 + marginY,
    ...tapsOf(maps, perX, perY, pixel),
  };
}

function tapsOf({ columns, rows, step, across, down }: Maps, perX: number, perY: number, pixel: number) {
  const count = columns * rows;
  const taps = new Uint8Array(count).fill(1);
  const [stepX, stepY] = [new Float32Array(count), new Float32Array(count)];
  if (!across || !down) return { taps, stepX, stepY };
  const [scaleX, scaleY] = [(pixel / step) * perX, (pixel / step) * perY];
  for (let at = 0; at < count - columns - 1; at += 1) {
    const below = at + columns;
    const ax = (across[at + 1]! - across[at]!) * scaleX;
    const ay = (down[at + 1]! - down[at]!) * scaleY;
    const bx = (across[below]! - across[at]!) * scaleX;
    const by = (down[below]! - down[at]!) * scaleY;
    const a = ax * ax + ay * ay;
    const b = bx * bx + by * by;
    const longest = Math.sqrt(Math.max(a, b));
    if (longest <= DENSE || longest > DENSEST) continue;
    taps[at] = Math.min(TAPS_MAX, Math.ceil(longest));
    stepX[at] = a >= b ? ax : bx;
    stepY[at] = a >= b ? ay : by;
  }
  return { taps, stepX, stepY };
}

/** Samples of art are whole numbers up to 65535. */
const WHITE = 1 / 65535;

/**
 * Puts the ink at a place of the surface into `out`: what it gives back of light, its black included, times opacity; and
 * opacity.
 */
function readInk(ink: Ink, cell: number, across: number, down: number, out: Float64Array): void {
  const { samples, width, height, stride, isEndless, isFull } = ink;
  const taps = ink.taps[cell]!;
  const stepX = ink.stepX[cell]! / taps;
  const stepY = ink.stepY[cell]! / taps;
  // One pixel of border lies around the artwork, and half a pixel from its edge to its first middle.
  let tapX = (across - ink.left) * ink.perX - 0.5 - 0.5 * (taps - 1) * stepX;
  let tapY = (down - ink.top) * ink.perY - 0.5 - 0.5 * (taps - 1) * stepY;
  const weight = WHITE / taps;
  let [red, green, blue, opacity] = [0, 0, 0, 0];
  for (let tap = 0; tap < taps; tap += 1, tapX += stepX, tapY += stepY) {
    let x = tapX;
    let y = tapY;
    if (isEndless) {
      x = x < 1 ? 1 : x > width ? width : x;
      y = y < 1 ? 1 : y > height ? height : y;
    } else if (!(x >= 0 && y >= 0 && x < width + 1 && y < height + 1)) continue;
    const column = x | 0;
    const row = y | 0;
    const fx = x - column;
    const fy = y - row;
    const at = row * stride + 4 * column;
    const to = at + stride;
    const d = fx * fy * weight;
    const b = fx * weight - d;
    const c = fy * weight - d;
    const a = weight - b - c - d;
    red += a * samples[at]! + b * samples[at + 4]! + c * samples[to]! + d * samples[to + 4]!;
    green += a * samples[at + 1]! + b * samples[at + 5]! + c * samples[to + 1]! + d * samples[to + 5]!;
    blue += a * samples[at + 2]! + b * samples[at + 6]! + c * samples[to + 2]! + d * samples[to + 6]!;
    if (isFull) continue;
    opacity += a * samples[at + 3]! + b * samples[at + 7]! + c * samples[to + 3]! + d * samples[to + 7]!;
  }
  if (isFull) opacity = 1;
  const black = ink.floor * opacity;
  out[0] = black + ink.gain * red;
  out[1] = black + ink.gain * green;
  out[2] = black + ink.gain * blue;
  out[3] = opacity;
}

/** A row of the picture: red, green and blue times cover, and cover, four numbers a pixel. */
type Row = Float32Array;

/** A lamp is warmer than the room: what lies in its shade has lost more red than blue. */
const COOL = 0.025;

/** Paints a layer under what is already in a row of the picture. */
interface Painter {
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
function layerPainter({ maps, color, print, texture = SMOOTH }: Layer, pixel: number): Painter {
  const lines = linesOf(maps.columns, color);
  const ink = print && inkOf(maps, print, pixel);
  const brush = { maps, lines, pixel, texture, ink, wet: new Float64Array(4) };
  return {
    from: Math.floor(maps.x / pixel),
    to: Math.ceil((maps.x + (maps.columns - 1) * maps.step) / pixel) + 1,
    paint: (y, row) => {
      const place = (y - maps.y) / maps.step;
      const above = Math.floor(place);
      if (above < 0 || above >= maps.rows - 1) return;
      fillLines(maps, lines, { above, share: place - above, y });
      paintLine(brush, above, row);
    },
  };
}

function linesOf(columns: number, [red, green, blue]: Light): Lines {
  const line = (value: number) => new Float32Array(columns).fill(value);
  return {
    edge: line(0),
    light: line(0),
    gloss: line(0),
    across: line(0),
    down: line(0),
    red: line(red),
    green: line(green),
    blue: line(blue),
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
 * The pixels of a row, from one column of nodes to the next. All in one loop, nothing read twice, and no arrays to take numbers apart: a
 * call or an object for each cell would cost as much as its light.
 */
function paintLine({ maps, lines, pixel, texture, ink, wet }: Brush, above: number, row: Row): void {
  const { edge, light, gloss, across, down, red, green, blue } = lines;
  const { data, side, density } = texture;
  const mask = side - 1;
  const perUnit = 1 / pixel;
  const reach = pixel * 0.5;
  const by = pixel / maps.step;
  const columns = row.length >> 2;
  for (let cell = 0, next = 1; next < maps.columns; cell = next, next += 1) {
    const e0 = edge[cell]!;
    if (e0 > reach && edge[next]! > reach) continue;
    const start = maps.x + cell * maps.step;
    const first = Math.max(0, Math.ceil(start * perUnit - 0.5));
    const last = Math.min(columns, Math.ceil((start + maps.step) * perUnit - 0.5));
    const isPrinted = ink !== undefined && isUnderInk(ink, lines, cell);
    const node = above * maps.columns + cell;
    const [l0, s0, u0, v0] = [light[cell]!, gloss[cell]!, across[cell]!, down[cell]!];
    const [r0, g0, b0] = [red[cell]!, green[cell]!, blue[cell]!];
    const de = edge[next]! - e0;
    const dl = light[next]! - l0;
    const ds = gloss[next]! - s0;
    const du = across[next]! - u0;
    const dv = down[next]! - v0;
    const dr = red[next]! - r0;
    const dg = green[next]! - g0;
    const db = blue[next]! - b0;
    let t = ((first + 0.5) * pixel - start) / maps.step;
    for (let column = first; column < last; column += 1, t += by) {
      const at = 4 * column;
      const free = 1 - row[at + 3]!;
      const cover = 0.5 - (e0 + t * de) * perUnit;
      if (free <= 0 || cover <= 0) continue;
      const weight = cover < 1 ? free * cover : free;
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
      const cool = COOL * (lit - lit * lit);
      row[at]! += weight * (r * (lit - cool) + shine);
      row[at + 1]! += weight * (g * lit + shine);
      row[at + 2]! += weight * (b * (lit + cool) + shine);
      row[at + 3]! += weight;
    }
  }
}

function isUnderInk(ink: Ink, { across, down }: Lines, cell: number): boolean {
  if (ink.isEndless) return true;
  const next = cell + 1;
  return (
    (across[cell]! > ink.left || across[next]! > ink.left) &&
    (across[cell]! < ink.right || across[next]! < ink.right) &&
    (down[cell]! > ink.top || down[next]! > ink.top) &&
    (down[cell]! < ink.bottom || down[next]! < ink.bottom)
  );
}

export type ViewName = 'front' | 'angle';

export interface Shot {
  readonly view: ViewName;
  /** Colour of the thing itself; absent: what it is usually made of. */
  readonly color: Light | undefined;
  /** Pixels for a scene unit. */
  readonly density: number;
  /** No background was given: a thing that stands outdoors has its own. */
  readonly hasSurroundings: boolean;
}

/** A thing an artwork is shown on. Everything about it is computed; nothing is a photograph. */
export interface Product {
  readonly wish: (art: ArtSeen) => ArtWish;
  readonly scene: (art: Art, shot: Shot) => Scene;
}

export interface Scene {
  /** From the hindmost to the foremost. */
  readonly layers: readonly Layer[];
  /** Part of the light the thing keeps from what lies behind it, 0 to 1. */
  readonly shadow: Field;
}

interface Frame {
  readonly side: number;
  readonly background: Light;
  /** The background as it is to be stored where nothing changes it. */
  readonly bytes: readonly number[];
}

const BAND_ROWS = 64;
/** Shadows fainter than this leave the background as it is. */
const SHADOW_MIN = 0.0015;

/** Paints a scene over a background, in bands from the top: RGB of 8 bits. A band is overwritten by the next. */
export function* renderBands({ layers, shadow }: Scene, frame: Frame): Generator<Uint8Array> {
  const { side } = frame;
  const pixel = SCENE / side;
  // From the foremost: a pixel that is covered takes nothing more.
  const painters = layers.map((layer) => layerPainter(layer, pixel)).reverse();
  const row = new Float32Array(4 * side);
  const dark = new Float32Array(shadow.side + 1);
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
    const shaded = shadowLine(shadow, y, dark);
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

interface Exposed {
  readonly row: Row;
  /** The shadow at the nodes of its field. */
  readonly dark: Float32Array;
  readonly frame: Frame;
  readonly span: { readonly from: number; readonly to: number };
  readonly line: number;
}

/** Light becomes samples, with the grain of a sensor; what neither thing nor shadow touches stays the background. */
function developRow({ row, dark, frame, span, line }: Exposed, band: Uint8Array, start: number): void {
  const [backR, backG, backB] = frame.background;
  const table = sampleTable();
  const perPixel = (dark.length - 1) / frame.side;
  const grainRow = (Math.imul(line, 0x9e3779b1) >>> 12) & GRAIN_MASK;
  for (let column = span.from; column < span.to; column += 1) {
    const at = 4 * column;
    const cover = row[at + 3]!;
    let behind = 0;
    if (cover < 1) {
      const place = (column + 0.5) * perPixel;
      const node = place | 0;
      const shade = dark[node]! + (place - node) * (dark[node + 1]! - dark[node]!);
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

/** The shadow along a row, at the nodes of its field; towards the edges of the picture it fades into the background asked for. */
function shadowLine(shadow: Field, y: number, line: Float32Array): { from: number; to: number } {
  const fade = smoothStep(0, FADE, Math.min(y, SCENE - y));
  let [from, to] = [line.length, 0];
  for (let at = 0; at < line.length; at += 1) {
    const x = (at * SCENE) / (line.length - 1);
    line[at] = fade * smoothStep(0, FADE, Math.min(x, SCENE - x)) * valueAt(shadow, x, y);
    if (line[at]! < SHADOW_MIN) continue;
    from = Math.min(from, at - 1);
    to = at + 1;
  }
  return { from, to };
}

/** So near the edges of the picture a shadow begins to fade, in scene units. */
const FADE = 130;
const GRAIN_MASK = 65535;
/** What a sensor adds, and what keeps soft shades from showing steps: parts of a sample, half of one to round by among them. */
const GRAIN = Int16Array.from({ length: GRAIN_MASK + 1 }, (_, at) =>
  Math.max(-GRAIN_PARTS, SAMPLE_PARTS * (0.5 + 0.4 * (corner(at, 0, 7) + corner(at, 1, 8)))),
);

interface Cast {
  /** How far the shadow lies from the thing, and how soft it is, in scene units. */
  readonly x: number;
  readonly y: number;
  readonly blur: number;
  readonly strength: number;
}

/** Shadows of a thing on what is behind it, one over the other. `cover` is 1 inside it. */
export function castShadows(cover: (x: number, y: number) => number, casts: readonly Cast[]): Field {
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

/** The size of an artwork in its own proportions, as large as a box allows. */
export function fitArt(art: Size, box: Size): Size {
  const ratio = art.width / art.height;
  const scale = Math.min(box.width / ratio, box.height);
  return { width: ratio * scale, height: scale };
}
