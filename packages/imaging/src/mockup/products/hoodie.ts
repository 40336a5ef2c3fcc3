import { type Cloth, computeCloth } from '../cloth.ts';
import { type Field, fieldOf, valueAt } from '../field.ts';
import { evaluateMaps, type Maps } from '../layer.ts';
import { bell, type LinearRgb, smoothStep } from '../light.ts';
import { cached } from '../map_cache.ts';
import { noise } from '../noise.ts';
import { distanceField, polylineField } from '../outline.ts';
import { castShadows, type Product, type ViewName } from '../scene.ts';
import { jersey } from '../texture.ts';
import { createView, type Pose, type View } from '../view.ts';
import { layOut, printOnCloth } from './garment.ts';
import { CORDS, FOLDS, HOOD, hoodDistance, OUTLINE, POCKET, SEAMS } from './hoodie_shape.ts';

/** Between the cords and the pocket. */
const PRINT = { x: 500, y: 362, width: 272, height: 284 };
const CORD = 5;
/** Brushed cotton, heather grey, linear RGB. */
const FLEECE: LinearRgb = [0.46, 0.46, 0.465];
const MIDDLE = { x: 500, y: 520 };
const POSES: Record<ViewName, Pose> = {
  front: { x: 500, y: 516, distance: 4000 },
  angle: { x: 505, y: 470, yaw: -0.2, pitch: -0.62, roll: -0.3, distance: 1750 },
};

interface HoodieFields {
  readonly outline: Field;
  readonly seam: Field;
  readonly pocket: Field;
  readonly cords: Field;
  readonly cloth: Cloth;
}
let fields: HoodieFields | undefined;
interface HoodieMaps {
  readonly inside: Maps;
  readonly front: Maps;
  readonly cords: Maps;
  readonly shadow: Field;
}

/** A hooded sweatshirt laid out on a table. Its maps are the same for every artwork and are cached. */
export const hoodie: Product = {
  placement: () => ({ box: PRINT, fit: 'contain' }),
  scene(art, { view: name, color = FLEECE, density }) {
    fields ??= hoodieFields();
    const shape = fields;
    const { inside, front, cords, shadow } = cached(`hoodie ${name}`, () =>
      hoodieMaps(createView(POSES[name]), shape),
    );
    const texture = jersey(density);
    const print = printOnCloth(art, PRINT);
    return {
      shadow,
      layers: [
        { maps: inside, color, texture },
        { maps: front, color, texture, print },
        { maps: cords, color: color.map((value) => 0.06 + 0.88 * value) as unknown as LinearRgb },
      ],
    };
  },
};

function hoodieFields(): HoodieFields {
  const drawn = distanceField(OUTLINE);
  // Edges of thick cloth are never quite straight.
  const outline = fieldOf(
    (x, y) => valueAt(drawn, x, y) + 2.6 * noise(x / 80, y / 80, 171) + 0.8 * noise(x / 26, y / 26, 172),
  );
  return {
    outline,
    seam: polylineField(SEAMS),
    pocket: distanceField(POCKET),
    cords: polylineField(CORDS),
    cloth: computeCloth({ folds: FOLDS, waves: 30, creases: 3.2, outline, thickness: 19, seed: 700 }),
  };
}

function hoodieMaps(view: View, hoodie: HoodieFields): HoodieMaps {
  const { outline, seam, pocket, cords, cloth } = hoodie;
  const { position, boxAround, spread } = layOut(view, MIDDLE);
  const front = evaluateMaps(
    { box: boxAround(OUTLINE, 12), step: 2, hasGloss: true, hasSurfaceCoordinates: true },
    (x, y, node) => {
      const [px, py] = position(x, y);
      const opening = hoodDistance(px, py);
      node.edge = spread(x, y) * Math.max(valueAt(outline, px, py), -opening);
      node.across = px + valueAt(cloth.displacementX, px, py);
      node.down = py + valueAt(cloth.displacementY, px, py);
      const rib = ribAt(px, py);
      const folded = 1 + (valueAt(cloth.shade, px, py) - 1) * (1 - 0.5 * rib);
      node.light =
        folded *
        hoodShade(opening) *
        seamShade(valueAt(seam, px, py), px + 0.4 * py) *
        pocketShade(valueAt(pocket, px, py), px, py) *
        (1 - rib * 0.13 * (0.5 + 0.5 * Math.sin(ribPhase(px, py)))) *
        (1 - 0.3 * Math.exp(-Math.max(0, valueAt(cords, px - 3, py - 4) - CORD) / 4));
      node.gloss = 0.04 * Math.max(0, node.light - 0.6) ** 1.3;
    },
  );
  const inside = evaluateMaps(
    { box: boxAround(HOOD_BOX, 6), step: 1, hasSurfaceCoordinates: true },
    (x, y, node) => {
      const [px, py] = position(x, y);
      node.edge = spread(x, y) * (hoodDistance(px, py) - 10);
      node.across = py;
      node.down = px;
      node.light = insideShade(px, py);
    },
  );
  const strings = evaluateMaps({ box: boxAround(CORDS.flat(), 14), step: 1 }, (x, y, node) => {
    const [px, py] = position(x, y);
    const distance = valueAt(cords, px, py);
    node.edge = spread(x, y) * (distance - CORD);
    const twist = Math.sin(0.9 * py + 0.5 * px);
    node.light = (1.06 - 0.42 * (distance / CORD) ** 2) * (0.94 + 0.08 * twist);
  });
  const isCloth = (x: number, y: number) => smoothStep(2, -2, valueAt(outline, ...position(x, y)));
  return {
    inside,
    front,
    cords: strings,
    shadow: castShadows(isCloth, [
      { x: 2, y: 3, blur: 5, strength: 0.42 },
      { x: 8, y: 10, blur: 12, strength: 0.28 },
      { x: 17, y: 24, blur: 32, strength: 0.2 },
      { x: 10, y: 20, blur: 80, strength: 0.09 },
    ]),
  };
}

