import { blurField, type Field, fieldOf, SCENE, valueAt } from './field.ts';
import { type Maps, mapsOf, type Node } from './layer.ts';
import { smoothStep } from './light.ts';
import { unit } from './studio.ts';
import { boxAround, type Spot, type Vector, type View } from './view.ts';

/** Distance to the surface of a solid in its own axes, negative inside. It may be less than the true distance, never more. */
export type Solid = (x: number, y: number, z: number) => number;

/** Where a ray meets a solid, or passes it most closely. */
export interface Hit {
  readonly x: number;
  readonly y: number;
  readonly z: number;
  /** Away from the surface, of length 1: in the axes of the camera, and in those of the solid. */
  readonly normal: Vector;
  readonly ownNormal: Vector;
  /** Along the ray, of length 1, in the axes of the camera. */
  readonly way: Vector;
}

interface SolidOptions {
  readonly box: ReturnType<typeof boxAround>;
  readonly step: number;
  /** Nothing of the solid is farther from the origin than this. */
  readonly reach: number;
  /** Distance to the outline where it is known more exactly than by rays. */
  readonly edge?: (x: number, y: number) => number;
  /** Where another part lies over it. */
  readonly isHidden?: (x: number, y: number) => boolean;
  readonly hasPlace?: boolean;
  /** Half the way over which a slope is measured: what is finer is not seen. */
  readonly slopeOver?: number;
}

const STEPS_MAX = 72;
/** So near a ray has met the surface, in scene units. */
const MET = 0.03;

/** Traces a solid (sphere tracing, Hart 1996) at the nodes of a grid. A ray that passes it gives its distance to the outline. */
export function solidMaps(
  view: View,
  solid: Solid,
  { box, step, reach, edge, isHidden, hasPlace = false, slopeOver = 0.6 }: SolidOptions,
  shade: (hit: Hit, node: Node) => void,
): Maps {
  const trace = tracer(view, solid, reach);
  const normalAt = normalOf(solid, slopeOver);
  return mapsOf({ box, step, hasGloss: true, hasPlace }, (x, y, node) => {
    if (isHidden?.(x, y)) return;
    if (edge) {
      node.edge = edge(x, y);
      if (node.edge > 4 * step) return;
    }
    const { gap, along, way, isMet } = trace(x, y, edge !== undefined);
    if (!edge) node.edge = gap;
    // Nodes beside the outline are read too, where they are mixed with those within.
    if (!isMet && node.edge > 4 * step) return;
    const [px, py, pz] = [0, 1, 2].map((at) => view.eye[at]! + along * way[at]!) as [number, number, number];
    const ownNormal = normalAt(px, py, pz);
    shade({ x: px, y: py, z: pz, ownNormal, normal: view.turn(...ownNormal), way: view.turn(...way) }, node);
  });
}

interface Traced {
  /** Distance to the outline in scene units, negative inside. */
  gap: number;
  /** From the eye to where the solid is met, or is nearest. */
  along: number;
  way: [number, number, number];
  isMet: boolean;
}

function tracer(view: View, solid: Solid, reach: number) {
  const [ex, ey, ez] = view.eye;
  const away = Math.sqrt(ex * ex + ey * ey + ez * ez);
  const ray = new Float64Array(3);
  const found: Traced = { gap: 0, along: 0, way: [0, 0, 1], isMet: false };
  return (x: number, y: number, isOutlineKnown: boolean): Traced => {
    view.ray(x, y, ray);
    const [wx, wy, wz] = unit(ray[0]!, ray[1]!, ray[2]!);
    const distance = (along: number) => solid(ex + along * wx, ey + along * wy, ez + along * wz);
    let [along, nearest, place] = [Math.max(0, away - reach), Infinity, away];
    for (let step = 0; step < STEPS_MAX && along < away + reach; step += 1) {
      const gap = distance(along);
      if (gap < nearest) [nearest, place] = [gap, along];
      if (gap < MET) break;
      along += gap;
    }
    found.isMet = nearest < MET;
    found.along = place;
    found.way = [wx, wy, wz];
    if (!isOutlineKnown)
      found.gap =
        (away / place) *
        (found.isMet ? depthBehind(distance, place) : nearestTo(distance, place, Math.max(2, nearest * 2)));
    return found;
  };
}

