import { type ArtProperties, coverOrContain } from '../art.ts';
import { type Bar, type Box, barsAround, convexDistance } from '../convex.ts';
import type { Field } from '../field.ts';
import { centrePrint, evaluateMaps, type Layer, type Maps } from '../layer.ts';
import { bell, type LinearRgb, smoothStep } from '../light.ts';
import { cached } from '../map_cache.ts';
import { layeredNoise } from '../noise.ts';
import type { Product } from '../scene.ts';
import { type Panel, panelMaps, type Slab, slabMaps, UPRIGHT } from '../slab.ts';
import { type Solid, solidMaps } from '../solid.ts';
import { unevenCoat } from '../texture.ts';
import { boundingBox, convexHull, type Vector, type View } from '../view.ts';
import {
  daylight,
  GROUND,
  groundShadow,
  METRE,
  roadsideLayers,
  roadsideView,
  type ShadowCasters,
} from './roadside.ts';

/** Aspect ratios: posters of 3.6 × 2.5 m, and highway boards of 14.6 × 4.3 m. */
const [NARROWEST, WIDEST] = [1.42, 3.4];
const ROOM = { width: 736, height: 470 };
const MOTIF_SHARE = 0.72;
const RIM = 9;
const DEPTH = 0.5 * METRE;
const POST = { radius: 0.2 * METRE, behind: 0.85 * METRE };
const WALK = { deep: 0.75 * METRE, high: 5 };
/** Painted steel, concrete and lamps, linear RGB. */
const STEEL: LinearRgb = [0.15, 0.158, 0.165];
const CONCRETE: LinearRgb = [0.4, 0.385, 0.36];
const LAMP: LinearRgb = [0.05, 0.052, 0.055];
/** Vinyl under the artwork. */
const VINYL: LinearRgb = [0.9, 0.9, 0.895];
const NO_SHADOW: Field = { side: 2, data: new Float32Array(4) };

/** Size of the board: the aspect ratio of the artwork, limited to that of real boards, which are landscape. */
function boardSize(art: Pick<ArtProperties, 'width' | 'height'>): Box {
  const ratio = Math.max(NARROWEST, Math.min(WIDEST, art.width / art.height));
  const height = Math.min(ROOM.height, ROOM.width / ratio);
  return { width: ratio * height, height };
}

/** A roadside billboard in daylight. A requested background colour replaces the sky. */
export const billboard: Product = {
  placement: (art) => coverOrContain(art, { box: boardSize(art), part: MOTIF_SHARE }),
  scene(art, { view: name, color = STEEL, density, hasSurroundings }) {
    const view = roadsideView(name);
    const board = layOutBoard(art);
    const { width, height } = board.face;
    const made = cached(`billboard ${name} ${width.toFixed(1)} ${height.toFixed(1)}`, () => ({
      shades: groundShadow(view, shadowCasters(board)),
      behind: [
        ...postParts(view, board),
        { maps: slabMaps(view, board.body, { step: 1.5, under: board.face, shade: inDaylight }) },
      ],
      face: faceMaps(view, board.face),
      before: [
        ...barsAround(board.face, RIM).map((bar) => rimPart(view, board, bar)),
        ...walkwayParts(view, board),
      ],
    }));
    const coat = ({ maps, color: own = color }: Part): Layer => ({
      maps,
      color: own,
      texture: unevenCoat(density),
    });
    return {
      shadow: NO_SHADOW,
      coversBackground: hasSurroundings,
      layers: [
        ...roadsideLayers(view, { name, density, hasSky: hasSurroundings, shades: made.shades }),
        ...made.behind.map(coat),
        {
          ...coat({ maps: made.face, color: VINYL }),
          print: centrePrint(art, board.face, { gain: 0.93, floor: 0.007, part: MOTIF_SHARE }),
        },
        ...made.before.map(coat),
      ],
    };
  },
};

interface Board {
  readonly face: Panel;
  readonly body: Slab;
  /** y of its lower edge, including the frame. */
  readonly lower: number;
  readonly posts: readonly number[];
}

