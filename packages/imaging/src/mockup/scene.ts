import type { Size } from '../pixels/plane.ts';
import type { Art, ArtSeen, ArtWish } from './art.ts';
import { blurField, type Field, fieldOf, SCENE, valueAt } from './field.ts';
import type { Layer } from './layer.ts';
import { GRAIN_PARTS, type Light, SAMPLE_PARTS, sampleTable, smoothStep, TABLE_STEPS } from './light.ts';
import { corner } from './noise.ts';
import { layerPainter, type Row } from './paint_layer.ts';

export type ViewName = 'front' | 'angle';

export interface Shot {
  readonly view: ViewName;
  /** Colour of the thing itself; absent: what it is usually made of. */
  readonly color: Light | undefined;
  /** Pixels for a scene unit. */
  readonly density: number;
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
  const painters = layers.map((layer) => layerPainter(layer, pixel));
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
