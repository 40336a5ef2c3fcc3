import { blurField, type Field, fieldOf, SCENE, valueAt } from './field.ts';
import { evaluateMaps, type Maps, type Node } from './layer.ts';
import { smoothStep } from './light.ts';
import { normalise } from './studio.ts';
import { boundingBox, type Point2, type Vector, type View } from './view.ts';

/** Signed distance function of a solid in object coordinates, negative inside. It may underestimate the distance, never overestimate it. */
export type Solid = (x: number, y: number, z: number) => number;

/** The intersection of a ray with a solid, or the closest approach of a ray that misses. */
export interface Hit {
  readonly x: number;
  readonly y: number;
  readonly z: number;
  /** Unit normal: in camera coordinates, and in object coordinates. */
  readonly normal: Vector;
  readonly ownNormal: Vector;
  /** Unit direction of the ray, in camera coordinates. */
  readonly direction: Vector;
}

interface SolidOptions {
  readonly box: ReturnType<typeof boundingBox>;
  readonly step: number;
  /** Radius of a bounding sphere around the origin. */
  readonly reach: number;
  /** Distance to the outline, where it is known more exactly than from rays. */
  readonly edge?: (x: number, y: number) => number;
  /** Where another part covers it. */
  readonly isHidden?: (x: number, y: number) => boolean;
  readonly hasSurfaceCoordinates?: boolean;
  /** Half the baseline for finite-difference normals; hides finer detail. */
  readonly normalOffset?: number;
}

const STEPS_MAX = 72;
/** Distance at which a ray counts as a hit, in scene units. */
const HIT_DISTANCE = 0.03;

/** Sphere-traces a solid (Hart, 1996) at the nodes of a grid. A ray that misses yields the distance to the outline. */
export function solidMaps(
  view: View,
  solid: Solid,
  { box, step, reach, edge, isHidden, hasSurfaceCoordinates = false, normalOffset = 0.6 }: SolidOptions,
  shade: (hit: Hit, node: Node) => void,
): Maps {
  const trace = createTracer(view, solid, reach);
  const normalAt = createNormals(solid, normalOffset);
  return evaluateMaps({ box, step, hasGloss: true, hasSurfaceCoordinates }, (x, y, node) => {
    if (isHidden?.(x, y)) return;
    if (edge) {
      node.edge = edge(x, y);
      if (node.edge > 4 * step) return;
    }
    const { gap, along, direction, isMet } = trace(x, y, edge !== undefined);
    if (!edge) node.edge = gap;
    // Nodes just outside the outline are shaded too, because pixels interpolate between them and those inside.
    if (!isMet && node.edge > 4 * step) return;
    const [px, py, pz] = [0, 1, 2].map((at) => view.eye[at]! + along * direction[at]!) as [
      number,
      number,
      number,
    ];
    const ownNormal = normalAt(px, py, pz);
    shade(
      {
        x: px,
        y: py,
        z: pz,
        ownNormal,
        normal: view.toCamera(...ownNormal),
        direction: view.toCamera(...direction),
      },
      node,
    );
  });
}

interface Traced {
  /** Signed distance to the outline in scene units, negative inside. */
  gap: number;
  /** Distance along the ray to the hit or the closest approach. */
  along: number;
  direction: [number, number, number];
  isMet: boolean;
}

