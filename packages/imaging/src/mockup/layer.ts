import type { Size } from '../pixels/plane.ts';
import type { Art } from './art.ts';
import { SCENE } from './field.ts';
import type { LinearRgb } from './light.ts';
import type { Texture } from './texture.ts';

/** A grid of nodes over a part of the scene: node (column, row) is at (x + column × step, y + row × step), in scene units. */
export interface Grid {
  readonly x: number;
  readonly y: number;
  readonly step: number;
  readonly columns: number;
  readonly rows: number;
}

/** Render buffers of one part of a product at the nodes of a grid; values between nodes are interpolated. */
export interface Maps extends Grid {
  /** Signed distance to the outline of the part in scene units, negative inside. */
  readonly edge: Float32Array;
  /** Diffuse light: reflected light per unit of colour. */
  readonly light: Float32Array;
  /** Specular light, added regardless of the colour. */
  readonly gloss: Float32Array | undefined;
  /** Surface coordinates in scene units, for prints and textures; absent: the scene coordinates. */
  readonly across: Float32Array | undefined;
  readonly down: Float32Array | undefined;
  /** Colour, if it varies: planes of red, green and blue. */
  readonly colors: Float32Array | undefined;
}

/** Values of one grid node, written by a product. */
export interface Node {
  edge: number;
  light: number;
  gloss: number;
  across: number;
  down: number;
  red: number;
  green: number;
  blue: number;
}

/** Position of the artwork on the surface, and the reflectance of its ink. */
export interface Print {
  readonly art: Art;
  /** Centre and size, in scene units on the surface. */
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  /** Fraction of its colour that the ink reflects, and the reflectance of black ink. */
  readonly gain: number;
  readonly floor: number;
  /** Repeats the edge pixels beyond the edges; otherwise the artwork is transparent there. */
  readonly clampsToEdge?: boolean;
}

/** One part of a product, composited over the parts behind it. */
export interface Layer {
  readonly maps: Maps;
  readonly color: LinearRgb;
  readonly print?: Print;
  readonly texture?: Texture;
}

type Ink = Pick<Print, 'gain' | 'floor'>;

/**
 * Centres an artwork that was fitted by `coverOrContain` at the origin of a surface. An image that fills the surface repeats its edge pixels
 * beyond its edges.
 */
export function centrePrint(art: Art, box: Size, { gain, floor, part }: Ink & { part: number }): Print {
  if (art.fit === 'cover')
    return { art, x: 0, y: 0, width: box.width, height: box.height, gain, floor, clampsToEdge: true };
  const scale = part * Math.min(box.width / art.width, box.height / art.height);
  return { art, x: 0, y: 0, width: scale * art.width, height: scale * art.height, gain, floor };
}

interface MapsOptions {
  readonly box: {
    readonly left: number;
    readonly top: number;
    readonly right: number;
    readonly bottom: number;
  };
  readonly step: number;
  readonly hasGloss?: boolean;
  readonly hasSurfaceCoordinates?: boolean;
  readonly hasColors?: boolean;
}

/** Evaluates `see` at every node of a grid over a box of the scene. Each node starts with light 1 and its own scene coordinates. */
export function evaluateMaps(
  { box, step, hasGloss = false, hasSurfaceCoordinates = false, hasColors = false }: MapsOptions,
  shade: (x: number, y: number, node: Node) => void,
): Maps {
  const left = Math.max(0, box.left);
  const top = Math.max(0, box.top);
  const columns = Math.max(2, Math.ceil((Math.min(SCENE, box.right) - left) / step) + 1);
  const rows = Math.max(2, Math.ceil((Math.min(SCENE, box.bottom) - top) / step) + 1);
  const count = columns * rows;
  const plane = (isWanted: boolean, planes = 1) => (isWanted ? new Float32Array(planes * count) : undefined);
  const maps = {
    x: left,
    y: top,
    step,
    columns,
    rows,
    edge: new Float32Array(count),
    light: new Float32Array(count),
    gloss: plane(hasGloss),
    across: plane(hasSurfaceCoordinates),
    down: plane(hasSurfaceCoordinates),
    colors: plane(hasColors, 3),
  };
  const node: Node = { edge: 1, light: 1, gloss: 0, across: 0, down: 0, red: 0, green: 0, blue: 0 };
  for (let at = 0, row = 0, column = 0; at < count; at += 1) {
    const x = left + column * step;
    const y = top + row * step;
    column += 1;
    if (column === columns) {
      column = 0;
      row += 1;
    }
    node.edge = 1;
    node.light = 1;
    node.gloss = 0;
    node.across = x;
    node.down = y;
    shade(x, y, node);
    maps.edge[at] = node.edge;
    maps.light[at] = node.light;
    if (maps.gloss) maps.gloss[at] = node.gloss;
    if (maps.across) maps.across[at] = node.across;
    if (maps.down) maps.down[at] = node.down;
    if (maps.colors) {
      maps.colors[at] = node.red;
      maps.colors[count + at] = node.green;
      maps.colors[2 * count + at] = node.blue;
    }
  }
  return maps;
}
