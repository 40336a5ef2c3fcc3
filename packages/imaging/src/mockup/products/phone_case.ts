import type { Art } from '../art.ts';
import { convexDistance } from '../convex.ts';
import type { Field } from '../field.ts';
import { evaluateMaps, type Layer, type Maps } from '../layer.ts';
import { bell, hypot2, type LinearRgb, smoothStep } from '../light.ts';
import { roundedRectangle } from '../outline.ts';
import { castShadows, fitArt, type Product, type ViewName } from '../scene.ts';
import { diffuseLight, normalise, reflectEnvironment } from '../studio.ts';
import {
  boundingBox,
  convexHull,
  createView,
  intersectPlane,
  type Point2,
  type Pose,
  type Vector,
  type View,
} from '../view.ts';
import { CAMERA, cameraLight } from './phone_camera.ts';

export const CASE = { width: 418, height: 850, radius: 68 };
/** Thickness of the phone in its case, and the radius of its edges. */
const DEPTH = 62;
const ROUND = 21;
/** Distance of the raised lip from the camera cut-out. */
const LIP = 7;
/** Area for a motif: below the camera, clear of the edges. */
const MOTIF = { width: 320, height: 480, y: 88 };
/** Hard plastic, white behind the print. */
const SHELL: LinearRgb = [0.8, 0.8, 0.79];
const POSES: Record<ViewName, Pose> = {
  front: { x: 500, y: 492, distance: 3200 },
  angle: { x: 492, y: 496, yaw: 0.6, pitch: 0.1, roll: -0.1, distance: 2300 },
};
const BUTTONS = [
  { side: -1, y: -238, length: 34 },
  { side: -1, y: -160, length: 62 },
  { side: -1, y: -82, length: 62 },
  { side: 1, y: -130, length: 96 },
];

/** Area of the cameras, as fractions of the case. */
const UNDER_CAMERA = {
  left: 0.5 + (CAMERA.x - CAMERA.width / 2) / CASE.width,
  top: 0.5 + (CAMERA.y - CAMERA.height / 2) / CASE.height,
  width: CAMERA.width / CASE.width,
  height: CAMERA.height / CASE.height,
};

interface PhoneMaps {
  readonly wall: Maps;
  readonly buttons: readonly Maps[];
  readonly back: Maps;
  readonly camera: Maps;
  readonly shadow: Field;
}
const cache = new Map<ViewName, PhoneMaps>();

/** A phone case seen from behind: glossy print over rounded edges, buttons, and a camera cut-out. */
export const phoneCase: Product = {
  placement: (art) =>
    art.isMotif ? { box: MOTIF, fit: 'contain' } : { box: CASE, fit: 'cover', hidden: UNDER_CAMERA },
  scene(art, { view: name, color = SHELL }) {
    if (!cache.has(name)) cache.set(name, phoneMaps(name));
    const { wall, buttons, back, camera, shadow } = cache.get(name)!;
    return {
      shadow,
      layers: [
        ...buttons.map((maps) => ({ maps, color })),
        { maps: wall, color },
        { maps: back, color, print: printOf(art) },
        { maps: camera, color },
      ],
    };
  },
};

function printOf(art: Art): Layer['print'] {
  const ink = { art, x: 0, gain: 0.93, floor: 0.005 };
  return art.fit === 'contain'
    ? { ...ink, y: MOTIF.y, ...fitArt(art, MOTIF) }
    : { ...ink, y: 0, width: CASE.width, height: CASE.height, clampsToEdge: true };
}

function phoneMaps(name: ViewName): PhoneMaps {
  const view = createView(POSES[name]);
  const face = rim(view, 0, ROUND * 0.35);
  const body = convexHull([
    ...face,
    ...rim(view, DEPTH * 0.3, 0),
    ...rim(view, DEPTH * 0.7, 0),
    ...rim(view, DEPTH, 5),
  ]);
  return {
    wall: wallMaps(view, body),
    buttons: BUTTONS.filter(({ side }) => name === 'front' || side > 0).map((button) =>
      buttonMaps(view, button),
    ),
    back: backMaps(view, body),
    camera: cameraMaps(view),
    shadow: name === 'front' ? lyingShadow(body) : standingShadow(view, body),
  };
}

