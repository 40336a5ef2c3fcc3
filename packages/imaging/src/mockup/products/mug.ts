import { convexEdge } from '../convex.ts';
import { cylinderHit, ringOf } from '../cylinder.ts';
import type { Field } from '../field.ts';
import { type Layer, type Maps, mapsOf } from '../layer.ts';
import { bell, type Light, smoothStep } from '../light.ts';
import { fitArt, type Product, type ViewName } from '../scene.ts';
import { matt, mirrored, unit } from '../studio.ts';
import { evenCoat } from '../texture.ts';
import { boxAround, hullOf, type Pose, type View, viewOf } from '../view.ts';
import { mugShadow } from './mug_shadow.ts';
import {
  type Balls,
  BODY,
  ballsHit,
  bodyOutline,
  handleBalls,
  inset,
  ringEdge,
  tilt,
  WALL,
} from './mug_shape.ts';

/** Printable area: this angle in radians to each side, and this share of the height. */
const REACH = 1.12;
const PRINT = { width: 2 * REACH * BODY.radius, height: 430 };
/** White glaze, linear RGB. */
const GLAZE: Light = [0.84, 0.835, 0.82];
const POSES: Record<ViewName, Pose> = {
  front: { x: 448, y: 512, yaw: 0, pitch: 0.2, distance: 2300 },
  angle: { x: 440, y: 520, yaw: 0.44, pitch: 0.38, distance: 2000 },
};

interface MugMaps {
  readonly body: Maps;
  readonly inside: Maps;
  readonly rim: Maps;
  readonly handle: Maps;
  readonly shadow: Field;
}
const kept = new Map<ViewName, MugMaps>();

/** A mug on a table; the artwork is printed in the glaze of a cylinder. */
export const mug: Product = {
  wish: () => ({ box: PRINT, fit: 'contain' }),
  scene(art, { view: name, color = GLAZE, density }) {
    if (!kept.has(name)) kept.set(name, mugMaps(name));
    const { body, inside, rim, handle, shadow } = kept.get(name)!;
    const texture = evenCoat(density);
    const print = { art, x: 0, y: 0, ...fitArt(art, PRINT), gain: 0.93, floor: 0.006 };
    const layers: Layer[] = [
      { maps: body, color, texture, print },
      { maps: rim, color },
      { maps: inside, color },
    ];
    const ear = { maps: handle, color };
    return { shadow, layers: name === 'front' ? [ear, ...layers] : [...layers, ear] };
  },
};

function mugMaps(name: ViewName): MugMaps {
  const pose = POSES[name];
  const view = viewOf(pose);
  const balls = handleBalls();
  return {
    body: bodyMaps(view, balls),
    inside: insideMaps(view),
    rim: rimMaps(view),
    handle: handleMaps(view, balls, name === 'angle'),
    shadow: mugShadow(view, balls, pose.yaw ?? 0),
  };
}

/** Diffuse light from the table near the base, and the contact shadow just above it. */
const nearTable = (y: number) => {
  const above = BODY.bottom - y;
  return 1 + 0.05 * Math.exp(-above / 90) - 0.34 * Math.exp(-above / 13);
};

function bodyMaps(view: View, balls: Balls): Maps {
  const outline = bodyOutline(view);
  const onOutline = convexEdge(outline);
  const way = new Float64Array(3);
  const hit = new Float64Array(4);
  return mapsOf({ box: boxAround(outline), step: 2, hasGloss: true, hasPlace: true }, (x, y, node) => {
    view.ray(x, y, way);
    cylinderHit(view.eye, way, { radius: BODY.radius, isFar: false }, hit);
    const [hx, hy, hz] = [hit[0]!, Math.max(BODY.top, Math.min(BODY.bottom, hit[1]!)), hit[2]!];
    const angle = Math.atan2(hx, -hz);
    const drop = tilt(hy);
    const level = Math.sqrt(1 - drop * drop);
    const reach = Math.hypot(hx, hz);
    const normal = view.turn((level * hx) / reach, drop, (level * hz) / reach);
    node.edge = onOutline(x, y);
    node.across = angle * BODY.radius;
    node.down = hit[1]!;
    const ear = hx < 0.4 * BODY.radius ? 1 : 1 - 0.3 * Math.exp(-earGap(balls, hx, hy, hz) / 26);
    node.light = 0.93 * matt(...normal) * nearTable(hy) * ear * (1 - 0.06 * bell(hy, BODY.top + 8, 5));
    node.gloss = glaze(view, normal, way) * (0.4 + 0.6 * smoothStep(0, 120, BODY.bottom - hy));
  });
}

