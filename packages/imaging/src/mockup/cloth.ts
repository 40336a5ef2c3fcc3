import { blurField, type Field, fieldOf, gradientOf, SCENE, valueAt } from './field.ts';
import { layeredNoise, noise } from './noise.ts';
import { polylineDistance } from './outline.ts';

/** A fold along a polyline; a negative height is a furrow. Scene units. */
export interface Fold {
  readonly along: readonly (readonly [x: number, y: number])[];
  readonly width: number;
  readonly height: number;
}

/** A fold of the given width and height along points given as x, y, x, y … */
export function fold([width, height]: readonly [number, number], ...positions: readonly number[]): Fold {
  const along = Array.from(
    { length: positions.length / 2 },
    (_, at) => [positions[2 * at]!, positions[2 * at + 1]!] as const,
  );
  return { along, width, height };
}

/** Shading and displacement maps of a piece of cloth. */
export interface Cloth {
  /** Reflected light, 1 where the cloth is flat. */
  readonly shade: Field;
  /** Displacement of the print, in scene units. */
  readonly displacementX: Field;
  readonly displacementY: Field;
}

interface ClothShape {
  readonly folds: readonly Fold[];
  /** Amplitude of the broad waves, and of the small creases between them. */
  readonly waves: number;
  readonly creases: number;
  /** Signed distance to the outline, negative inside; the cloth curves down towards it. */
  readonly outline: Field;
  /** Distance from the outline at which the cloth starts to curve down. */
  readonly thickness: number;
  /** Selects another piece of the same cloth. */
  readonly seed: number;
}

/** Direction of a broad light, low from the top left so that folds show. */
const LIGHT = [-0.52, -0.52, 0.68] as const;
const KEY_SHARE = 0.74;
/** Wrap lighting: the light still reaches this far behind a fold. */
const WRAP = 0.16;
/** Ambient occlusion: darkening per unit of depth below the surroundings, at two radii. */
const OCCLUSION = [
  { radius: 9, strength: 0.035 },
  { radius: 34, strength: 0.016 },
] as const;
/** Displacement of the print per unit of slope. */
const DISPLACEMENT = 15;

/** Computes shading and displacement maps from the folds and creases of a piece of cloth. */
export function computeCloth(shape: ClothShape): Cloth {
  const height = blurField(heightField(shape), 2.2);
  const slopes = gradientOf(height);
  const around = OCCLUSION.map(({ radius }) => blurField(height, radius));
  const { side } = height;
  const shade = fieldOf((x, y) => {
    const at = Math.floor((y * side) / SCENE) * side + Math.floor((x * side) / SCENE);
    const here = height.data[at]!;
    const key = keyLight(slopes.x.data[at]!, slopes.y.data[at]!) * (1 - 0.6 * shadowAt(height, x, y));
    let open = 1;
    for (const [index, { strength }] of OCCLUSION.entries())
      open -= strength * Math.max(-3, around[index]!.data[at]! - here);
    return Math.max(0.16, (KEY_SHARE * key + 1 - KEY_SHARE) * Math.min(1.12, open));
  });
  const soft = gradientOf(blurField(height, 7));
  const shift = ({ data }: Field): Field => ({ side, data: data.map((slope) => DISPLACEMENT * slope) });
  return { shade: blurField(shade, 2), displacementX: shift(soft.x), displacementY: shift(soft.y) };
}

function keyLight(sx: number, sy: number): number {
  const facing = (LIGHT[2] - sx * LIGHT[0] - sy * LIGHT[1]) / Math.sqrt(1 + sx * sx + sy * sy);
  return Math.max(0, (facing + WRAP) / (LIGHT[2] + WRAP));
}

/** Shadow at a position, 0 to 1, from higher cloth between it and the light; soft, because the light is broad. */
function shadowAt(height: Field, x: number, y: number): number {
  const here = valueAt(height, x, y);
  const rise = LIGHT[2] / Math.hypot(LIGHT[0], LIGHT[1]);
  let maximum = 0;
  for (let step = 1; step <= 9; step += 1) {
    const away = 2.2 * step * (1 + 0.12 * step);
    const above =
      valueAt(height, x - Math.SQRT1_2 * away, y - Math.SQRT1_2 * away) - here - 0.55 * rise * away;
    maximum = Math.max(maximum, above / (4 + 0.4 * away));
  }
  return Math.min(1, maximum);
}

function heightField({ folds, waves, creases, outline, thickness, seed }: ClothShape): Field {
  const heights = folds.map(foldHeight);
  return fieldOf((x, y) => {
    const edge = valueAt(outline, x, y);
    if (edge > 12) return 0;
    const wx = x + 16 * noise(x / 62, y / 62, seed + 3) + 5 * noise(x / 21, y / 21, seed + 5);
    const wy = y + 16 * noise(x / 62, y / 62, seed + 4) + 5 * noise(x / 21, y / 21, seed + 6);
    let raised = 0;
    for (const height of heights) raised += height(wx, wy);
    const soft = waves * layeredNoise(wx / 230, wy / 360, 3, seed + 11);
    const inside = Math.max(0, Math.min(1, -edge / thickness));
    return (
      raised + soft + creases * creaseAt(wx, wy, seed) + 0.6 * thickness * Math.sqrt(inside * (2 - inside))
    );
  });
}

/**
 * Creases as in cotton: ridges that fade out, cross and leave flat areas between them. A ridge follows a zero crossing of noise; a second
 * noise selects where creases occur.
 */
function creaseAt(x: number, y: number, seed: number): number {
  const some = Math.max(0, 0.35 + noise(x / 130, y / 130, seed + 31));
  const ridge = (value: number, sharp: number) => Math.exp(-Math.abs(value) * sharp);
  const long = ridge(noise(x / 105 + 0.4 * noise(x / 50, y / 50, seed + 37), y / 180, seed + 41), 7);
  const slant = ridge(noise((x + y) / 150, (x - y) / 80, seed + 43), 8);
  const fine = ridge(noise((x - 0.5 * y) / 44, (y + 0.3 * x) / 70, seed + 47), 6);
  return some * (long + 0.8 * slant + 0.35 * fine);
}

/** Height of a fold: highest along its line, fading towards its ends, steeper on one side like hanging cloth. */
function foldHeight({ along, width, height }: Fold): (x: number, y: number) => number {
  const distanceOf = polylineDistance(along);
  const [startX, startY] = along[0]!;
  const [dx, dy] = [along.at(-1)![0] - startX, along.at(-1)![1] - startY];
  const length = Math.hypot(dx, dy);
  const bend = Math.max(...along.map(([x, y]) => Math.abs((x - startX) * dy - (y - startY) * dx) / length));
  return (x, y) => {
    const px = x - startX;
    const py = y - startY;
    const position = (px * dx + py * dy) / (length * length);
    const side = (px * dy - py * dx) / length;
    if (Math.abs(side) > bend + 5 * width || position < -0.35 || position > 1.35) return 0;
    // Narrow where the cloth is pulled, wider where the fold fades out.
    const reach =
      width * (1.2 - 0.5 * Math.tanh(side / width)) * (0.7 + 0.6 * Math.max(0, Math.min(1, position)));
    const fade = Math.max(0, Math.min(1, 1.12 - Math.abs(2 * position - 0.9) ** 3));
    return height * fade * Math.exp(-((distanceOf(x, y) / reach) ** 1.4));
  };
}