const HOOD_BOX = [-1, 1].flatMap((side) =>
  [HOOD.y - HOOD.up - 12, HOOD.y + HOOD.down + 12].map(
    (y) => [HOOD.x + side * (HOOD.across + 12), y] as const,
  ),
);

/** 1 on the ribbing of hem and cuffs. */
function ribAt(x: number, y: number): number {
  const hem = smoothStep(864, 870, y + 0.00012 * (x - 500) ** 2) * (Math.abs(x - 500) < 248 ? 1 : 0);
  const away = Math.abs(x - 500);
  const cuff = away > 290 ? smoothStep(786, 792, y + 0.16 * (away - 340)) : 0;
  return Math.max(hem, cuff);
}

/** Phase of the ribs: vertical at the hem, along the sleeves at the cuffs. */
const ribPhase = (x: number, y: number): number =>
  Math.abs(x - 500) > 290 ? 0.72 * (Math.abs(x - 500) - 0.2 * y) : 0.72 * x;

/** The hem of the hood: two layers of cloth with a row of stitches. */
function hoodShade(opening: number): number {
  if (opening > 34) return 1;
  const round = 1 - 0.3 * Math.exp(-Math.max(0, opening) / 4);
  return round + 0.05 * bell(opening, 9, 5) - 0.13 * bell(opening, 22, 1.6) + 0.04 * bell(opening, 27, 4);
}

/** Inside the hood: the back in shadow, darker further down, with a tape over the neck seam. */
function insideShade(x: number, y: number): number {
  const deep = -hoodDistance(x, y);
  const under = 1 - 0.5 * Math.exp(-Math.max(0, deep) / 22) * (x + 0.6 * y < 600 ? 1 : 0.7);
  const middle = 1 - 0.2 * bell(x, 500 + 3 * Math.sin(y / 40), 2) + 0.05 * bell(x, 506, 5);
  const fall = 0.62 - 0.2 * smoothStep(90, 270, y);
  const crease = 0.06 * noise(x / 34, y / 60, 181);
  return (fall + crease) * under * middle;
}

function seamShade(seam: number, along: number): number {
  if (seam > 22) return 1;
  const thread = Math.sin(along * 1.3) > -0.3 ? 0.08 : 0.03;
  return 1 + 0.06 * bell(seam, 6, 3.4) - 0.26 * bell(seam, 0, 2.2) - thread * bell(seam, 9, 1.1);
}

/** A second layer of cloth: raised at its edges, with gaping hand openings. */
function pocketShade(distance: number, x: number, y: number): number {
  if (Math.abs(distance) > 40) return 1;
  const isOpening = Math.abs(x - 500) > 84 && y < 792;
  const out = Math.max(0, distance);
  const shade =
    (isOpening ? 0.46 : 0.26) *
    Math.exp(-out / (isOpening ? 7 : 4)) *
    (distance > -1 ? 1 : Math.exp((distance + 1) / 1.5));
  const lit = 0.07 * bell(distance, -5, 4);
  const stitch =
    0.12 * bell(distance, isOpening ? -17 : -8, 1.3) * (Math.sin((x + y) * 1.2) > -0.3 ? 1 : 0.4);
  return y > 862 ? 1 : 1 - shade + lit - stitch;
}
