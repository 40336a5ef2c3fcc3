import type { Field } from '../field.ts';
import type { Layer, Maps } from '../layer.ts';
import { bell, type LinearRgb, smoothStep } from '../light.ts';
import { cached } from '../map_cache.ts';
import { fitArt, type Product, type ViewName } from '../scene.ts';
import { exposedLight } from '../slab.ts';
import { projectedBox, type Solid, solidMaps, solidShadow } from '../solid.ts';
import { plainWeave } from '../texture.ts';
import { createView, type Pose, type View } from '../view.ts';

/** A five-panel cap: half its width, its height and half its length; y = 0 is its rim, slightly above the table. */
const CROWN = { x: 262, y: 268, z: 300 };
const TABLE = 20;
/** The brim in plan: an ellipse around a point in front of the crown. */
const BRIM = { x: 246, z: 300, from: -165, thick: 7 };
const PRINT = { width: 270, height: 140, y: -152 };
/** The front leans back: ratio of its slant length to its height. */
const LEAN = 1.1;
/** Angle about the axis at which the front panel ends on both sides. */
const SEAM = 0.82;
/** Cotton twill, linear RGB. */
const TWILL: LinearRgb = [0.72, 0.7, 0.65];
const POSES: Record<ViewName, Pose> = {
  front: { x: 500, y: 560, pitch: 0.2, distance: 2800, scale: 1.2 },
  angle: { x: 520, y: 560, yaw: 0.68, pitch: 0.3, distance: 2500, scale: 1.12 },
};
const REACH = 700;

interface CapMaps {
  readonly crown: Maps;
  readonly button: Maps;
  readonly brim: Maps;
  readonly shadow: Field;
}

/** A cap on a table, the artwork on its front panel. Its maps are the same for every artwork and are cached. */
export const cap: Product = {
  placement: () => ({ box: PRINT, fit: 'contain' }),
  scene(art, { view: name, color = TWILL, density }) {
    const { crown, button, brim, shadow } = cached(`cap ${name}`, () => capMaps(createView(POSES[name])));
    const cloth = { color, texture: plainWeave(density) };
    const print = { art, x: 0, y: PRINT.y, ...fitArt(art, PRINT), gain: 0.9, floor: 0.01 };
    const layers: Layer[] = [
      { ...cloth, maps: button },
      { ...cloth, maps: crown, print },
      { ...cloth, maps: brim },
    ];
    return { shadow, layers };
  },
};

/** Steep at the front, where a lining stiffens it; rounder at the back. */
const crownSolid: Solid = (x, y, z) => {
  const round = Math.sqrt((x / CROWN.x) ** 2 + (z / CROWN.z) ** 2);
  const up = Math.max(0, -y) / CROWN.y;
  const sum = (round * round * Math.sqrt(round) + up * up * Math.sqrt(up)) ** 0.4;
  return Math.max(0.8 * CROWN.x * (sum - 1), y - TABLE + 2);
};

/** Height of the brim: curved down at both sides and slightly towards the front. */
const brimAt = (x: number, z: number): number =>
  -66 + 80 * (x / BRIM.x) ** 2 + 16 * smoothStep(-200, -480, z);

/** Signed distance to the edge of the brim in plan, negative inside. */
function brimEdge(x: number, z: number): number {
  const round = Math.sqrt((x / BRIM.x) ** 2 + ((z - BRIM.from) / BRIM.z) ** 2);
  return BRIM.x * (round - 1);
}

const brimSolid: Solid = (x, y, z) => {
  const [deep, side] = [Math.abs(y - brimAt(x, z)) * 0.86 - BRIM.thick + 4, brimEdge(x, z) + 4];
  const [ox, oy] = [Math.max(side, 0), Math.max(deep, 0)];
  const plate = Math.sqrt(ox * ox + oy * oy) + Math.min(Math.max(side, deep), 0) - 4;
  return 0.8 * Math.max(plate, z + 60);
};

