import { coverOrContain } from '../art.ts';
import { type Cloth, computeCloth, fold } from '../cloth.ts';
import { type Field, fieldOf, valueAt } from '../field.ts';
import { centrePrint, type Maps } from '../layer.ts';
import { bell, hypot2, type LinearRgb, smoothStep } from '../light.ts';
import { cached } from '../map_cache.ts';
import type { Product, ViewName } from '../scene.ts';
import { projectedBox, type Solid, solidMaps, solidShadow } from '../solid.ts';
import { diffuseLight } from '../studio.ts';
import { plainWeave } from '../texture.ts';
import { createView, type Pose } from '../view.ts';

/** A cushion of 45 × 45 cm: half its side, and how far each face bulges from the seam. */
const HALF = 345;
const BULGE = 150;
/** The sides curve inwards between the corners, pulled by the filling. */
const PULLED_IN = 0.05;
const CORD = 6;
const COVER = { width: 2 * HALF, height: 2 * HALF };
const MOTIF_SHARE = 0.6;
/** Cotton, linear RGB. */
const COTTON: LinearRgb = [0.79, 0.78, 0.75];
const POSES: Record<ViewName, Pose> = {
  front: { x: 500, y: 496, pitch: 0.05, distance: 3000 },
  angle: { x: 500, y: 486, yaw: 0.5, pitch: 0.22, distance: 2200 },
};
const FLOOR = HALF + 3;

/** Coordinates on the cover, -1 to 1, and the bulge there. */
function coverAt(x: number, y: number): readonly [u: number, v: number, height: number] {
  const [sx, sy] = [Math.min(1, Math.abs(x) / HALF), Math.min(1, Math.abs(y) / HALF)];
  const u = x / (HALF * (1 - PULLED_IN * (1 - sy * sy)));
  // It stands on its lower side.
  const v = y / (HALF * (1 - (y > 0 ? 0.3 : 1) * PULLED_IN * (1 - sx * sx)));
  const full = Math.max(0, (1 - u * u) * (1 - v * v));
  return [u, v, BULGE * Math.sqrt(full)];
}

/** Signed distance to the seam in its plane, negative inside. */
const beyondSeam = (u: number, v: number): number => HALF * (Math.max(Math.abs(u), Math.abs(v)) - 1);

const coverSolid: Solid = (x, y, z) => {
  const [u, v, height] = coverAt(x, y);
  const beyond = beyondSeam(u, v);
  return 0.8 * (beyond > 0 ? hypot2(beyond, z) : Math.max(0.4 * (Math.abs(z) - height), beyond));
};

/** The piping sewn into the seam. */
const cordSolid: Solid = (x, y, z) => {
  const [u, v] = coverAt(x, y);
  const beyond = beyondSeam(u, v);
  return 0.8 * (hypot2(beyond, z) - CORD);
};

/** Folds pulled from the corners and gathered along the seam; scene units, the centre of the cushion is (500, 500). */
const FOLDS = [
  fold([15, 9], 178, 182, 250, 262, 330, 330),
  fold([11, 7], 176, 196, 220, 300, 252, 390),
  fold([11, 7], 200, 174, 300, 214, 400, 240),
  fold([15, 9], 822, 182, 752, 256, 676, 330),
  fold([11, 7], 824, 200, 782, 290, 760, 372),
  fold([10, 6], 800, 176, 712, 216, 620, 236),
  fold([15, 9], 178, 818, 246, 744, 326, 670),
  fold([11, 7], 176, 800, 214, 712, 236, 620),
  fold([11, 7], 204, 824, 296, 786, 390, 764),
  fold([15, 9], 822, 818, 748, 744, 668, 668),
  fold([10, 7], 826, 796, 788, 704, 766, 612),
  fold([11, 6], 798, 826, 704, 790, 610, 766),
  fold([12, 5], 470, 206, 462, 262, 466, 320),
  fold([12, 5], 566, 204, 570, 256, 564, 304),
  fold([12, 5], 206, 470, 262, 476, 318, 472),
  fold([12, 5], 794, 540, 742, 536, 690, 540),
  fold([12, 5], 440, 796, 448, 744, 444, 690),
  fold([12, 5], 560, 798, 554, 742, 560, 700),
];

/** Coordinate on the flat cloth: towards the seam the cover curves away, so more cloth lies under the same width. */
const clothCoordinate = (value: number): number => HALF * (0.93 * value + 0.07 * value ** 5);

let folded: Cloth | undefined;

/** A filled cushion with piping, standing on a table; an image fills its face. */
export const cushion: Product = {
  placement: (art) => coverOrContain(art, { box: COVER, part: MOTIF_SHARE }),
  scene(art, { view: name, color = COTTON, density }) {
    const { maps, cord, shadow } = cached(`cushion ${name}`, () => cushionMaps(name));
    const print = centrePrint(art, COVER, { gain: 0.88, floor: 0.012, part: MOTIF_SHARE });
    const cloth = { color, texture: plainWeave(density) };
    return {
      shadow,
      layers: [
        // A full-size print is applied before the cover is cut, so it continues on the piping.
        { ...cloth, maps: cord, ...(art.fit === 'cover' && { print }) },
        { ...cloth, maps, print },
      ],
    };
  },
};

function cushionMaps(name: ViewName): { maps: Maps; cord: Maps; shadow: Field } {
  const view = createView(POSES[name]);
  const outline = fieldOf((x, y) => {
    const [u, v] = coverAt(x - 500, y - 500);
    return beyondSeam(u, v);
  });
  folded ??= computeCloth({ folds: FOLDS, waves: 20, creases: 3.5, outline, thickness: 1, seed: 500 });
  const { shade, displacementX, displacementY } = folded;
  const box = projectedBox(view, [0, 0, 0], [2 * HALF + 20, 2 * HALF + 20, 2 * BULGE]);
  const maps = solidMaps(
    view,
    coverSolid,
    { box, step: 2, reach: 520, normalOffset: 3, hasSurfaceCoordinates: true },
    (hit, node) => {
      const [u, v] = coverAt(hit.x, hit.y);
      const [sx, sy] = [500 + hit.x, 500 + hit.y];
      const seam = -beyondSeam(u, v);
      node.across = clothCoordinate(u) + valueAt(displacementX, sx, sy);
      node.down = clothCoordinate(v) + valueAt(displacementY, sx, sy);
      const shaded = 1 + (valueAt(shade, sx, sy) - 1) * smoothStep(2, 26, seam);
      node.light =
        0.94 *
        diffuseLight(...hit.normal) *
        shaded *
        (1 - 0.28 * bell(seam, 7, 5)) *
        (1 - 0.3 * Math.exp(-(FLOOR - hit.y) / 40) - 0.08 * smoothStep(-100, FLOOR, hit.y));
      node.gloss = 0.03 * Math.max(0, node.light - 0.6) ** 1.3;
    },
  );
  const cord = solidMaps(
    view,
    cordSolid,
    { box, step: 1.5, reach: 520, hasSurfaceCoordinates: true },
    (hit, node) => {
      const [u, v] = coverAt(hit.x, hit.y);
      node.across = clothCoordinate(u);
      node.down = clothCoordinate(v);
      node.light = 0.94 * diffuseLight(...hit.normal) * (1 - 0.3 * Math.exp(-(FLOOR - hit.y) / 40));
    },
  );
  return { maps, cord, shadow: solidShadow(view, coverSolid, { plane: 'y', at: FLOOR, reach: 520 }) };
}