/** So deep below the surface a place is surely within the outline. */
const DEEP = 12;

/** How deep a ray goes into a solid: near the outline that is its distance to it. */
function depthBehind(distance: (along: number) => number, met: number): number {
  let [deepest, place, along] = [0, met, met];
  for (let step = 0; step < 40; step += 1) {
    along += Math.max(1, -deepest * 0.6);
    const gap = distance(along);
    if (gap < deepest) [deepest, place] = [gap, along];
    if (gap > 0 || deepest < -DEEP) break;
  }
  return deepest < -DEEP ? deepest : Math.min(0, nearestTo(distance, place, Math.max(1, -deepest * 0.6)));
}

/** The least distance near a place along a ray (golden section). */
function nearestTo(distance: (along: number) => number, place: number, by: number): number {
  let [from, to] = [place - by, place + by];
  for (let step = 0; step < 12; step += 1) {
    const [one, other] = [to - GOLDEN * (to - from), from + GOLDEN * (to - from)];
    if (distance(one) < distance(other)) to = other;
    else from = one;
  }
  return distance((from + to) / 2);
}

const GOLDEN = 0.618034;

/** The slope of a distance, from four places around (a tetrahedron). */
function normalOf(solid: Solid, by: number): (x: number, y: number, z: number) => [number, number, number] {
  return (x, y, z) => {
    const a = solid(x + by, y - by, z - by);
    const b = solid(x - by, y - by, z + by);
    const c = solid(x - by, y + by, z - by);
    const d = solid(x + by, y + by, z + by);
    return unit(a - b - c + d, -a - b + c + d, -a + b - c + d);
  };
}

interface ShadowOptions {
  /** The table is `y` = so much, a wall `z`. */
  readonly plane: 'y' | 'z';
  readonly at: number;
  /** Nothing of the solid is farther from the origin than this. */
  readonly reach: number;
  readonly strength?: number;
}

/** Towards the middle of the lamp, as the camera has it: somewhat higher than it is mirrored, so that shadows stay short. */
const LAMP = unit(-0.46, -0.62, -0.64);
const LAMP_SIDE = 4;
/** Half of the breadth of the lamp, as seen from the solid; radians. */
const LAMP_WIDE = 0.34;
const SHADOW_SIDE = 180;
const MARCHES = 26;

/**
 * What solids keep of the light of the plane that they stand on or before: rays to a broad lamp, so that a shadow begins sharp where
 * they touch it, and of the light of the room, close to them.
 */
export function solidShadow(
  view: View,
  solid: Solid,
  { plane, at, reach, strength = 0.42 }: ShadowOptions,
): Field {
  const ray = new Float64Array(3);
  const axis = plane === 'y' ? 1 : 2;
  const lamps = lampsOf(view);
  const darkness = (x: number, y: number): number => {
    view.ray(x, y, ray);
    const along = (at - view.eye[axis]) / ray[axis]!;
    if (!(along > 0) || along > 4 * view.eye.reduce((most, value) => Math.max(most, Math.abs(value)), 1))
      return 0;
    const [px, py, pz] = [0, 1, 2].map((index) => view.eye[index]! + along * ray[index]!) as [
      number,
      number,
      number,
    ];
    const away = Math.sqrt(px * px + py * py + pz * pz);
    if (away > 2.6 * reach) return 0;
    const gap = Math.max(0, solid(px, py, pz));
    let dark = 0;
    for (const lamp of lamps) dark += 1 - lightAlong(solid, [px, py, pz], lamp, reach);
    const room = 0.26 * Math.exp(-gap / (0.22 * reach)) + 0.36 * Math.exp(-gap / 9);
    return (
      smoothStep(2.6 * reach, 1.2 * reach, away) * (1 - (1 - (strength * dark) / lamps.length) * (1 - room))
    );
  };
  const coarse = fieldOf(darkness, COARSE_SIDE);
  const field = fieldOf(
    (x, y) => (isEven(coarse, x, y) ? valueAt(coarse, x, y) : darkness(x, y)),
    SHADOW_SIDE,
  );
  return blurField(field, 6);
}