function capMaps(view: View): CapMaps {
  const whole: Solid = (x, y, z) => Math.min(crownSolid(x, y, z), brimSolid(x, y, z));
  return {
    crown: crownMaps(view),
    brim: brimMaps(view),
    button: buttonMaps(view),
    shadow: solidShadow(view, whole, { plane: 'y', at: TABLE, reach: REACH * 0.8 }),
  };
}

function crownMaps(view: View): Maps {
  return solidMaps(
    view,
    crownSolid,
    {
      box: projectedBox(view, [0, -CROWN.y / 2, 0], [2 * CROWN.x + 16, CROWN.y + 60, 2 * CROWN.z + 16]),
      step: 2,
      reach: REACH,
      normalOffset: 2,
      hasSurfaceCoordinates: true,
    },
    ({ x, y, z, normal }, node) => {
      const angle = Math.atan2(x, -z);
      node.across = angle * Math.sqrt(x * x + z * z);
      node.down = PRINT.y + LEAN * (y - PRINT.y);
      node.light =
        0.98 *
        exposedLight(normal) *
        seams(angle, y) *
        (1 - 0.36 * Math.exp(-Math.max(0, brimSolid(x, y, z)) / 16)) *
        (1 - 0.3 * Math.exp(-(TABLE - y) / 22));
      node.gloss = 0.03 * Math.max(0, node.light - 0.6) ** 1.3;
    },
  );
}

function brimMaps(view: View): Maps {
  return solidMaps(
    view,
    (x, y, z) => Math.max(brimSolid(x, y, z), -5 - crownSolid(x, y, z)),
    {
      box: projectedBox(view, [0, 0, -300], [2 * BRIM.x + 16, 150, 480]),
      step: 1.5,
      reach: REACH,
      normalOffset: 1.5,
      hasSurfaceCoordinates: true,
    },
    ({ x, y, z, normal, ownNormal }, node) => {
      // A ray that enters the crown does not see the brim.
      node.edge = Math.max(node.edge, -1 - crownSolid(x, y, z));
      node.across = x;
      node.down = z + y;
      const inside = -brimEdge(x, z);
      const rows =
        inside > 10 && inside < 112 ? 0.09 * Math.max(0, Math.cos((inside * 2 * Math.PI) / 17)) ** 6 : 0;
      const below = 1 - 0.5 * smoothStep(-0.1, 0.6, ownNormal[1]);
      node.light =
        exposedLight(normal) *
        below *
        (1 - rows) *
        (1 - 0.4 * Math.exp(-Math.max(0, crownSolid(x, y, z)) / 20)) *
        (1 + 0.06 * bell(inside, 4, 3) - 0.12 * bell(inside, 9, 1.6));
      node.gloss = 0.03 * Math.max(0, node.light - 0.6) ** 1.3;
    },
  );
}

function buttonMaps(view: View): Maps {
  return solidMaps(
    view,
    (x, y, z) => Math.hypot(x, 1.5 * (y + CROWN.y + 2), z) - 17,
    { box: projectedBox(view, [0, -CROWN.y, 0], [40, 40, 40]), step: 1, reach: REACH },
    ({ normal }, node) => {
      node.light = exposedLight(normal);
    },
  );
}

/** Seams from the button down, with a row of stitches on both sides; an eyelet in every panel except the front. */
function seams(angle: number, y: number): number {
  const around = Math.sqrt(Math.max(0.02, 1 - (Math.max(0, -y) / CROWN.y) ** 2.5)) * CROWN.x;
  let nearest = Infinity;
  for (const seam of [SEAM, 1.9, Math.PI])
    nearest = Math.min(nearest, Math.abs(Math.abs(angle) - seam) * around);
  const eyelet = Math.hypot((Math.abs(angle) - 1.36) * around, y + 0.66 * CROWN.y);
  return (
    (1 - 0.26 * bell(nearest, 0, 2.2) + 0.05 * bell(nearest, 5, 3) - 0.1 * bell(nearest, 10, 1.6)) *
    (1 - 0.14 * bell(eyelet, 9, 3) - 0.75 * smoothStep(5, 3, eyelet))
  );
}
