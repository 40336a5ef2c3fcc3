import { type ArtProperties, coverOrContain } from '../art.ts';
import { type Box, convexDistance } from '../convex.ts';
import { intersectCylinder, projectCircle } from '../cylinder.ts';
import { centrePrint, evaluateMaps, type Layer, type Maps } from '../layer.ts';
import { bell, type LinearRgb, smoothStep } from '../light.ts';
import { cached } from '../map_cache.ts';
import { fitArt, type Product, type ViewName } from '../scene.ts';
import { exposedLight, sheen } from '../slab.ts';
import { projectedBox, type Solid, solidMaps, solidShadow } from '../solid.ts';
import { normalise } from '../studio.ts';
import { unevenCoat } from '../texture.ts';
import { boundingBox, convexHull, createView, type Pose, type View } from '../view.ts';

/** A spirits bottle, 94 mm in diameter and 252 mm tall, in scene units; its axis is x = z = 0, y = 0 is half its height. */
const RADIUS = 158;
const [TOP, FOOT] = [-425, 425];
/** y where the body ends and where the neck begins, and the radius of the neck. */
const [SHOULDER, NECK, NECK_RADIUS] = [-150, -268, 50];
const STOPPER = { top: TOP, bottom: -318, radius: 60 };
/** Largest label: its arc length and its height. */
const LABEL = { width: 2 * 1.12 * RADIUS, height: 400 };
const LABEL_Y = 150;
const MOTIF_LABEL = { width: 310, height: 300 };
const MOTIF_SHARE = 0.76;
/** Dark glass, stopper and label paper, linear RGB. */
const GLASS: LinearRgb = [0.013, 0.016, 0.011];
const CORK: LinearRgb = [0.02, 0.018, 0.017];
const PAPER: LinearRgb = [0.86, 0.855, 0.835];
const POSES: Record<ViewName, Pose> = {
  front: { x: 500, y: 500, pitch: 0.1, distance: 2900 },
  angle: { x: 500, y: 505, yaw: 0.42, pitch: 0.3, distance: 2200 },
};

/** The label has the aspect ratio of an image; a motif is placed on a label of fixed size. */
const labelSize = ({ isMotif, ...art }: ArtProperties): Box => (isMotif ? MOTIF_LABEL : fitArt(art, LABEL));

/** A dark glass bottle on a table; the artwork is the paper label around it. */
export const bottle: Product = {
  placement: (art) => coverOrContain(art, { box: labelSize(art), part: MOTIF_SHARE }),
  scene(art, { view: name, color = GLASS, density }) {
    const view = createView(POSES[name]);
    const label = labelSize({ width: art.width, height: art.height, isMotif: art.fit === 'contain' });
    const { shadow, glass, stopper } = cached(`bottle ${name}`, () => ({
      shadow: solidShadow(view, bottleSolid, { plane: 'y', at: FOOT, reach: 470 }),
      glass: glassMaps(view),
      stopper: stopperMaps(view),
    }));
    return {
      shadow,
      layers: [
        { maps: glass, color },
        { maps: stopper, color: CORK },
        {
          ...labelLayer(view, label),
          texture: unevenCoat(density),
          print: centrePrint(art, label, { gain: 0.92, floor: 0.008, part: MOTIF_SHARE }),
        },
      ],
    };
  },
};

/** Radius of the glass at a height: a round shoulder that narrows quickly to the neck. */
function radiusAt(y: number): number {
  if (y < NECK) return NECK_RADIUS;
  const foot = Math.max(0, 16 - (FOOT - y)) / 16;
  const drawn = Math.max(0, SHOULDER - y) / (SHOULDER - NECK);
  return NECK_RADIUS + (RADIUS - NECK_RADIUS) * Math.sqrt(Math.max(0, 1 - drawn ** 2.2)) - 9 * foot * foot;
}

/** Signed distance to the outline of body and neck, each of which is convex. */
function bottleOutline(view: View): (x: number, y: number) => number {
  const around = (from: number, to: number, count: number) =>
    convexDistance(
      convexHull(
        Array.from({ length: count }, (_, at) => from + (to - from) * (at / (count - 1)) ** 2.5).flatMap(
          (y) => projectCircle(view, y, radiusAt(y)),
        ),
      ),
    );
  const body = around(NECK + 0.5, FOOT, 90);
  const neck = around(STOPPER.bottom - 4, NECK, 2);
  return (x, y) => Math.min(body(x, y), neck(x, y));
}