/** The outline of the case at a depth, with an inset. */
function rim(view: View, z: number, inset: number): Point2[] {
  const [w, h, r] = [CASE.width / 2 - inset, CASE.height / 2 - inset, CASE.radius - inset];
  return Array.from({ length: 160 }, (_, at) => {
    const turn = (2 * Math.PI * at) / 160;
    const [cos, sin] = [Math.cos(turn), Math.sin(turn)];
    return view.project(Math.sign(cos) * (w - r) + r * cos, Math.sign(sin) * (h - r) + r * sin, z);
  });
}

/** Outward normal of the rounded outline. */
function outwardNormal(x: number, y: number): Point2 {
  const qx = Math.abs(x) - CASE.width / 2 + CASE.radius;
  const qy = Math.abs(y) - CASE.height / 2 + CASE.radius;
  if (qx > 0 && qy > 0) {
    const length = hypot2(qx, qy);
    return [(Math.sign(x) * qx) / length, (Math.sign(y) * qy) / length];
  }
  return qx > qy ? [Math.sign(x), 0] : [0, Math.sign(y)];
}

/** The side of the case that faces the camera. */
function wallMaps(view: View, body: readonly Point2[]): Maps {
  const onBody = convexDistance(body);
  const hit = intersectPlane(view, 0);
  const direction = new Float64Array(3);
  return evaluateMaps({ box: boundingBox(body), step: 2, hasGloss: true }, (x, y, node) => {
    const [px, py] = hit(x, y);
    const distance = roundedRectangle(px, py, CASE);
    node.edge = distance;
    // The back covers it there.
    if (distance < -12) return;
    node.edge = onBody(x, y);
    view.ray(x, y, direction);
    const [ox, oy] = outwardNormal(px, py);
    // Outside the face, the ray continues down the wall; its depth follows from the distance.
    const beyond = Math.max(0, distance);
    const slope = Math.max(0.05, Math.abs(ox * direction[0]! + oy * direction[1]!) / direction[2]!);
    const deep = Math.min(1, beyond / slope / DEPTH);
    const lean = -0.75 * smoothStep(0.35, 0, deep) + 0.6 * smoothStep(0.7, 1, deep);
    const level = Math.sqrt(1 - lean * lean);
    const normal = view.toCamera(level * ox, level * oy, lean);
    node.light =
      diffuseLight(...normal) * (1 - 0.35 * smoothStep(0.55, 1, deep)) * (1 - 0.14 * bell(deep, 0.42, 0.03));
    node.gloss = Math.min(
      0.5,
      reflectEnvironment(normal, normalise(...view.toCamera(direction[0]!, direction[1]!, direction[2]!))),
    );
  });
}

/** The back, and the rounded edge over which the print continues. */
function backMaps(view: View, body: readonly Point2[]): Maps {
  const onBody = convexDistance(body);
  const hit = intersectPlane(view, 0);
  const direction = new Float64Array(3);
  const level = diffuseLight(...view.toCamera(0, 0, -1));
  return evaluateMaps(
    { box: boundingBox(body), step: 1.5, hasGloss: true, hasSurfaceCoordinates: true },
    (x, y, node) => {
      const [px, py] = hit(x, y);
      const distance = roundedRectangle(px, py, CASE);
      const fall = 1.02 - 0.07 * smoothStep(-420, 420, py);
      const bend = Math.max(0, Math.min(1, 1 + distance / ROUND));
      const cut = roundedRectangle(px - CAMERA.x, py - CAMERA.y, CAMERA);
      node.edge = distance < -30 ? distance : Math.max(onBody(x, y), distance + 0.6);
      node.across = px;
      node.down = py;
      if (bend === 0 && cut > 50) {
        node.light = level * fall;
        node.gloss = backGloss(px, py, 0);
        return;
      }
      view.ray(x, y, direction);
      const [ox, oy] = outwardNormal(px, py);
      const ridge = lipSlope(cut);
      const [rx, ry] = cut < 14 ? slopeOut(px - CAMERA.x, py - CAMERA.y) : [0, 0];
      const lean = 0.93 * bend * bend;
      const normal = normalise(
        ...view.toCamera(lean * ox + ridge * rx, lean * oy + ridge * ry, -Math.sqrt(1 - lean * lean)),
      );
      const shade =
        1 - 0.3 * Math.exp(-Math.max(0, cut - LIP) / 6) * smoothStep(-60, 60, px - CAMERA.x + py - CAMERA.y);
      node.light = diffuseLight(...normal) * (cut > 0 ? shade : 1) * fall;
      node.gloss =
        backGloss(px, py, bend) +
        Math.min(
          0.55,
          bend *
            reflectEnvironment(
              normal,
              normalise(...view.toCamera(direction[0]!, direction[1]!, direction[2]!)),
            ),
        );
    },
  );
}