function createTracer(view: View, solid: Solid, reach: number) {
  const [ex, ey, ez] = view.eye;
  const away = Math.sqrt(ex * ex + ey * ey + ez * ez);
  const ray = new Float64Array(3);
  const found: Traced = { gap: 0, along: 0, direction: [0, 0, 1], isMet: false };
  return (x: number, y: number, isOutlineKnown: boolean): Traced => {
    view.ray(x, y, ray);
    const [wx, wy, wz] = normalise(ray[0]!, ray[1]!, ray[2]!);
    const distance = (along: number) => solid(ex + along * wx, ey + along * wy, ez + along * wz);
    let [along, nearest, position] = [Math.max(0, away - reach), Infinity, away];
    for (let step = 0; step < STEPS_MAX && along < away + reach; step += 1) {
      const gap = distance(along);
      if (gap < nearest) [nearest, position] = [gap, along];
      if (gap < HIT_DISTANCE) break;
      along += gap;
    }
    found.isMet = nearest < HIT_DISTANCE;
    found.along = position;
    found.direction = [wx, wy, wz];
    if (!isOutlineKnown)
      found.gap =
        (away / position) *
        (found.isMet
          ? penetrationDepth(distance, position)
          : minimiseDistance(distance, position, Math.max(2, nearest * 2)));
    return found;
  };
}

/** A ray that gets this deep below the surface is well inside the outline. */
const DEPTH_MAX = 12;

/** Penetration depth of a ray into a solid; near the outline it equals the distance to the outline. */
function penetrationDepth(distance: (along: number) => number, met: number): number {
  let [deepest, position, along] = [0, met, met];
  for (let step = 0; step < 40; step += 1) {
    along += Math.max(1, -deepest * 0.6);
    const gap = distance(along);
    if (gap < deepest) [deepest, position] = [gap, along];
    if (gap > 0 || deepest < -DEPTH_MAX) break;
  }
  return deepest < -DEPTH_MAX
    ? deepest
    : Math.min(0, minimiseDistance(distance, position, Math.max(1, -deepest * 0.6)));
}

/** Minimum distance near a position along a ray (golden-section search). */
function minimiseDistance(distance: (along: number) => number, position: number, by: number): number {
  let [from, to] = [position - by, position + by];
  for (let step = 0; step < 12; step += 1) {
    const [one, other] = [to - GOLDEN * (to - from), from + GOLDEN * (to - from)];
    if (distance(one) < distance(other)) to = other;
    else from = one;
  }
  return distance((from + to) / 2);
}

const GOLDEN = 0.618034;

/** Normal from the gradient of the distance, by finite differences at four tetrahedral offsets. */
function createNormals(
  solid: Solid,
  by: number,
): (x: number, y: number, z: number) => [number, number, number] {
  return (x, y, z) => {
    const a = solid(x + by, y - by, z - by);
    const b = solid(x - by, y - by, z + by);
    const c = solid(x - by, y + by, z - by);
    const d = solid(x + by, y + by, z + by);
    return normalise(a - b - c + d, -a - b + c + d, -a + b - c + d);
  };
}

interface ShadowOptions {
  /** Plane that receives the shadow: table (`y` is constant) or wall (`z` is constant). */
  readonly plane: 'y' | 'z';
  readonly at: number;
  /** Radius of a bounding sphere around the origin. */
  readonly reach: number;
  readonly strength?: number;
}

/** Direction of the lamp in camera coordinates: higher than its specular reflection, which keeps shadows short. */
const LAMP = normalise(-0.46, -0.62, -0.64);
const LAMP_SIDE = 4;
/** Half the angular width of the lamp, seen from the solid; radians. */
const LAMP_HALF_ANGLE = 0.34;
const SHADOW_SIDE = 180;
const SHADOW_STEPS = 26;

/**
 * Shadow and ambient occlusion of a solid on the plane it stands on or in front of. Rays to an area light make the shadow sharp at the
 * contact and soft away from it.
 */