/** A steel part, in the colour of the frame by default. */
interface Part {
  readonly maps: Maps;
  readonly color?: LinearRgb;
}

/** Position and size of the board for an artwork, in the coordinates of `roadsideView`. */
export function layOutBoard(art: Pick<ArtProperties, 'width' | 'height'>): Board {
  const face = boardSize(art);
  // A low board is mounted higher, as along highways.
  const lower = GROUND - 4.1 * METRE - 0.25 * (ROOM.height - face.height);
  const at: Vector = [0, lower - RIM - face.height / 2, 0];
  const [width, height] = [face.width + 2 * RIM, face.height + 2 * RIM];
  return {
    face: { at, ...UPRIGHT, ...face },
    // The frame overlaps it.
    body: { at, ...UPRIGHT, width: width - 1.5, height: height - 1.5, depth: DEPTH, round: 1 },
    lower,
    posts: [-0.28 * width, 0.28 * width],
  };
}

/** The artwork, printed on vinyl stretched over the board. */
function faceMaps(view: View, face: Panel): Maps {
  const { width, height } = face;
  return panelMaps(view, face, {}, (node, { u, v }) => {
    const [left, top] = [u + width / 2, v + height / 2];
    const rim = 0.62 * smoothStep(RIM * 0.55, RIM * 0.3, top) + 0.5 * smoothStep(RIM * 0.4, RIM * 0.2, left);
    const sheets = width / Math.max(3, Math.round(width / 130));
    const seam = Math.abs(((left / sheets + 0.5) % 1) - 0.5) * sheets;
    const pull = Math.exp(-Math.min(top, height - top) / 26) * layeredNoise(u / 9, v / 60, 2, 191);
    node.light =
      (1 - Math.min(0.55, rim)) *
      (1 + 0.035 * pull + 0.02 * layeredNoise(u / 150, v / 90, 2, 193)) *
      (1 - 0.03 * bell(seam, 0, 0.8)) *
      (1.0 - 0.04 * smoothStep(0, height, top));
    node.gloss = 0.006 + 0.014 * smoothStep(0, -height, v - height / 2);
  });
}

/** One side of the frame: angle steel with highlights on its edges. */
function rimPart(view: View, { face }: Board, { corners, outward }: Bar): Part {
  const points = corners.map(([x, y]) => view.project(face.at[0] + x, face.at[1] + y, -2));
  const edge = convexDistance(points);
  const light = daylight([0.35 * outward[0], 0.35 * outward[1], -0.94]);
  return {
    maps: evaluateMaps({ box: boundingBox(points), step: 1, hasGloss: true }, (x, y, node) => {
      node.edge = edge(x, y);
      node.light =
        light * (1 + 0.25 * bell(node.edge, -1, 0.8)) * (1 + 0.06 * layeredNoise(x / 9, y / 9, 3, 197));
      node.gloss = 0.012;
    }),
  };
}

/** Two round posts on concrete bases. */
function postParts(view: View, { posts, lower }: Board): Part[] {
  const [top, foot] = [lower - 60, GROUND + 2];
  return posts.flatMap((x) => {
    const [block, side] = [9, 4.6 * POST.radius];
    const base: Slab = {
      at: [x, GROUND - block / 2, POST.behind - side / 2],
      ...UPRIGHT,
      width: side,
      height: block,
      depth: side,
      round: 1,
    };
    const solid: Solid = (px, _, pz) => Math.sqrt((px - x) ** 2 + (pz - POST.behind) ** 2) - POST.radius;
    const rings = [top, foot].flatMap((y) =>
      Array.from({ length: 24 }, (_, at) => {
        const turn = (2 * Math.PI * at) / 24;
        return view.project(x + POST.radius * Math.cos(turn), y, POST.behind + POST.radius * Math.sin(turn));
      }),
    );
    const outline = convexHull(rings);
    const edge = convexDistance(outline);
    return [
      { color: CONCRETE, maps: slabMaps(view, base, { step: 1, shade: concrete }) },
      {
        maps: solidMaps(
          view,
          solid,
          { box: boundingBox(outline), step: 1.5, reach: 900, edge },
          (hit, node) => {
            // The board shades the posts just below it.
            const below = hit.y - lower;
            node.light =
              daylight(hit.ownNormal) *
              (0.42 + 0.58 * smoothStep(10, 62, below)) *
              (1 + 0.05 * layeredNoise(hit.x / 6, hit.y / 40, 3, 199));
            node.gloss = 0.012 + 0.02 * bell(hit.normal[0], -0.55, 0.3) * smoothStep(10, 62, below);
          },
        ),
      },
    ];
  });
}