/** Slope of the raised lip around the cameras, by the distance from the cut-out. */
const lipSlope = (cut: number): number => 0.75 * (bell(cut, LIP - 0.5, 1.8) - 0.8 * bell(cut, 1, 1.4));

function slopeOut(x: number, y: number): Point2 {
  const e = 0.5;
  const dx = roundedRectangle(x + e, y, CAMERA) - roundedRectangle(x - e, y, CAMERA);
  const dy = roundedRectangle(x, y + e, CAMERA) - roundedRectangle(x, y - e, CAMERA);
  const length = hypot2(dx, dy) || 1;
  return [dx / length, dy / length];
}

/** Reflection of a distant softbox in a slightly rough surface: no sharp edges. */
function backGloss(x: number, y: number, bend: number): number {
  const slant = x * 0.86 + y * 0.5;
  const window = smoothStep(-470, -190, slant) * smoothStep(110, -150, slant);
  return (1 - bend) * (0.007 + 0.05 * window * smoothStep(480, -420, y));
}

/** The glass of the phone, at a finer resolution. Emissive: its colours already include the lighting. */
function cameraMaps(view: View): Maps {
  const z = 3;
  const corners = [-1, 1].flatMap((sx) =>
    [-1, 1].map((sy) =>
      view.project(CAMERA.x + (sx * CAMERA.width) / 2, CAMERA.y + (sy * CAMERA.height) / 2, z),
    ),
  );
  const [hit, opening] = [intersectPlane(view, z), intersectPlane(view, -LIP * 0.4)];
  const facing = Math.abs(view.toCamera(1, 0, 0)[0]);
  return evaluateMaps({ box: boundingBox(corners, 10), step: 0.5, hasColors: true }, (x, y, node) => {
    const [px, py] = hit(x, y);
    const [ox, oy] = opening(x, y);
    node.edge =
      facing *
      Math.max(
        roundedRectangle(ox - CAMERA.x, oy - CAMERA.y, CAMERA),
        roundedRectangle(px - CAMERA.x, py - CAMERA.y, CAMERA) - 3,
      );
    [node.red, node.green, node.blue] = cameraLight(px - CAMERA.x, py - CAMERA.y);
  });
}

function buttonMaps(view: View, { side, y: middle, length }: (typeof BUTTONS)[number]): Maps {
  const x = (side * CASE.width) / 2;
  const ends = [-1, 1].flatMap((end) =>
    [x - side * 4, x + side * 4.5].flatMap((px) =>
      [DEPTH * 0.3, DEPTH * 0.62].map((z): Vector => [px, middle + (end * length) / 2, z]),
    ),
  );
  const outline = convexHull(ends.map((point) => view.project(...point)));
  const edge = convexDistance(outline);
  const light = diffuseLight(...normalise(...view.toCamera(side * 0.8, 0, -0.5)));
  return evaluateMaps({ box: boundingBox(outline), step: 1, hasGloss: true }, (px, py, node) => {
    node.edge = edge(px, py) + 0.8;
    node.light = light * (1 - 0.35 * smoothStep(-2.5, 0, node.edge));
    node.gloss = 0.02;
  });
}

/** On a white table, seen from above. */
const lyingShadow = (body: readonly Point2[]): Field => {
  const edge = convexDistance(body);
  return castShadows(
    (x, y) => smoothStep(2, -2, edge(x, y)),
    [
      { x: 3, y: 4, blur: 5, strength: 0.4 },
      { x: 10, y: 13, blur: 14, strength: 0.26 },
      { x: 24, y: 30, blur: 36, strength: 0.22 },
      { x: 20, y: 30, blur: 90, strength: 0.1 },
    ],
  );
};

/** Held in front of a wall: the shadow is detached and has no sharp part. */
function standingShadow(_: View, body: readonly Point2[]): Field {
  const edge = convexDistance(body);
  return castShadows(
    (x, y) => smoothStep(2, -2, edge(x, y)),
    [
      { x: 26, y: 26, blur: 26, strength: 0.2 },
      { x: 46, y: 50, blur: 52, strength: 0.22 },
      { x: 40, y: 50, blur: 100, strength: 0.1 },
    ],
  );
}
