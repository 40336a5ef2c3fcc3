import { type Cloth, computeCloth } from '../cloth.ts';
import { type Field, fieldOf, valueAt } from '../field.ts';
import { evaluateMaps, type Maps } from '../layer.ts';
import { bell, hypot2, type LinearRgb, smoothStep } from '../light.ts';
import { noise } from '../noise.ts';
import { distanceField, polylineField } from '../outline.ts';
import { castShadows, fitArt, type Product, type ViewName } from '../scene.ts';
import { plainWeave } from '../texture.ts';
import { boundingBox, createView, intersectPlane, type Point2, type Pose, type View } from '../view.ts';
import { BACK_STRAP, BAG, FOLDS, FRONT_STRAP } from './tote_shape.ts';

const HEM = 40;
/** Half the width of a strap, and the distance between the two sides of the bag. */
const STRAP = 15;
const GAP = 34;
/** The opening: an ellipse on the upper edge; its far half is visible. */
const MOUTH = { y: 354, across: 263, down: 12 };
const PRINT = { x: 500, y: 664, width: 396, height: 430 };
/** Raw cotton, linear RGB. */
const COTTON: LinearRgb = [0.72, 0.64, 0.5];
const MIDDLE = { x: 500, y: 500 };
const POSES: Record<ViewName, Pose> = {
  front: { x: 500, y: 496, distance: 3600, scale: 0.93 },
  angle: { x: 500, y: 492, yaw: 0.56, pitch: 0.05, distance: 1900, scale: 0.92 },
};

interface BagFields {
  readonly bag: Field;
  readonly front: Field;
  readonly back: Field;
  readonly cloth: Cloth;
}
let fields: BagFields | undefined;
interface BagMaps {
  readonly backStrap: Maps;
  readonly mouth: Maps;
  readonly side: Maps;
  readonly bag: Maps;
  readonly frontStrap: Maps;
  readonly shadow: Field;
}
const cache = new Map<ViewName, BagMaps>();

/** A raw cotton bag hanging by its straps in front of a wall. */
export const toteBag: Product = {
  placement: () => ({ box: PRINT, fit: 'contain' }),
  scene(art, { view: name, color = COTTON, density }) {
    fields ??= bagFields();
    if (!cache.has(name)) cache.set(name, bagMaps(createView(POSES[name]), fields));
    const { backStrap, mouth, side, bag, frontStrap, shadow } = cache.get(name)!;
    const texture = plainWeave(density);
    const size = fitArt(art, PRINT);
    // Ink sinks into raw cloth, so the cloth shows through slightly.
    const print = { art, x: PRINT.x, y: PRINT.y, ...size, gain: 0.86, floor: 0.016 };
    return {
      shadow,
      layers: [
        { maps: backStrap, color, texture },
        { maps: mouth, color, texture },
        { maps: side, color, texture },
        { maps: bag, color, texture, print },
        { maps: frontStrap, color, texture },
      ],
    };
  },
};

function bagFields(): BagFields {
  const drawn = distanceField(BAG);
  const bag = fieldOf(
    (x, y) => valueAt(drawn, x, y) + 2.2 * noise(x / 90, y / 90, 81) + 0.7 * noise(x / 26, y / 26, 82),
  );
  const sway = (line: Field) =>
    fieldOf((x, y) =>
      valueAt(line, x + 1.6 * noise(x / 60, y / 60, 83), y + 1.6 * noise(x / 60, y / 60, 84)),
    );
  return {
    bag,
    front: sway(polylineField([FRONT_STRAP])),
    back: sway(polylineField([BACK_STRAP])),
    cloth: computeCloth({ folds: FOLDS, waves: 24, creases: 4.5, outline: bag, thickness: 11, seed: 300 }),
  };
}

/** Position on the bag of a scene position, at a depth behind its front. */
function unprojection(view: View, depth: number): (x: number, y: number) => Point2 {
  const hit = intersectPlane(view, depth);
  return (x, y) => {
    const [px, py] = hit(x, y);
    return [px + MIDDLE.x, py + MIDDLE.y];
  };
}

const boxOf = (view: View, points: readonly Point2[], depth: number, margin: number) =>
  boundingBox(
    points.map(([x, y]) => view.project(x - MIDDLE.x, y - MIDDLE.y, depth)),
    margin,
  );

