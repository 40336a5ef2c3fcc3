import { convexDistance } from '../convex.ts';
import { SCENE } from '../field.ts';
import { evaluateMaps, type Layer, type Maps, type Node } from '../layer.ts';
import { bell, type LinearRgb, smoothStep } from '../light.ts';
import { cached } from '../map_cache.ts';
import { latticeNoise, layeredNoise, noise } from '../noise.ts';
import type { ViewName } from '../scene.ts';
import { normalise } from '../studio.ts';
import { foliage } from '../texture.ts';
import { createView, type Point2, type Vector, type View } from '../view.ts';

/** Scene units per metre, in the plane of the board. */
export const METRE = 60;
/** Height of the camera above the ground. */
export const GROUND = 1.6 * METRE;
/** y of the horizon. The camera is level, so verticals stay vertical. */
const HORIZON = 800;
const DISTANCE = 30 * METRE;
const YAWS: Record<ViewName, number> = { front: 0.09, angle: -0.56 };
const MIDDLES: Record<ViewName, number> = { front: 500, angle: 512 };

/** A camera across the road; the origin is at camera height, in line with the centre of the board. */
export const roadsideView = (name: ViewName): View =>
  createView({ x: MIDDLES[name], y: HORIZON, yaw: YAWS[name], distance: DISTANCE });

/** Shadow offset to the right and behind per unit of height. */
const SUN_ACROSS = 0.62;
const SUN_BEHIND = 0.95;
const SUN = normalise(-SUN_ACROSS, -1, -SUN_BEHIND);

/** Light of sun and sky on a matt surface by its normal: 1 on the board, which faces the road. */
export const daylight = ([x, y, z]: Vector): number =>
  0.24 - 0.09 * y + (0.76 * Math.max(0, x * SUN[0] + y * SUN[1] + z * SUN[2])) / -SUN[2];

const WHITE: LinearRgb = [1, 1, 1];

/** Flat polygons that cast a shadow on the ground, given by their corners in space. */
export type ShadowCasters = readonly (readonly (readonly [x: number, y: number, z: number])[])[];

/**
 * A road, a verge and distant trees under a sky with fair-weather clouds; `hasSky: false` leaves the background as the sky. Everything
 * except the shadow on the ground is the same for every artwork and is cached.
 */
export function roadsideLayers(
  view: View,
  {
    name,
    density,
    hasSky,
    shades,
  }: { name: ViewName; density: number; hasSky: boolean; shades: Float32Array },
): Layer[] {
  const made = cached(`roadside ${name}`, () => ({
    sky: skyMaps(YAWS[name]),
    hills: hillMaps(YAWS[name]),
    trees: treeMaps(TREES, YAWS[name]),
    bushes: treeMaps(BUSHES, YAWS[name]),
    ground: groundMaps(view),
  }));
  const rough = { color: WHITE, texture: foliage(density) };
  return [
    // The hills fade into the haze of this sky, which would not match another colour.
    ...(hasSky ? [made.sky, made.hills].map((maps) => ({ maps, color: WHITE })) : []),
    { ...rough, maps: { ...made.ground, light: shades } },
    { ...rough, maps: made.trees },
    { ...rough, maps: made.bushes },
  ];
}

function tint(node: Node, [red, green, blue]: LinearRgb, by = 1): void {
  node.red = red * by;
  node.green = green * by;
  node.blue = blue * by;
}

const mix = (one: LinearRgb, other: LinearRgb, share: number): LinearRgb => [
  one[0] + share * (other[0] - one[0]),
  one[1] + share * (other[1] - one[1]),
  one[2] + share * (other[2] - one[2]),
];

/** Linear RGB of a clear sky at the zenith, low, and at the horizon, and of clouds. */
const HIGH: LinearRgb = [0.115, 0.26, 0.58];
const LOW: LinearRgb = [0.34, 0.54, 0.8];
const HAZE: LinearRgb = [0.66, 0.77, 0.86];
const CLOUD: LinearRgb = [0.93, 0.94, 0.95];
const CLOUD_SHADE: LinearRgb = [0.56, 0.63, 0.72];
/** Clouds lie on a plane; this close to the horizon they merge. */
const CLOUD_NEAREST = 150;

