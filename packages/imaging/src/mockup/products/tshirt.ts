import { type Cloth, computeCloth } from '../cloth.ts';
import { type Field, fieldOf, valueAt } from '../field.ts';
import { evaluateMaps, type Maps } from '../layer.ts';
import { bell, coverage, type LinearRgb, smoothStep } from '../light.ts';
import { noise } from '../noise.ts';
import { distanceField, polylineField } from '../outline.ts';
import { castShadows, type Product, type ViewName } from '../scene.ts';
import { jersey } from '../texture.ts';
import { createView, type Pose, type View } from '../view.ts';
import { layOut, printOnCloth } from './garment.ts';
import { FOLDS, HEMS, NECK, neckDistance, OUTLINE, SEAMS } from './tshirt_shape.ts';

const COLLAR = 20;
const PRINT = { x: 500, y: 232, width: 322, height: 430 };
/** White cotton, linear RGB. */
const COTTON: LinearRgb = [0.82, 0.82, 0.81];
/** Coordinates are those of the front view; the camera turns about this centre. */
const MIDDLE = { x: 500, y: 520 };
const POSES: Record<ViewName, Pose> = {
  front: { x: 500, y: 506, distance: 4000 },
  angle: { x: 505, y: 462, yaw: -0.2, pitch: -0.62, roll: -0.3, distance: 1750 },
};

interface ShirtFields {
  readonly outline: Field;
  readonly seam: Field;
  readonly hem: Field;
  readonly cloth: Cloth;
}
let fields: ShirtFields | undefined;
interface ShirtMaps {
  readonly back: Maps;
  readonly front: Maps;
  readonly shadow: Field;
}
const cache = new Map<ViewName, ShirtMaps>();

/** A shirt laid out on a table. Its maps are the same for every artwork and are cached. */
export const tshirt: Product = {
  placement: () => ({ box: PRINT, fit: 'contain' }),
  scene(art, { view: name, color = COTTON, density }) {
    fields ??= shirtFields();
    if (!cache.has(name)) cache.set(name, shirtMaps(createView(POSES[name]), fields));
    const { back, front, shadow } = cache.get(name)!;
    const texture = jersey(density);
    const print = printOnCloth(art, PRINT);
    return {
      shadow,
      layers: [
        { maps: back, color, texture },
        { maps: front, color, texture, print },
      ],
    };
  },
};

function shirtFields(): ShirtFields {
  const drawn = distanceField(OUTLINE);
  // Hems are never quite straight.
  const outline = fieldOf(
    (x, y) => valueAt(drawn, x, y) + 2.4 * noise(x / 75, y / 75, 71) + 0.9 * noise(x / 24, y / 24, 72),
  );
  return {
    outline,
    seam: polylineField(SEAMS),
    hem: polylineField(HEMS),
    cloth: computeCloth({ folds: FOLDS, waves: 26, creases: 5.5, outline, thickness: 10, seed: 100 }),
  };
}

function shirtMaps(view: View, shirt: ShirtFields): ShirtMaps {
  const { outline, seam, hem, cloth } = shirt;
  const { position, boxAround, spread } = layOut(view, MIDDLE);
  const box = boxAround(OUTLINE, 12);
  const front = evaluateMaps({ box, step: 2, hasGloss: true, hasSurfaceCoordinates: true }, (x, y, node) => {
    const [px, py] = position(x, y);
    const neck = neckDistance(px, py);
    node.edge = spread(x, y) * Math.max(valueAt(outline, px, py), -neck);
    node.across = px + valueAt(cloth.displacementX, px, py);
    node.down = py + valueAt(cloth.displacementY, px, py);
    const folded = valueAt(cloth.shade, px, py);
    node.light =
      (1 + (folded - 1) * smoothStep(2, COLLAR + 18, neck)) *
      collarShade(neck, px, py) *
      seamShade(valueAt(seam, px, py), valueAt(hem, px, py), px + 0.4 * py);
    // Fuzz on the cloth catches light from the side.
    node.gloss = 0.045 * Math.max(0, node.light - 0.6) ** 1.3;
  });
  const back = evaluateMaps(
    { box: boxAround(NECK_BOX, 4), step: 1, hasSurfaceCoordinates: true },
    (x, y, node) => {
      const [px, py] = position(x, y);
      node.edge = spread(x, y) * Math.max(valueAt(outline, px, py), neckDistance(px, py) - 12);
      node.across = px;
      node.down = py;
      node.light = backShade(px, py);
    },
  );
  const isCloth = (x: number, y: number) => smoothStep(2, -2, valueAt(outline, ...position(x, y)));
  return {
    front,
    back,
    shadow: castShadows(isCloth, [
      { x: 1.5, y: 2.5, blur: 4, strength: 0.42 },
      { x: 6, y: 8, blur: 10, strength: 0.26 },
      { x: 14, y: 20, blur: 28, strength: 0.18 },
      { x: 10, y: 20, blur: 80, strength: 0.09 },
    ]),
  };
}

const NECK_BOX = [-1, 1].flatMap((side) =>
  [80, 215].map((y) => [MIDDLE.x + side * (NECK.across + 16), y] as const),
);

/** The knitted neckband: ribs, a groove at its seam, and a soft rounding. */
function collarShade(neck: number, x: number, y: number): number {
  if (neck > COLLAR + 14) return 1;
  const across = neck / COLLAR;
  if (across > 1) {
    const past = neck - COLLAR;
    return 1 - 0.2 * Math.exp(-past / 2.2) + 0.05 * bell(past, 5.5, 3);
  }
  const ribs = 1 + 0.035 * Math.sin(Math.atan2(y - NECK.y, x - NECK.x) * 250);
  const round = 0.82 + 0.2 * Math.sin(Math.PI * Math.max(0, Math.min(1, across * 0.92 + 0.04)));
  return ribs * round * (1 - 0.16 * smoothStep(0.86, 1, across));
}

/** The inside of the back: in shadow, with its half of the collar, a tape over the seam, and a label. */
function backShade(x: number, y: number): number {
  const upper = y - 128 - 0.0011 * (x - 500) ** 2;
  const depth = smoothStep(-6, 46, upper);
  const band = smoothStep(COLLAR + 1.2, COLLAR, upper);
  const ribs = 1 + band * 0.03 * Math.sin(x * 1.9);
  const seam = 1 - 0.2 * bell(upper, COLLAR + 1.5, 1.6) + 0.06 * bell(upper, COLLAR + 5, 3);
  const under = 1 - 0.42 * smoothStep(16, 0, -neckDistance(x, y));
  const label = coverage(Math.max(Math.abs(x - 500) - 19, Math.abs(upper - COLLAR - 13) - 9), 1.4);
  return ((0.62 + 0.12 * band - 0.1 * depth) * ribs * seam * (1 - label) + label * 0.78) * under;
}

/** Sleeve seams, and double rows of stitches along the hems, by the distances to both. */
function seamShade(seam: number, hem: number, along: number): number {
  let shade = 1;
  if (seam < 16) shade += 0.06 * bell(seam, 4.5, 2.6) - 0.22 * bell(seam, 0, 1.8);
  if (hem > 40) return shade;
  const thread = Math.sin(along * 1.3) > -0.3 ? 0.1 : 0.03;
  shade -= thread * (bell(hem, 17, 1.1) + bell(hem, 21.5, 1.1));
  return shade - 0.09 * bell(hem, 19, 5) + 0.035 * bell(hem, 27, 4);
}