function bagMaps(view: View, shape: BagFields): BagMaps {
  const { bag, front, back } = shape;
  const narrow = Math.abs(view.toCamera(1, 0, 0)[0]);
  const onFront = unprojection(view, 0);
  const onBack = unprojection(view, GAP);
  const between = unprojection(view, GAP * 0.5);
  const strapMaps = (line: readonly Point2[], field: Field, depth: number) => {
    const position = unprojection(view, depth);
    return evaluateMaps(
      { box: boxOf(view, line, depth, 24), step: 1, hasSurfaceCoordinates: true },
      (x, y, node) => {
        const [px, py] = position(x, y);
        const distance = valueAt(field, px, py);
        const isBehind = depth > 0;
        const end = isBehind ? py - 364 : py - 436;
        node.edge = Math.max(narrow * (distance - STRAP), end);
        // The weave runs along the strap.
        node.across = py;
        node.down = px;
        const shade = isBehind ? 0.68 * (1 - 0.5 * smoothStep(290, 352, py)) : strapStitches(px, py);
        node.light = shade * strapLight(distance, px, py);
      },
    );
  };
  const mouth = evaluateMaps({ box: boxOf(view, BAG, GAP / 2, 20), step: 2 }, (x, y, node) => {
    const [px, py] = between(x, y);
    const beyond = hypot2((px - 500) / MOUTH.across, (py - MOUTH.y) / MOUTH.down) - 1;
    node.edge = Math.max(beyond * MOUTH.down, y - 420);
    node.light = 0.36 + 0.12 * smoothStep(MOUTH.y, MOUTH.y - MOUTH.down, py);
  });
  const covers = (x: number, y: number) => {
    const [px, py] = onFront(x, y);
    const [bx, by] = onBack(x, y);
    const minimum = Math.min(
      valueAt(bag, px, py),
      valueAt(bag, bx, by),
      valueAt(front, px, py) - STRAP,
      valueAt(back, bx, by) - STRAP,
    );
    return smoothStep(2, -2, minimum);
  };
  return {
    backStrap: strapMaps(BACK_STRAP, back, GAP),
    mouth,
    side: sideMaps(view, bag, narrow),
    bag: clothMaps(view, shape, narrow),
    frontStrap: strapMaps(FRONT_STRAP, front, -2),
    shadow: castShadows(covers, [
      { x: 4, y: 6, blur: 7, strength: 0.3 },
      { x: 14, y: 17, blur: 18, strength: 0.24 },
      { x: 32, y: 38, blur: 46, strength: 0.2 },
      { x: 24, y: 36, blur: 95, strength: 0.08 },
    ]),
  };
}

/** The far side of the bag where it shows beside the near one: cloth facing away. */
function sideMaps(view: View, bag: Field, narrow: number): Maps {
  const positions = [0.25, 0.5, 0.75, 1].map((part) => unprojection(view, GAP * part));
  return evaluateMaps({ box: boxOf(view, BAG, GAP / 2, 40), step: 2 }, (x, y, node) => {
    let [edge, deep] = [Infinity, 0];
    for (const [at, position] of positions.entries()) {
      const [px, py] = position(x, y);
      // The two sides converge towards the top and the bottom.
      const slim = smoothStep(340, 520, py) * smoothStep(965, 800, py);
      const distance = valueAt(bag, px, py) + (1 - slim) * 14 * ((at + 1) / 4);
      if (distance < edge) [edge, deep] = [distance, at / 4];
    }
    node.edge = narrow * edge;
    node.light = 0.62 - 0.24 * deep;
  });
}

function clothMaps(view: View, { bag, front, cloth }: BagFields, narrow: number): Maps {
  const position = unprojection(view, 0);
  return evaluateMaps(
    { box: boxOf(view, BAG, 0, 12), step: 2, hasGloss: true, hasSurfaceCoordinates: true },
    (x, y, node) => {
      const [px, py] = position(x, y);
      node.edge = (narrow > 0.95 ? 1 : 0.92) * valueAt(bag, px, py);
      node.across = px + valueAt(cloth.displacementX, px, py);
      node.down = py + valueAt(cloth.displacementY, px, py);
      const strap = Math.max(0, valueAt(front, px - 4, py - 6) - STRAP);
      const nearStrap = py < 448 ? 1 - 0.3 * Math.exp(-strap / 7) * smoothStep(448, 436, py) : 1;
      node.light =
        valueAt(cloth.shade, px, py) *
        hemShade(px, py) *
        nearStrap *
        (1.04 - 0.07 * smoothStep(350, 950, py) - 0.06 * smoothStep(220, 780, px));
      node.gloss = 0.035 * Math.max(0, node.light - 0.6) ** 1.3;
    },
  );
}

/** A flat strap of two layers with a row of stitches along each edge; its right side faces away from the light. */
function strapLight(distance: number, x: number, y: number): number {
  const edge = STRAP - distance;
  const stitch = 0.16 * bell(edge, 4, 0.9) * (Math.sin((x + y) * 1.05) > -0.2 ? 1 : 0.35);
  const round = 0.2 * Math.exp(-Math.max(0, edge) / 1.6);
  const twist = 0.09 * noise(x / 46, y / 70, 85) - 0.09 * smoothStep(440, 660, x);
  return 0.97 - round - stitch + twist;
}

/** Where a strap is sewn on: a square with a cross. */
function strapStitches(x: number, y: number): number {
  if (y < 374) return 1;
  const [dx, dy] = [Math.abs(Math.abs(x - 500) - 149), y - 405];
  if (dx > 14 || Math.abs(dy) > 25) return 1;
  const square = Math.min(Math.abs(dx - 11), Math.abs(Math.abs(dy) - 23));
  const cross = Math.abs(dx * 23 - Math.abs(dy) * 11) / 25.5;
  return 1 - 0.24 * bell(Math.min(square, cross), 0, 1) * (Math.sin((x + y) * 1.3) > -0.4 ? 1 : 0.4);
}

/** The hem around the opening, with its row of stitches; the cloth above it is doubled. */
function hemShade(x: number, y: number): number {
  const hem = y - (356 - 0.00013 * (x - 500) ** 2) - HEM;
  if (hem > 20) return 1;
  const stitch = 0.15 * bell(hem, -3.5, 1) * (Math.sin(x * 1.05) > -0.2 ? 1 : 0.35);
  return 1 - stitch - 0.11 * bell(hem, 1.6, 2.6) + 0.03 * smoothStep(2, -12, hem);
}