function skyMaps(yaw: number): Maps {
  const box = { left: 0, top: 0, right: SCENE, bottom: HORIZON + 4 };
  const shift = 900 * yaw;
  return evaluateMaps({ box, step: 2.5, hasColors: true }, (x, y, node) => {
    node.edge = -10;
    const rise = Math.max(0, HORIZON - y);
    const near = 1 / (rise + CLOUD_NEAREST);
    const [h, v] = [(x - 500 + shift) * near * 2, 1250 * near];
    const clear = mix(mix(HAZE, LOW, smoothStep(0, 260, rise)), HIGH, smoothStep(150, 900, rise));
    const veil = 0.16 * smoothStep(-0.3, 0.6, layeredNoise(h * 0.5 + 9, v * 2.2, 5, 79));
    const behind = mix(clear, CLOUD, veil);
    const thick = cloudAt(h, v);
    const cover = smoothStep(0.02, 0.24, thick) * smoothStep(10, 150, rise);
    if (cover === 0) return tint(node, behind);
    // Clouds are dark where they are thicker towards the sun, which is at the top left.
    const relief = thick - cloudAt(h - 0.05, v + 0.09);
    const lit = smoothStep(-0.2, 0.12, relief - 0.32 * smoothStep(0.2, 0.75, thick));
    const cloud = mix(CLOUD_SHADE, CLOUD, 0.25 + 0.75 * lit);
    tint(node, mix(behind, mix(cloud, HAZE, 0.55 * smoothStep(260, 40, rise)), 0.96 * cover));
  });
}

/** Cloud density at a point of the cloud plane: fractal noise of round puffs. */
function cloudAt(h: number, v: number): number {
  let sum = 1.2 * layeredNoise(h * 0.6 + CLOUDS_FROM, v * 0.7, 2, 73) - 0.07;
  let [x, y, strength] = [1.7 * h, 1.9 * v, 0.2];
  for (let layer = 0; layer < 5; layer += 1) {
    // Each octave is rotated, so that the noise grid stays invisible.
    [x, y] = [1.62 * x - 1.2 * y + 17, 1.2 * x + 1.62 * y + 29];
    const swell = noise(x, y, 74 + layer);
    sum += strength * (layer < 3 ? 2 * Math.abs(swell) - 0.62 : swell);
    strength *= 0.58;
  }
  return sum;
}

/** Which part of the cloud plane is above the road. */
const CLOUDS_FROM = 3.1;

const HILL: LinearRgb = [0.235, 0.33, 0.385];

function hillMaps(yaw: number): Maps {
  const box = { left: 0, top: HORIZON - 60, right: SCENE, bottom: HORIZON + 14 };
  const shift = DISTANCE * yaw;
  return evaluateMaps({ box, step: 2, hasColors: true }, (x, y, node) => {
    const [position, wood] = [x + shift, layeredNoise((x + shift) / 5, y / 4, 3, 101)];
    const top = HORIZON - 20 - 26 * layeredNoise(position / 210, 0, 3, 83) - 1.2 * wood;
    node.edge = top - y;
    tint(node, mix(HILL, HAZE, 0.5 * smoothStep(HORIZON - 50, HORIZON, y)), 1 + 0.1 * wood);
  });
}

/** A row of trees or bushes along the horizon: overlapping crowns, each a sphere of leaves. */
interface Row {
  /** Base of the row, and the smallest and largest radius of a crown. */
  readonly foot: number;
  readonly minimum: number;
  readonly maximum: number;
  /** Distance from one crown to the next. */
  readonly apart: number;
  /** Height to which crowns are stacked. */
  readonly tall: number;
  /** Openness of the row, -1 to 1. */
  readonly gaps: number;
  /** Amount of aerial haze. */
  readonly haze: number;
  readonly seed: number;
}

const TREES: Row = {
  foot: 811,
  minimum: 9,
  maximum: 21,
  apart: 4.2,
  tall: 46,
  gaps: -0.08,
  haze: 0.16,
  seed: 110,
};
const BUSHES: Row = {
  foot: 838,
  minimum: 8,
  maximum: 17,
  apart: 6,
  tall: 15,
  gaps: 0.12,
  haze: 0.045,
  seed: 140,
};
const LEAF: LinearRgb = [0.125, 0.165, 0.045];
const LEAF_YELLOW: LinearRgb = [0.2, 0.2, 0.05];
const LEAF_BLUE: LinearRgb = [0.075, 0.13, 0.055];
const LEAF_SHADE: LinearRgb = [0.014, 0.024, 0.014];
const AIR: LinearRgb = [0.5, 0.62, 0.74];

interface Crown {
  readonly x: number;
  readonly y: number;
  readonly radius: number;
  readonly hue: number;
}

function crownsOf({ foot, minimum, maximum, apart, tall, gaps, seed }: Row, shift: number): Crown[] {
  const crowns: Crown[] = [];
  const first = Math.floor((shift - 60) / apart);
  for (let at = first; at * apart < shift + SCENE + 60; at += 1) {
    const grown = layeredNoise((at * apart) / 130, 0.5, 3, seed) - gaps;
    const height = tall * smoothStep(-0.15, 0.4, grown) + 4;
    const radius =
      minimum + (maximum - minimum) * (0.5 + 0.5 * latticeNoise(at, 1, seed)) * smoothStep(-0.3, 0.3, grown);
    if (grown < -0.3) continue;
    crowns.push({
      x: at * apart - shift + 0.5 * apart * latticeNoise(at, 2, seed),
      y: foot - 0.7 * radius - height * (0.5 + 0.5 * latticeNoise(at, 3, seed)),
      radius,
      hue: latticeNoise(at, 4, seed),
    });
  }
  // Lower crowns are closer.
  return crowns.sort((one, other) => one.y - other.y);
}

