import { convexDistance } from '../convex.ts';
import { intersectCylinder, projectCircle } from '../cylinder.ts';
import type { Field } from '../field.ts';
import { evaluateMaps, type Layer, type Maps } from '../layer.ts';
import { bell, type LinearRgb, smoothStep } from '../light.ts';
import { fitArt, type Product, type ViewName } from '../scene.ts';
import { diffuseLight, normalise, reflectEnvironment } from '../studio.ts';
import { unevenCoat } from '../texture.ts';
import { boundingBox, convexHull, createView, type Pose, type View } from '../view.ts';
import { mugShadow } from './mug_shadow.ts';
import {
  BODY,
  bodyOutline,
  handleSpheres,
  inset,
  intersectSpheres,
  ringEdge,
  type Spheres,
  tilt,
  WALL,
} from './mug_shape.ts';

/** Printable area: this angle in radians to each side, and this share of the height. */
const REACH = 1.12;
const PRINT = { width: 2 * REACH * BODY.radius, height: 430 };
/** White glaze, linear RGB. */
const GLAZE: LinearRgb = [0.84, 0.835, 0.82];
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
const cache = new Map<ViewName, MugMaps>();

/** A mug on a table; the artwork is printed in the glaze of a cylinder. */
export const mug: Product = {
  placement: () => ({ box: PRINT, fit: 'contain' }),
  scene(art, { view: name, color = GLAZE, density }) {
    if (!cache.has(name)) cache.set(name, mugMaps(name));
    const { body, inside, rim, handle, shadow } = cache.get(name)!;
    const texture = unevenCoat(density);
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
  const view = createView(pose);
  const spheres = handleSpheres();
  return {
    body: bodyMaps(view, spheres),
    inside: insideMaps(view),
    rim: rimMaps(view),
    handle: handleMaps(view, spheres, name === 'angle'),
    shadow: mugShadow(view, spheres, pose.yaw ?? 0),
  };
}

/** Diffuse light from the table near the base, and the contact shadow just above it. */
const tableLight = (y: number) => {
  const above = BODY.bottom - y;
  return 1 + 0.05 * Math.exp(-above / 90) - 0.34 * Math.exp(-above / 13);
};

function bodyMaps(view: View, spheres: Spheres): Maps {
  const outline = bodyOutline(view);
  const onOutline = convexDistance(outline);
  const direction = new Float64Array(3);
  const hit = new Float64Array(4);
  return evaluateMaps(
    { box: boundingBox(outline), step: 2, hasGloss: true, hasSurfaceCoordinates: true },
    (x, y, node) => {
      view.ray(x, y, direction);
      intersectCylinder(view.eye, direction, { radius: BODY.radius, isFar: false }, hit);
      const [hx, hy, hz] = [hit[0]!, Math.max(BODY.top, Math.min(BODY.bottom, hit[1]!)), hit[2]!];
      const angle = Math.atan2(hx, -hz);
      const drop = tilt(hy);
      const level = Math.sqrt(1 - drop * drop);
      const reach = Math.hypot(hx, hz);
      const normal = view.toCamera((level * hx) / reach, drop, (level * hz) / reach);
      node.edge = onOutline(x, y);
      node.across = angle * BODY.radius;
      node.down = hit[1]!;
      const ear = hx < 0.4 * BODY.radius ? 1 : 1 - 0.3 * Math.exp(-earGap(spheres, hx, hy, hz) / 26);
      node.light =
        0.93 * diffuseLight(...normal) * tableLight(hy) * ear * (1 - 0.06 * bell(hy, BODY.top + 8, 5));
      node.gloss = glaze(view, normal, direction) * (0.4 + 0.6 * smoothStep(0, 120, BODY.bottom - hy));
    },
  );
}

function earGap(spheres: Spheres, x: number, y: number, z: number): number {
  let nearest = Infinity;
  for (let at = 12; at < spheres.count - 12; at += 8) {
    const [dx, dy] = [x - spheres.x[at]!, y - spheres.y[at]!];
    nearest = Math.min(nearest, Math.sqrt(dx * dx + dy * dy + z * z) - spheres.radius[at]!);
  }
  return Math.max(0, nearest);
}

/** Specular reflection in the glaze, limited because a pixel at the silhouette covers a large part of the room. */
function glaze(view: View, normal: readonly number[], direction: Float64Array): number {
  return Math.min(
    0.62,
    reflectEnvironment(normal, normalise(...view.toCamera(direction[0]!, direction[1]!, direction[2]!))),
  );
}

/** The far inner wall and the bottom, lit through the opening and by interreflection. */
function insideMaps(view: View): Maps {
  const radius = BODY.radius - WALL;
  const outline = projectCircle(view, BODY.top, radius);
  const onOutline = ringEdge(view, BODY.top, radius);
  const direction = new Float64Array(3);
  const hit = new Float64Array(4);
  return evaluateMaps({ box: boundingBox(outline), step: 2, hasGloss: true }, (x, y, node) => {
    view.ray(x, y, direction);
    intersectCylinder(view.eye, direction, { radius, isFar: true }, hit);
    const [hx, hy, hz] = [hit[0]!, hit[1]!, hit[2]!];
    const deep = Math.max(0, hy - BODY.top) / (2 * radius);
    const normal = view.toCamera(-hx / radius, 0, -hz / radius);
    node.edge = onOutline(x, y);
    // A wall receives less light from the room with depth; interreflection from the other walls makes up for a part.
    const open = 0.5 * (1 - deep / Math.sqrt(0.25 + deep * deep)) + 0.5;
    const lamp = smoothStep(0.75, 0, deep) * (0.5 + 0.5 * smoothStep(-1, 1, hx / radius));
    node.light =
      (0.5 * open + 0.34 * lamp) *
      (0.82 + 0.2 * diffuseLight(...normal)) *
      (1 - 0.12 * Math.exp(-deep / 0.03));
    node.gloss = 0.5 * Math.min(0.3, glaze(view, normal, direction)) * smoothStep(0, 0.12, deep);
  });
}

/** The lip: a half-round, seen from above. */
function rimMaps(view: View): Maps {
  const outline = projectCircle(view, BODY.top, BODY.radius);
  const outer = ringEdge(view, BODY.top + 1, BODY.radius - 1.5);
  const inner = ringEdge(view, BODY.top, BODY.radius - WALL);
  const direction = new Float64Array(3);
  return evaluateMaps({ box: boundingBox(outline), step: 1, hasGloss: true }, (x, y, node) => {
    const [out, into] = [outer(x, y), inner(x, y)];
    view.ray(x, y, direction);
    const along = (BODY.top - view.eye[1]) / direction[1]!;
    const [hx, hz] = [view.eye[0] + along * direction[0]!, view.eye[2] + along * direction[2]!];
    const reach = Math.hypot(hx, hz) || 1;
    const across = Math.max(-1, Math.min(1, 2 * ((reach - BODY.radius + WALL) / WALL) - 1));
    const lean = 0.92 * across;
    const normal = view.toCamera((lean * hx) / reach, -Math.sqrt(1 - lean * lean), (lean * hz) / reach);
    node.edge = out;
    node.light = diffuseLight(...normal) * (into < 0 ? 0.8 : 1);
    node.gloss = 0.8 * glaze(view, normal, direction);
  });
}

function handleMaps(view: View, spheres: Spheres, isBefore: boolean): Maps {
  const outline = convexHull(
    Array.from({ length: spheres.count }, (_, at) => view.project(spheres.x[at]!, spheres.y[at]!, 0)),
  );
  const direction = new Float64Array(3);
  const hit = new Float64Array(4);
  const found = { edge: 0, along: 0, normal: [0, 0, -1] as [number, number, number], y: 0 };
  return evaluateMaps({ box: boundingBox(outline, 44), step: 2, hasGloss: true }, (x, y, node) => {
    view.ray(x, y, direction);
    intersectSpheres(spheres, view.eye, direction, found);
    const length = Math.hypot(direction[0]!, direction[1]!, direction[2]!);
    intersectCylinder(view.eye, direction, { radius: BODY.radius - inset(found.y), isFar: false }, hit);
    const sunk = (found.along - hit[3]!) * length;
    node.edge = isBefore ? Math.max(found.edge, 0.7 * sunk) : found.edge;
    const [px, pz] = [view.eye[0] + found.along * direction[0]!, view.eye[2] + found.along * direction[2]!];
    const gap = Math.max(0, Math.hypot(px, pz) - BODY.radius);
    const normal = view.toCamera(...found.normal);
    node.light = diffuseLight(...normal) * (1 - 0.4 * Math.exp(-gap / 24)) * tableLight(found.y);
    node.gloss = glaze(view, normal, direction) * (1 - 0.5 * Math.exp(-gap / 16));
  });
}
