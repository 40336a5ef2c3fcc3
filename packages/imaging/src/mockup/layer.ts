import type { Size } from '../pixels/plane.ts';
import type { Art } from './art.ts';
import { SCENE } from './field.ts';
import type { Light } from './light.ts';
import type { Texture } from './texture.ts';

/** A grid of nodes over a part of the scene: node (column, row) stands at (x + column × step, y + row × step), in scene units. */
export interface Grid {
  readonly x: number;
  readonly y: number;
  readonly step: number;
  readonly columns: number;
  readonly rows: number;
}

/** What a camera would see of one part of a product at the nodes of a grid; between them everything is interpolated. */
export interface Maps extends Grid {
  /** Distance to the outline of the part in scene units, negative inside. */
  readonly edge: Float32Array;
  /** Light the part throws back for each unit of its colour. */
  readonly light: Float32Array;
  /** Light its gloss adds, whatever its colour. */
  readonly gloss: Float32Array | undefined;
  /** Place on the surface in scene units, for prints and textures; absent: the place in the scene. */
  readonly across: Float32Array | undefined;
  readonly down: Float32Array | undefined;
  /** Colour where it varies: red, green and blue of all nodes, one plane after the other. */
  readonly colors: Float32Array | undefined;
}

/** What one node of a grid says; a product fills it in. */
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

/** Where on the surface the artwork lies, and how its ink takes light. */
export interface Print {
  readonly art: Art;
  /** Its middle, and its size, in scene units on the surface. */
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  /** Share of its colour that ink gives back, and what even black ink does. */
  readonly gain: number;
  readonly floor: number;
  /** Beyond its edges the artwork goes on as it ends; else it is transparent there. */
  readonly isEndless?: boolean;
}

/** One part of a product, ready to be painted over those behind it. */
export interface Layer {
  readonly maps: Maps;
  readonly color: Light;
  readonly print?: Print;
  readonly texture?: Texture;
}

type Ink = Pick<Print, 'gain' | 'floor'>;

/** What `fillOrPlace` wished for, laid around a place of a surface: over its edges a picture goes on as it ends. */
export function printIn(art: Art, box: Size, { gain, floor, part }: Ink & { part: number }): Print {
  if (art.fit === 'cover')
    return { art, x: 0, y: 0, width: box.width, height: box.height, gain, floor, isEndless: true };
  const scale = part * Math.min(box.width / art.width, box.height / art.height);
  return { art, x: 0, y: 0, width: scale * art.width, height: scale * art.height, gain, floor };
}

interface MapsOfOptions {
  readonly box: {
    readonly left: number;
    readonly top: number;
    readonly right: number;
    readonly bottom: number;
  };
  readonly step: number;
  readonly hasGloss?: boolean;
  readonly hasPlace?: boolean;
  readonly hasColors?: boolean;
}

/** Asks a product at every node of a grid over a box of the scene. Nodes begin with light 1 and their own place. */
export function mapsOf(
  { box, step, hasGloss = false, hasPlace = false, hasColors = false }: MapsOfOptions,
  see: (x: number, y: number, node: Node) => void,
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
    across: plane(hasPlace),
    down: plane(hasPlace),
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
    see(x, y, node);
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