function treeMaps(row: Row, yaw: number): Maps {
  const { foot, maximum, tall, haze, seed } = row;
  const crowns = crownsOf(row, DISTANCE * yaw);
  const box = { left: 0, top: foot - tall - 2 * maximum - 8, right: SCENE, bottom: foot + 4 };
  const near = nearestOf(crowns, 1.3 * maximum + 6);
  return evaluateMaps({ box, step: 0.7, hasColors: true }, (x, y, node) => {
    const clump = layeredNoise(x / 4.6, y / 3.8, 2, seed + 5);
    const fine = layeredNoise(x / 1.5, y / 1.4, 2, seed + 7);
    const rough = 3.4 * clump + 2.4 * fine;
    let [edge, bright, hue] = [40, 0, 0];
    for (const crown of near(x)) {
      const [dx, dy] = [(x - crown.x) / crown.radius, (y - crown.y) / crown.radius];
      const away = Math.sqrt(dx * dx + Math.min(dy, 0) ** 2 + 0.25 * Math.max(dy, 0) ** 2);
      const gap = crown.radius * (away - 1) - rough;
      edge = Math.min(edge, gap);
      if (gap > 0.5) continue;
      const facing = -0.5 * dx - 0.7 * dy;
      bright = smoothStep(-0.95, 1.15, facing + 1.25 * clump + 1.1 * fine);
      hue = crown.hue;
    }
    node.edge = Math.max(edge, y - foot - 2.4 * clump - 2 * fine);
    const green = hue > 0 ? mix(LEAF, LEAF_YELLOW, 0.6 * hue) : mix(LEAF, LEAF_BLUE, -0.8 * hue);
    const lit = mix(LEAF_SHADE, green, bright * (1 - 0.5 * smoothStep(foot - 14, foot, y)));
    tint(node, mix(lit, AIR, haze));
  });
}

/** The crowns that can reach a column, in back-to-front order. */
function nearestOf(crowns: readonly Crown[], reach: number): (x: number) => readonly Crown[] {
  const columns = new Map<number, Crown[]>();
  return (x) => {
    const column = Math.round(x / 10);
    const known = columns.get(column);
    if (known) return known;
    const found = crowns.filter((crown) => Math.abs(crown.x - 10 * column) < reach + 5);
    columns.set(column, found);
    return found;
  };
}

/** The road is parallel to the board: its edges and lines, by their distance from the board. */
const ROAD = { far: -6.6 * METRE, near: -16 * METRE };
const EDGE_LINE = ROAD.far - 0.35 * METRE;
const MIDDLE_LINE = (ROAD.far + ROAD.near) / 2;
const DASHES = 9 * METRE;
const LINE_WIDE = 0.16 * METRE;
const GRASS: LinearRgb = [0.118, 0.152, 0.036];
const GRASS_DRY: LinearRgb = [0.235, 0.215, 0.082];
const GRASS_DARK: LinearRgb = [0.052, 0.086, 0.021];
const FIELD: LinearRgb = [0.29, 0.26, 0.1];
const MEADOW: LinearRgb = [0.15, 0.19, 0.06];
const GRAVEL: LinearRgb = [0.27, 0.25, 0.215];
const ASPHALT: LinearRgb = [0.155, 0.154, 0.155];
const PAINT: LinearRgb = [0.68, 0.68, 0.65];

const GROUND_BOX = { left: 0, top: HORIZON + 1, right: SCENE, bottom: SCENE };
const GROUND_STEP = 1;