function earGap(balls: Balls, x: number, y: number, z: number): number {
  let nearest = Infinity;
  for (let at = 12; at < balls.count - 12; at += 8) {
    const [dx, dy] = [x - balls.x[at]!, y - balls.y[at]!];
    nearest = Math.min(nearest, Math.sqrt(dx * dx + dy * dy + z * z) - balls.radius[at]!);
  }
  return Math.max(0, nearest);
}

/** Specular reflection in the glaze, limited because a pixel at the silhouette covers a large part of the room. */
function glaze(view: View, normal: readonly number[], way: Float64Array): number {
  return Math.min(0.62, mirrored(normal, unit(...view.turn(way[0]!, way[1]!, way[2]!))));
}

/** The far inner wall and the bottom, lit through the opening and by interreflection. */
function insideMaps(view: View): Maps {
  const radius = BODY.radius - WALL;
  const outline = ringOf(view, BODY.top, radius);
  const onOutline = ringEdge(view, BODY.top, radius);
  const way = new Float64Array(3);
  const hit = new Float64Array(4);
  return mapsOf({ box: boxAround(outline), step: 2, hasGloss: true }, (x, y, node) => {
    view.ray(x, y, way);
    cylinderHit(view.eye, way, { radius, isFar: true }, hit);
    const [hx, hy, hz] = [hit[0]!, hit[1]!, hit[2]!];
    const deep = Math.max(0, hy - BODY.top) / (2 * radius);
    const normal = view.turn(-hx / radius, 0, -hz / radius);
    node.edge = onOutline(x, y);
    // A wall receives less light from the room with depth; interreflection from the other walls makes up for a part.
    const open = 0.5 * (1 - deep / Math.sqrt(0.25 + deep * deep)) + 0.5;
    const lamp = smoothStep(0.75, 0, deep) * (0.5 + 0.5 * smoothStep(-1, 1, hx / radius));
    node.light =
      (0.5 * open + 0.34 * lamp) * (0.82 + 0.2 * matt(...normal)) * (1 - 0.12 * Math.exp(-deep / 0.03));
    node.gloss = 0.5 * Math.min(0.3, glaze(view, normal, way)) * smoothStep(0, 0.12, deep);
  });
}

/** The lip: a half-round, seen from above. */
function rimMaps(view: View): Maps {
  const outline = ringOf(view, BODY.top, BODY.radius);
  const outer = ringEdge(view, BODY.top + 1, BODY.radius - 1.5);
  const inner = ringEdge(view, BODY.top, BODY.radius - WALL);
  const way = new Float64Array(3);
  return mapsOf({ box: boxAround(outline), step: 1, hasGloss: true }, (x, y, node) => {
    const [out, into] = [outer(x, y), inner(x, y)];
    view.ray(x, y, way);
    const along = (BODY.top - view.eye[1]) / way[1]!;
    const [hx, hz] = [view.eye[0] + along * way[0]!, view.eye[2] + along * way[2]!];
    const reach = Math.hypot(hx, hz) || 1;
    const across = Math.max(-1, Math.min(1, 2 * ((reach - BODY.radius + WALL) / WALL) - 1));
    const lean = 0.92 * across;
    const normal = view.turn((lean * hx) / reach, -Math.sqrt(1 - lean * lean), (lean * hz) / reach);
    node.edge = out;
    node.light = matt(...normal) * (into < 0 ? 0.8 : 1);
    node.gloss = 0.8 * glaze(view, normal, way);
  });
}

function handleMaps(view: View, balls: Balls, isBefore: boolean): Maps {
  const outline = hullOf(
    Array.from({ length: balls.count }, (_, at) => view.project(balls.x[at]!, balls.y[at]!, 0)),
  );
  const way = new Float64Array(3);
  const hit = new Float64Array(4);
  const found = { edge: 0, along: 0, normal: [0, 0, -1] as [number, number, number], y: 0 };
  return mapsOf({ box: boxAround(outline, 44), step: 2, hasGloss: true }, (x, y, node) => {
    view.ray(x, y, way);
    ballsHit(balls, view.eye, way, found);
    const length = Math.hypot(way[0]!, way[1]!, way[2]!);
    cylinderHit(view.eye, way, { radius: BODY.radius - inset(found.y), isFar: false }, hit);
    const sunk = (found.along - hit[3]!) * length;
    node.edge = isBefore ? Math.max(found.edge, 0.7 * sunk) : found.edge;
    const [px, pz] = [view.eye[0] + found.along * way[0]!, view.eye[2] + found.along * way[2]!];
    const gap = Math.max(0, Math.hypot(px, pz) - BODY.radius);
    const normal = view.turn(...found.normal);
    node.light = matt(...normal) * (1 - 0.4 * Math.exp(-gap / 24)) * nearTable(found.y);
    node.gloss = glaze(view, normal, way) * (1 - 0.5 * Math.exp(-gap / 16));
  });
}
