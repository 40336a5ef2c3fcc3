import type { Size } from '../../pixels/plane.ts';
import type { Art } from '../art.ts';
import { type Bar, type Box, barsAround, convexDistance, cornersOf } from '../convex.ts';
import { evaluateMaps, type Maps } from '../layer.ts';
import { bell, type LinearRgb, smoothStep } from '../light.ts';
import { cached } from '../map_cache.ts';
import { layeredNoise } from '../noise.ts';
import { castShadows, fitArt, type Product, type Scene } from '../scene.ts';
import { diffuseLight } from '../studio.ts';
import { unevenCoat } from '../texture.ts';
import { boundingBox, convexHull, createView, intersectPlane, type Pose, type View } from '../view.ts';

const ROOM = { width: 620, height: 700 };
const FRAME = 25;
/** Distance of the frame's face from the wall, and how deep the print lies in the frame. */
export const FRAME_DEPTH = 34;
const PRINT_DEPTH = 9;
const MAT = 52;
/** The mat has a bevel cut that shows its white core. */
const BEVEL = 3.2;
const FRONT: Pose = { x: 500, y: 488, distance: 2600 };
const ANGLE: Pose = { x: 496, y: 490, yaw: 0.5, pitch: 0.03, distance: 2100 };
/** Dark oak, linear RGB. */
export const OAK: LinearRgb = [0.05, 0.036, 0.027];
const BOARD: LinearRgb = [0.83, 0.825, 0.81];
const CORE: LinearRgb = [0.88, 0.88, 0.87];

/** A framed print on a wall: mitred wood, a bevelled mat, glass, and the shadow of a broad light. */
export const poster: Product = {
  placement: (size) => ({ box: fitArt(size, ROOM), fit: 'contain', background: '#ffffff' }),
  scene(art, { view: name, color = OAK, density }) {
    const view = createView(name === 'front' ? FRONT : ANGLE);
    return framed(view, art, { room: ROOM, isFront: name === 'front', color, density });
  },
};

interface FramedOptions {
  /** Largest size of the print. */
  readonly room: Box;
  readonly isFront: boolean;
  readonly color: LinearRgb;
  readonly density: number;
}

/** Size of the frame around an artwork. */
export function frameAround(art: Size, room: Box): Box {
  const print = fitArt(art, room);
  const around = 2 * (MAT + FRAME);
  return { width: print.width + around, height: print.height + around };
}

/** An artwork in its frame at the origin of a view; the wall is `FRAME_DEPTH` behind its face. */
export function framed(view: View, art: Art, { room, isFront, color, density }: FramedOptions): Scene {
  const print = fitArt(art, room);
  const opening = { width: print.width + 2 * MAT, height: print.height + 2 * MAT };
  const outside = frameAround(art, room);
  const wood = grainStrength(color);
  const size = `${print.width.toFixed(1)} ${print.height.toFixed(1)}`;
  const made = cached(`framed ${room.width} ${isFront} ${size} ${wood}`, () => {
    const bars = barsAround(opening, FRAME);
    return {
      shadow: shadowOf(view, outside, isFront),
      side: sideMaps(view, outside),
      picture: pictureMaps(view, opening),
      bevels: barsAround(print, BEVEL).map((bar) => bevelMaps(view, bar)),
      wood: [
        ...bars.map((bar) => lipMaps(view, bar)),
        ...bars.map((bar, at) => railMaps(view, bar, { at, wood })),
      ],
    };
  });
  return {
    shadow: made.shadow,
    layers: [
      { maps: made.side, color },
      {
        maps: made.picture,
        color: BOARD,
        texture: unevenCoat(density),
        print: { art, x: 0, y: 0, ...print, gain: 0.9, floor: 0.01, clampsToEdge: false },
      },
      ...made.bevels.map((maps) => ({ maps, color: CORE })),
      ...made.wood.map((maps) => ({ maps, color })),
    ],
  };
}

function sideMaps(view: View, outside: Box): Maps {
  const seen = (z: number) => cornersOf(outside).map(([x, y]) => view.project(x, y, z));
  const body = convexHull([...seen(0), ...seen(FRAME_DEPTH)]);
  const onBody = convexDistance(body);
  return evaluateMaps({ box: boundingBox(body), step: 4 }, (x, y, node) => {
    node.edge = onBody(x, y);
    node.light = 0.62 * diffuseLight(...view.toCamera(1, 0, 0));
  });
}

function shadowOf(view: View, outside: Box, isFront: boolean) {
  const back = convexDistance(cornersOf(outside).map(([x, y]) => view.project(x, y, FRAME_DEPTH)));
  const cover = (x: number, y: number) => smoothStep(2, -2, back(x, y));
  const reach = isFront ? 1 : 0.8;
  return castShadows(cover, [
    { x: 3 * reach, y: 5, blur: 5, strength: 0.34 },
    { x: 12 * reach, y: 17, blur: 15, strength: 0.24 },
    { x: 30 * reach, y: 42, blur: 40, strength: 0.22 },
    { x: 20, y: 40, blur: 90, strength: 0.08 },
  ]);
}