function groundMaps(view: View): Maps {
  const onGround = intersectGround(view);
  return evaluateMaps({ box: GROUND_BOX, step: GROUND_STEP, hasColors: true }, (x, y, node) => {
    node.edge = HORIZON + 3 - y;
    const [gx, gz] = onGround(x, Math.max(HORIZON + 2, y));
    // Ground units per vertical scene unit.
    const coarse = DISTANCE / (y - HORIZON);
    const tuft = ((y - HORIZON) / GROUND) * 5;
    const ragged = 9 * noise(gx / 14, gz / 30, 161) + 7 * noise(x / 1.7, y / 1.7, 163);
    const grass = grassAt({ x, y, gx, gz, tuft });
    const strip = smoothStep(-0.05, 0.05, noise(gz / 2600 + gx / 90_000, 0.5, 157));
    const far = mix(grass, mix(FIELD, MEADOW, strip), 0.85 * smoothStep(900, 3000, gz));
    const hazy = mix(far, AIR, 0.3 * smoothStep(HORIZON + 20, HORIZON, y));
    const verge = smoothStep(-26, 26, gz - ROAD.far - 0.75 * METRE + 2 * ragged);
    const shoulder = mix(GRAVEL, [0.36, 0.34, 0.3], 0.5 + 0.5 * noise(x / 0.9, y / 0.9, 167));
    const soil = mix(shoulder, hazy, verge);
    const onRoad = smoothStep(0.7 * coarse, -0.7 * coarse, gz - ROAD.far + 0.3 * ragged);
    tint(node, mix(soil, roadAt(gx, gz, coarse), onRoad));
  });
}

interface Place {
  readonly x: number;
  readonly y: number;
  readonly gx: number;
  readonly gz: number;
  /** Apparent size of a tuft. */
  readonly tuft: number;
}

/** Grass is upright: its tufts appear as tall as wide, regardless of the slant of the ground. */
function grassAt({ x, y, gx, gz, tuft }: Place): LinearRgb {
  const blades = layeredNoise(x / (0.6 * tuft), y / (0.85 * tuft), 4, 151);
  const patch = layeredNoise(gx / 150, gz / 260, 3, 153);
  const dry = smoothStep(-0.05, 0.5, patch + 0.35 * blades);
  const deep = smoothStep(0.02, -0.42, blades + 0.4 * patch);
  return mix(mix(GRASS, GRASS_DRY, 0.75 * dry), GRASS_DARK, 0.75 * deep);
}

/** Asphalt, darker between the wheel tracks, with worn road markings. */
function roadAt(gx: number, gz: number, coarse: number): LinearRgb {
  const lane = ((gz - ROAD.far) / (MIDDLE_LINE - ROAD.far)) % 1;
  const tracks = bell(lane, 0.27, 0.11) + bell(lane, 0.74, 0.11);
  const patch = layeredNoise(gx / 260, gz / 60, 3, 171);
  const worn = 0.85 + 0.3 * layeredNoise(gx / 22, gz / 9, 2, 173);
  const soft = 0.6 * coarse;
  const lineAt = (at: number) =>
    smoothStep(LINE_WIDE / 2 + soft, LINE_WIDE / 2 - soft, Math.abs(gz - at)) *
    Math.min(1, LINE_WIDE / coarse + 0.35);
  const dash = smoothStep(0.5, 0.49, (((gx / DASHES) % 1) + 1) % 1);
  const paint = Math.max(lineAt(EDGE_LINE), lineAt(MIDDLE_LINE) * dash);
  const bare = mix([0, 0, 0], ASPHALT, 0.95 + 0.1 * tracks + 0.16 * patch);
  return mix(bare, PAINT, 0.9 * Math.min(1, worn) * paint);
}

/** Where the ray through a scene position meets the ground: across, and behind the board. */
function intersectGround({ eye, ray }: View): (x: number, y: number) => Point2 {
  const direction = new Float64Array(3);
  return (x, y) => {
    ray(x, y, direction);
    const along = (GROUND - eye[1]) / direction[1]!;
    return [eye[0] + along * direction[0]!, eye[2] + along * direction[2]!];
  };
}

/** Fraction of daylight that remains in shadow, from the sky. */
const SKYLIGHT = 0.34;

/** Light at the nodes of the ground under flat occluders: shadows are sharp close to the occluder and soft far from it. */
export function groundShadow(view: View, shades: ShadowCasters): Float32Array {
  const casts = shades.map((corners) => {
    const points = corners.map(([x, y, z]): Point2 => {
      const height = GROUND - y;
      return [x + SUN_ACROSS * height, z + SUN_BEHIND * height];
    });
    return {
      edge: convexDistance(points),
      soft: 3 + 0.012 * (GROUND - Math.min(...corners.map(([, y]) => y))),
    };
  });
  const onGround = intersectGround(view);
  return evaluateMaps({ box: GROUND_BOX, step: GROUND_STEP }, (x, y, node) => {
    if (y < HORIZON + 4 || y > SHADOW_Y_MAX) return;
    const [gx, gz] = onGround(x, y);
    const blur = 0.4 * (DISTANCE / (y - HORIZON));
    let sun = 1;
    for (const { edge, soft } of casts)
      sun = Math.min(sun, smoothStep(-soft - blur, soft + blur, edge(gx, gz)));
    node.light = SKYLIGHT + (1 - SKYLIGHT) * sun;
  }).light;
}

/** Shadows never fall lower than this in the image, because they lie behind their occluders. */
const SHADOW_Y_MAX = 935;