/** Where a shadow hardly changes a coarser grid is read. */
const COARSE_SIDE = 60;
const EVEN = 0.012;

function isEven({ side, data }: Field, x: number, y: number): boolean {
  const column = Math.max(0, Math.min(side - 2, Math.floor((x * side) / SCENE - 0.5)));
  const row = Math.max(0, Math.min(side - 2, Math.floor((y * side) / SCENE - 0.5)));
  const [a, b] = [data[row * side + column]!, data[row * side + column + 1]!];
  const [c, d] = [data[(row + 1) * side + column]!, data[(row + 1) * side + column + 1]!];
  return Math.max(a, b, c, d) - Math.min(a, b, c, d) < EVEN;
}

/** Directions to places of the lamp, in the axes of the solid. */
function lampsOf(view: View): Vector[] {
  const own = [view.turn(1, 0, 0), view.turn(0, 1, 0), view.turn(0, 0, 1)];
  const backOf = (way: Vector) =>
    own.map((axis) => axis[0] * way[0] + axis[1] * way[1] + axis[2] * way[2]) as unknown as Vector;
  const across = unit(-LAMP[1], LAMP[0], 0);
  const up = [
    LAMP[1] * across[2] - LAMP[2] * across[1],
    LAMP[2] * across[0] - LAMP[0] * across[2],
    LAMP[0] * across[1] - LAMP[1] * across[0],
  ] as const;
  return Array.from({ length: LAMP_SIDE ** 2 }, (_, lamp) => {
    const h = 2 * LAMP_WIDE * (((lamp % LAMP_SIDE) + 0.5) / LAMP_SIDE - 0.5);
    const v = 2 * LAMP_WIDE * ((Math.floor(lamp / LAMP_SIDE) + 0.5) / LAMP_SIDE - 0.5);
    return backOf(
      unit(
        LAMP[0] + h * across[0] + v * up[0],
        LAMP[1] + h * across[1] + v * up[1],
        LAMP[2] + h * across[2] + v * up[2],
      ),
    );
  });
}

/** Light that comes past a solid from one place of the lamp, 0 to 1: soft, as each place stands for those around it. */
function lightAlong(solid: Solid, [px, py, pz]: Vector, [wx, wy, wz]: Vector, reach: number): number {
  const towards = -(px * wx + py * wy + pz * wz);
  const passing = px * px + py * py + pz * pz - towards * towards;
  if (passing > reach * reach || towards < -reach) return 1;
  const end = towards + Math.sqrt(reach * reach - passing);
  let light = 1;
  let along = 1.5;
  for (let step = 0; step < MARCHES && along < end; step += 1) {
    const gap = solid(px + along * wx, py + along * wy, pz + along * wz);
    if (gap < 0.05) return 0;
    light = Math.min(light, 0.5 + (PENUMBRA * gap) / along);
    along += Math.max(1.5, gap);
  }
  return Math.min(1, light);
}

/** Of a place of the lamp, by how narrow it is. */
const PENUMBRA = (LAMP_SIDE * 0.5) / LAMP_WIDE;

/** A box around its middle with all edges rounded. */
export function roundBox(
  x: number,
  y: number,
  z: number,
  [width, height, depth]: Vector,
  round: number,
): number {
  const dx = Math.abs(x) - width / 2 + round;
  const dy = Math.abs(y) - height / 2 + round;
  const dz = Math.abs(z) - depth / 2 + round;
  const [ox, oy, oz] = [Math.max(dx, 0), Math.max(dy, 0), Math.max(dz, 0)];
  return Math.sqrt(ox * ox + oy * oy + oz * oz) + Math.min(Math.max(dx, dy, dz), 0) - round;
}

/** A box of the scene around all places of a box in space, given by its middle and sides. */
export function boxOfSpace(view: View, [x, y, z]: Vector, [width, height, depth]: Vector, margin = 6) {
  const spots: Spot[] = [];
  for (const sx of [-0.5, 0.5])
    for (const sy of [-0.5, 0.5])
      for (const sz of [-0.5, 0.5]) spots.push(view.project(x + sx * width, y + sy * height, z + sz * depth));
  return boxAround(spots, margin);
}