/** The mat and the print behind glass: shadow of the frame, and reflections in the glass. */
function pictureMaps(view: View, opening: Box): Maps {
  const outline = cornersOf({ width: opening.width + 8, height: opening.height + 8 }).map(([x, y]) =>
    view.project(x, y, PRINT_DEPTH),
  );
  const [onOutline, hit] = [convexDistance(outline), intersectPlane(view, PRINT_DEPTH)];
  const shaded = frameShade(opening);
  return evaluateMaps(
    { box: boundingBox(outline), step: 2, hasGloss: true, hasSurfaceCoordinates: true },
    (x, y, node) => {
      const [across, down] = hit(x, y);
      node.edge = onOutline(x, y);
      node.across = across;
      node.down = down;
      node.light = shaded(across, down);
      // A distant window, blurred in the glass.
      const slant = across * 0.8 + down * 0.6;
      node.gloss = 0.006 + 0.017 * smoothStep(-330, -60, slant) * smoothStep(330, 60, slant);
    },
  );
}

/** Shadow of a broad light from the top left along the inner edges of the frame. */
function frameShade({ width, height }: Box): (across: number, down: number) => number {
  const under = (distance: number, reach: number, strength: number) =>
    1 - strength * (0.6 * Math.exp(-distance / reach) + 0.4 * Math.exp(-distance / (3.5 * reach)));
  return (across, down) =>
    under(Math.max(0, across + width / 2), 6, 0.4) *
    under(Math.max(0, down + height / 2), 8, 0.5) *
    under(Math.max(0, width / 2 - across), 3.5, 0.24) *
    under(Math.max(0, height / 2 - down), 3.5, 0.2) *
    (1.02 -
      0.05 * smoothStep(-height / 2, height / 2, down) -
      0.03 * smoothStep(-width / 2, width / 2, across));
}

/** The bevel of the mat: bright where it faces the light, in its own shadow elsewhere. */
function bevelMaps(view: View, { corners, outward }: Bar): Maps {
  const outline = corners.map(([x, y]) => view.project(x, y, PRINT_DEPTH));
  const edge = convexDistance(outline);
  const light = 0.97 * diffuseLight(...view.toCamera(-0.6 * outward[0], -0.6 * outward[1], -0.8));
  return evaluateMaps({ box: boundingBox(outline), step: 1 }, (x, y, node) => {
    node.edge = edge(x, y);
    node.light = light * 0.97;
  });
}

/** The inner side of the frame, from its face down to the mat; visible at an angle. */
function lipMaps(view: View, { corners, outward }: Bar): Maps {
  const inner = [corners[2], corners[3]];
  const outline = convexHull([0, PRINT_DEPTH].flatMap((z) => inner.map(([x, y]) => view.project(x, y, z))));
  const edge = convexDistance(outline);
  const light = 0.7 * diffuseLight(...view.toCamera(-outward[0], -outward[1], 0));
  return evaluateMaps({ box: boundingBox(outline), step: 0.5 }, (x, y, node) => {
    node.edge = edge(x, y);
    node.light = light;
  });
}

/** A rail of the frame: flat, with rounded edges, its grain along the rail. */
function railMaps(view: View, { corners, outward }: Bar, { at, wood }: { at: number; wood: number }): Maps {
  const outline = corners.map(([x, y]) => view.project(x, y, 0));
  const [onOutline, hit] = [convexDistance(outline), intersectPlane(view)];
  const [innerX, innerY] = corners[2];
  const mitre = convexDistance(corners);
  return evaluateMaps({ box: boundingBox(outline), step: 1, hasGloss: true }, (x, y, node) => {
    const [px, py] = hit(x, y);
    const across = (px - innerX) * outward[0] + (py - innerY) * outward[1];
    const along = outward[0] === 0 ? px : py;
    const tilt = 0.8 * (smoothStep(FRAME - 3.5, FRAME + 0.5, across) - smoothStep(3, -0.5, across));
    const rise = Math.sqrt(1 - tilt * tilt);
    const normal = view.toCamera(tilt * outward[0], tilt * outward[1], -rise);
    const grain = layeredNoise(
      across / 2.6 + 40 * at,
      along / 70 + 0.6 * layeredNoise(across / 9, along / 160, 2, at),
      4,
      5,
    );
    node.edge = onOutline(x, y);
    node.light = diffuseLight(...normal) * (1 + wood * grain) * (1 - 0.35 * bell(mitre(px, py), 0, 0.8));
    node.gloss = 0.008 + 0.03 * Math.max(0, -0.55 * normal[0] - 0.65 * normal[1]) * (1 + 0.8 * grain);
  });
}

/** Strength of the grain: painted white or grey hides it, brown and black stains show it. */
function grainStrength([red, green, blue]: LinearRgb): number {
  const lightest = Math.max(red, green, blue);
  const warmth = lightest === 0 ? 0 : (red - blue) / lightest;
  return warmth > 0.12 ? 0.55 : lightest < 0.1 ? 0.35 : 0.035;
}
