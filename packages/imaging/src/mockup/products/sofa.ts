import type { Field } from '../field.ts';
import type { Layer, Maps } from '../layer.ts';
import type { LinearRgb } from '../light.ts';
import { cached } from '../map_cache.ts';
import { layeredNoise } from '../noise.ts';
import type { ViewName } from '../scene.ts';
import { projectedBox, roundedCuboid, type Solid, solidMaps, solidShadow } from '../solid.ts';
import { diffuseLight } from '../studio.ts';
import { plainWeave } from '../texture.ts';
import type { Vector, View } from '../view.ts';
import { FRAME_DEPTH } from './poster.ts';

/** A part of the sofa: a box with rounded edges, positioned relative to the top of the back. */
interface Part {
  readonly at: Vector;
  readonly size: Vector;
  readonly round: number;
  /** How far its sides bulge. */
  readonly swell?: number;
  /** Rotation about its centre in the plane of the wall; radians. */
  readonly roll?: number;
  readonly color?: LinearRgb;
}

/** Linen of the sofa and a cushion on it, linear RGB. */
const LINEN: LinearRgb = [0.42, 0.395, 0.355];
const RUST: LinearRgb = [0.3, 0.125, 0.06];
const WIDE = 1500;
const ARM = 120;
const INSIDE = (WIDE - 2 * ARM) / 2;

/** In back-to-front order, as seen from the front and from the right. Units of the frame: 8.5 per centimetre. */
const PARTS: readonly Part[] = [
  { at: [0, 300, -70], size: [WIDE - 40, 600, 170], round: 46 },
  { at: [-WIDE / 2 + ARM / 2, 440, -400], size: [ARM, 560, 760], round: 44 },
  ...[-1, 1].map((side) => ({
    at: [(side * INSIDE) / 2, 170, -250] as const,
    size: [INSIDE - 6, 390, 210] as const,
    round: 78,
    swell: 26,
  })),
  { at: [0, 590, -420], size: [2 * INSIDE, 190, 720], round: 24 },
  ...[-1, 1].map((side) => ({
    at: [(side * INSIDE) / 2, 425, -480] as const,
    size: [INSIDE - 5, 150, 640] as const,
    round: 52,
    swell: 14,
  })),
  { at: [-INSIDE + 190, 205, -440], size: [350, 340, 130], round: 60, swell: 42, roll: -0.16, color: RUST },
  { at: [WIDE / 2 - ARM / 2, 440, -400], size: [ARM, 560, 760], round: 44 },
];

const REACH = 1250;

const solidOf = ({ at, size, round, swell = 0, roll = 0 }: Part, top: number): Solid => {
  const [cos, sin] = [Math.cos(roll), Math.sin(roll)];
  const [w, h, d] = [2 / size[0], 2 / size[1], 2 / size[2]];
  return (x, y, z) => {
    const [rx, ry, pz] = [x - at[0], y - at[1] - top, z - at[2]];
    const [px, py] = [cos * rx + sin * ry, cos * ry - sin * rx];
    const distance = roundedCuboid(px, py, pz, size, round);
    if (swell === 0 || distance > 3 * swell) return distance;
    const bow = (value: number) => Math.max(0, 1 - value * value);
    return (
      0.8 *
      (distance -
        swell * (bow(px * w) * bow(py * h) + bow(px * w) * bow(pz * d) + bow(py * h) * bow(pz * d) - 1))
    );
  };
};

/** Adds noise that makes upholstery uneven. */
function addUnevenness(solid: Solid): Solid {
  return (x, y, z) => {
    const distance = solid(x, y, z);
    if (distance > 20) return distance;
    return distance + 5 * layeredNoise(x / 120 + z / 160, y / 120 - z / 160, 2, 91);
  };
}

/** A sofa 1.8 m wide in front of the wall; `top` is the height of its back. Its maps are the same for every artwork and are cached. */
export function sofaLayers(
  view: View,
  top: number,
  { name, density }: { name: ViewName; density: number },
): Layer[] {
  const texture = plainWeave(density);
  const layers = cached(`sofa ${name}`, () => partMaps(view, top)).map((maps, at) => ({
    maps,
    color: PARTS[at]!.color ?? LINEN,
    texture,
  }));
  // From the front, the cushions cover the inner side of the right arm; from the right, the arm covers the cushions.
  return name === 'front' ? [layers[0]!, layers.at(-1)!, ...layers.slice(1, -1)] : layers;
}

function partMaps(view: View, top: number): Maps[] {
  const solids = PARTS.map((part) => solidOf(part, top));
  return PARTS.map((part, at) => {
    const {
      at: [x, y, z],
      size,
      swell = 0,
    } = part;
    const box = projectedBox(
      view,
      [x, y + top, z],
      [size[0] + 2 * swell, size[1] + 2 * swell, size[2] + 2 * swell],
    );
    const near = solids.filter((_, other) => other !== at);
    return solidMaps(
      view,
      addUnevenness(solids[at]!),
      { box, step: 2.5, reach: REACH, normalOffset: 2, hasSurfaceCoordinates: true },
      (hit, node) => {
        node.light =
          diffuseLight(...hit.normal) *
          ambientLight(near, hit.x, hit.y, hit.z, hit.ownNormal) *
          (1.04 - 0.0002 * (hit.y - top));
        // The weave follows the visible side of the part, at its true scale.
        node.across = 0.55 * (hit.x + 0.5 * hit.z);
        node.down = 0.55 * (hit.y - 0.7 * hit.z);
      },
    );
  });
}

/** Ambient occlusion: sampling distances and their weights. */
const OCCLUSION = [
  [14, 0.24],
  [50, 0.24],
  [130, 0.22],
] as const;

/** Ambient light that nearby parts leave, 0 to 1: less in the joints between cushions. */
function ambientLight(near: readonly Solid[], x: number, y: number, z: number, [nx, ny, nz]: Vector): number {
  let open = 1;
  for (const [away, weight] of OCCLUSION) {
    let gap: number = away;
    for (const solid of near) gap = Math.min(gap, solid(x + away * nx, y + away * ny, z + away * nz));
    open -= weight * (1 - Math.max(0, gap) / away);
  }
  return open;
}

/** Shadow of the sofa on the wall. */
export const sofaShadow = (view: View, top: number, name: ViewName): Field =>
  cached(`sofa on wall ${name}`, () => {
    const [back, , left, right] = PARTS.map((part) => solidOf({ ...part, swell: 0 }, top)) as Solid[];
    const solid: Solid = (x, y, z) => Math.min(back!(x, y, z), left!(x, y, z), right!(x, y, z));
    return solidShadow(view, solid, { plane: 'z', at: FRAME_DEPTH, reach: REACH, strength: 0.3 });
  });