const bottleSolid: Solid = (x, y, z) => {
  const out = Math.sqrt(x * x + z * z) - radiusAt(Math.max(STOPPER.bottom, Math.min(FOOT, y)));
  return Math.max(0.55 * out, y - FOOT, STOPPER.bottom - 4 - y);
};

const stopperSolid: Solid = (x, y, z) => {
  const [out, middle] = [Math.sqrt(x * x + z * z), (STOPPER.top + STOPPER.bottom) / 2];
  const dx = out - STOPPER.radius + 7;
  const dy = Math.abs(y - middle) - (STOPPER.bottom - STOPPER.top) / 2 + 7;
  const [ox, oy] = [Math.max(dx, 0), Math.max(dy, 0)];
  return Math.sqrt(ox * ox + oy * oy) + Math.min(Math.max(dx, dy), 0) - 7;
};

function glassMaps(view: View): Maps {
  const box = projectedBox(
    view,
    [0, (STOPPER.bottom + FOOT) / 2, 0],
    [2 * RADIUS, FOOT - STOPPER.bottom, 2 * RADIUS],
  );
  const maps = solidMaps(
    view,
    bottleSolid,
    { box, step: 2, reach: 470, edge: bottleOutline(view) },
    ({ y, normal, direction }, node) => {
      node.light = exposedLight(normal) * (1 - 0.3 * Math.exp(-(FOOT - y) / 14));
      // At grazing angles, light comes through the glass wall.
      const facing = Math.abs(normal[0] * direction[0] + normal[1] * direction[1] + normal[2] * direction[2]);
      node.light *= 1 + 1.2 * (1 - facing) ** 3;
      node.gloss =
        smoothStep(0.02, 0.3, facing) *
        2.6 *
        Math.max(0.003, sheen(normal, direction, 0.24) - 0.011) *
        (0.6 + 0.4 * smoothStep(0, 90, FOOT - y));
    },
  );
  return maps;
}

function stopperMaps(view: View): Maps {
  const box = projectedBox(
    view,
    [0, (STOPPER.top + STOPPER.bottom) / 2, 0],
    [2 * STOPPER.radius, STOPPER.bottom - STOPPER.top, 2 * STOPPER.radius],
  );
  const maps = solidMaps(
    view,
    stopperSolid,
    { box, step: 1.5, reach: 470 },
    ({ y, normal, direction }, node) => {
      node.light = exposedLight(normal) * (1 - 0.5 * Math.exp(-(STOPPER.bottom - y) / 6));
      node.gloss = 0.35 * sheen(normal, direction, 0.3);
    },
  );
  return maps;
}

/** The paper label on a cylinder. */
function labelLayer(view: View, { width, height }: Box): Layer {
  const [radius, half] = [RADIUS + 0.4, width / 2 / RADIUS];
  const arc = [-1, 1].flatMap((side) =>
    Array.from({ length: 49 }, (_, at) => {
      const turn = half * (at / 24 - 1);
      return view.project(radius * Math.sin(turn), LABEL_Y + (side * height) / 2, -radius * Math.cos(turn));
    }),
  );
  const box = boundingBox(convexHull(arc));
  const onBottle = convexDistance(
    convexHull([-1, 1].flatMap((end) => projectCircle(view, LABEL_Y + (end * (height + 80)) / 2, radius))),
  );
  const direction = new Float64Array(3);
  const hit = new Float64Array(4);
  const maps = evaluateMaps({ box, step: 2, hasGloss: true, hasSurfaceCoordinates: true }, (x, y, node) => {
    view.ray(x, y, direction);
    intersectCylinder(view.eye, direction, { radius, isFar: false }, hit);
    const [hx, hy, hz] = [hit[0]!, hit[1]!, hit[2]!];
    const normal = view.toCamera(hx / radius, 0, hz / radius);
    node.across = Math.atan2(hx, -hz) * RADIUS;
    node.down = hy - LABEL_Y;
    const [right, below] = [Math.abs(node.across) - width / 2, Math.abs(node.down) - height / 2];
    const facing = Math.abs(normal[2]);
    node.edge = Math.max(right * Math.max(0.12, facing), below, onBottle(x, y));
    const inside = Math.min(-right, -below);
    node.light =
      0.98 * exposedLight(normal) * (1 + 0.05 * bell(inside, 0.5, 1.5)) * (1 - 0.05 * smoothStep(0, 500, hy));
    node.gloss =
      0.1 * sheen(normal, normalise(...view.toCamera(direction[0]!, direction[1]!, direction[2]!)), 0.3);
  });
  return { maps, color: PAPER };
}