type Shade = NonNullable<Parameters<typeof slabMaps>[2]>['shade'];

const inDaylight: Shade = (node, _, { ownNormal }) => {
  node.light = daylight(ownNormal);
};

const concrete: Shade = (node, { u, v, behind }, { ownNormal }) => {
  node.light =
    daylight(ownNormal) * 0.96 +
    0.12 * layeredNoise((u + behind) / 5, v / 5, 3, 211) -
    0.25 * smoothStep(0, 5, v);
};

/** A walkway on brackets along the lower edge, with floodlights in front of it. */
function walkwayParts(view: View, { face, lower }: Board): Part[] {
  const width = face.width + 2 * RIM;
  const top = lower + 2;
  const walk: Slab = {
    at: [0, top + WALK.high / 2, -WALK.deep],
    ...UPRIGHT,
    width,
    height: WALK.high,
    depth: WALK.deep + 6,
    round: 0.6,
  };
  const lamps = Math.max(3, Math.round(width / 190));
  const positions = Array.from({ length: lamps }, (_, at) => ((at + 0.5) / lamps - 0.5) * face.width);
  const grating = {
    step: 1,
    shade: ((node, { u, behind }, { ownNormal }) => {
      node.light = daylight(ownNormal);
      if (behind > 1.5) node.light *= 0.75 + 0.2 * Math.sin(u * 0.9) * smoothStep(0, 10, behind);
    }) as Shade,
  };
  return [
    { maps: slabMaps(view, walk, grating) },
    ...positions.flatMap((x) => [
      {
        maps: slabMaps(view, strutBetween([x, top + 3, -WALK.deep], [x, top + 11, -WALK.deep - 66], 2.6), {
          step: 0.7,
          shade: inDaylight,
        }),
      },
      { color: LAMP, maps: slabMaps(view, floodlightAt(x, top), { step: 0.7, shade: inDaylight }) },
    ]),
  ];
}

/** A square steel bar between two points in a plane of constant x. */
function strutBetween(from: Vector, to: Vector, thick: number): Slab {
  const [dy, dz] = [to[1] - from[1], to[2] - from[2]];
  const length = Math.hypot(dy, dz);
  const down: Vector = [0, dy / length, dz / length];
  return {
    at: [from[0], (from[1] + to[1]) / 2, (from[2] + to[2]) / 2],
    across: [1, 0, 0],
    down,
    width: thick,
    height: length,
    depth: thick,
    round: 0.5,
  };
}

/** A floodlight, tilted towards the board. */
function floodlightAt(x: number, top: number): Slab {
  const [cos, sin] = [Math.cos(0.6), Math.sin(0.6)];
  return {
    at: [x, top + 9, -WALK.deep - 74],
    across: [1, 0, 0],
    down: [0, cos, sin],
    width: 24,
    height: 12,
    depth: 7,
    radius: 2,
    round: 1.2,
  };
}

/** What casts a shadow on the ground: the board, the walkway and the posts. */
function shadowCasters({ face, lower, posts }: Board): ShadowCasters {
  const [w, top] = [face.width / 2 + RIM, lower - face.height - 2 * RIM];
  const flat = (left: number, right: number, up: number, z: number) =>
    [
      [left, up, z],
      [right, up, z],
      [right, GROUND, z],
      [left, GROUND, z],
    ] as const;
  return [
    [
      [-w, top, 0],
      [w, top, 0],
      [w, lower, 0],
      [-w, lower, 0],
    ],
    ...posts.map((x) => flat(x - POST.radius, x + POST.radius, lower, POST.behind)),
  ];
}