export function solidShadow(
  view: View,
  solid: Solid,
  { plane, at, reach, strength = 0.42 }: ShadowOptions,
): Field {
  const ray = new Float64Array(3);
  const axis = plane === 'y' ? 1 : 2;
  const lamps = sampleLamp(view);
  const darkness = (x: number, y: number): number => {
    view.ray(x, y, ray);
    const along = (at - view.eye[axis]) / ray[axis]!;
    if (
      !(along > 0) ||
      along > 4 * view.eye.reduce((maximum, value) => Math.max(maximum, Math.abs(value)), 1)
    )
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
    for (const lamp of lamps) dark += 1 - traceLight(solid, [px, py, pz], lamp, reach);
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

/** Where the shadow hardly changes, a coarser grid is read. */
const COARSE_SIDE = 60;
const EVEN = 0.012;

function isEven({ side, data }: Field, x: number, y: number): boolean {
  const column = Math.max(0, Math.min(side - 2, Math.floor((x * side) / SCENE - 0.5)));
  const row = Math.max(0, Math.min(side - 2, Math.floor((y * side) / SCENE - 0.5)));
  const [a, b] = [data[row * side + column]!, data[row * side + column + 1]!];
  const [c, d] = [data[(row + 1) * side + column]!, data[(row + 1) * side + column + 1]!];
  return Math.max(a, b, c, d) - Math.min(a, b, c, d) < EVEN;
}

/** Directions to sample points of the lamp, in object coordinates. */
function sampleLamp(view: View): Vector[] {
  const own = [view.toCamera(1, 0, 0), view.toCamera(0, 1, 0), view.toCamera(0, 0, 1)];
  const backOf = (direction: Vector) =>
    own.map(
      (axis) => axis[0] * direction[0] + axis[1] * direction[1] + axis[2] * direction[2],
    ) as unknown as Vector;
  const across = normalise(-LAMP[1], LAMP[0], 0);
  const up = [
    LAMP[1] * across[2] - LAMP[2] * across[1],
    LAMP[2] * across[0] - LAMP[0] * across[2],
    LAMP[0] * across[1] - LAMP[1] * across[0],
  ] as const;
  return Array.from({ length: LAMP_SIDE ** 2 }, (_, lamp) => {
    const h = 2 * LAMP_HALF_ANGLE * (((lamp % LAMP_SIDE) + 0.5) / LAMP_SIDE - 0.5);
    const v = 2 * LAMP_HALF_ANGLE * ((Math.floor(lamp / LAMP_SIDE) + 0.5) / LAMP_SIDE - 0.5);
    return backOf(
      normalise(
        LAMP[0] + h * across[0] + v * up[0],
        LAMP[1] + h * across[1] + v * up[1],
        LAMP[2] + h * across[2] + v * up[2],
      ),
    );
  });
}

/** Light from one sample point of the lamp that passes the solid, 0 to 1; soft, because each sample represents a part of the lamp. */
function traceLight(solid: Solid, [px, py, pz]: Vector, [wx, wy, wz]: Vector, reach: number): number {
  const towards = -(px * wx + py * wy + pz * wz);
  const passing = px * px + py * py + pz * pz - towards * towards;
  if (passing > reach * reach || towards < -reach) return 1;
  const end = towards + Math.sqrt(reach * reach - passing);
  let light = 1;
  let along = 1.5;
  for (let step = 0; step < SHADOW_STEPS && along < end; step += 1) {
    const gap = solid(px + along * wx, py + along * wy, pz + along * wz);
    if (gap < 0.05) return 0;
    light = Math.min(light, 0.5 + (PENUMBRA * gap) / along);
    along += Math.max(1.5, gap);
  }
  return Math.min(1, light);
}

/** Sharpness of the penumbra of one sample point: the inverse of its angular size. */
const PENUMBRA = (LAMP_SIDE * 0.5) / LAMP_HALF_ANGLE;

/** Signed distance to a box around the origin with rounded edges. */
export function roundedCuboid(
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

/** Bounding box in the scene of a box in space, given by its centre and size. */
export function projectedBox(view: View, [x, y, z]: Vector, [width, height, depth]: Vector, margin = 6) {
  const points: Point2[] = [];
  for (const sx of [-0.5, 0.5])
    for (const sy of [-0.5, 0.5])
      for (const sz of [-0.5, 0.5])
        points.push(view.project(x + sx * width, y + sy * height, z + sz * depth));
  return boundingBox(points, margin);
}
