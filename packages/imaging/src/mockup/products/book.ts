import { type ArtProperties, coverOrContain } from '../art.ts';
import type { Box } from '../convex.ts';
import { centrePrint, type Maps, type Node } from '../layer.ts';
import { type LinearRgb, smoothStep } from '../light.ts';
import { cached } from '../map_cache.ts';
import type { Product, ViewName } from '../scene.ts';
import {
  LEVEL,
  type PanelPoint,
  panelMaps,
  type Slab,
  type SlabPoint,
  sheen,
  slabMaps,
  slabSolid,
  UPRIGHT,
} from '../slab.ts';
import { solidShadow } from '../solid.ts';
import { paperEdges, unevenCoat } from '../texture.ts';
import { createView, type Pose, type View } from '../view.ts';

/** Scene units per millimetre. The book is 230 mm tall and 30 mm thick. */
const MM = 3.1;
const HEIGHT = 230 * MM;
const THICKNESS = 30 * MM;
const BOARD = 3 * MM;
/** Overhang of the boards over the pages. */
const OVERHANG = 3.5 * MM;
const MOTIF_SHARE = 0.66;
/** Aspect ratios of covers made for an artwork. */
const [NARROWEST, WIDEST] = [0.62, 0.98];
const CLOTH: LinearRgb = [0.78, 0.77, 0.74];
const PAPER: LinearRgb = [0.8, 0.775, 0.71];
const POSES: Record<ViewName, Pose> = {
  front: { x: 500, y: 500, yaw: -0.2, pitch: 0.07, distance: 2700 },
  angle: { x: 500, y: 500, yaw: -0.5, pitch: 0.2, distance: 2300 },
};

/** Size of the cover: the aspect ratio of the artwork, limited to that of real books. */
function coverSize({ width, height }: Pick<ArtProperties, 'width' | 'height'>): Box {
  return { width: HEIGHT * Math.max(NARROWEST, Math.min(WIDEST, width / height)), height: HEIGHT };
}

/** A hardcover book standing on a table, spine to the left; an image wraps around the spine. */
export const book: Product = {
  placement: (art) =>
    coverOrContain(art, {
      box: art.isMotif ? { width: 0.68 * HEIGHT, height: HEIGHT } : coverSize(art),
      part: MOTIF_SHARE,
    }),
  scene(art, { view: name, color = CLOTH, density }) {
    const view = createView(POSES[name]);
    const cover = art.fit === 'cover' ? coverSize(art) : { width: 0.68 * HEIGHT, height: HEIGHT };
    const { shadow, back, pages, spine, board, face } = cached(`book ${name} ${cover.width.toFixed(1)}`, () =>
      bookMaps(view, cover),
    );
    const print = centrePrint(art, cover, { gain: 0.92, floor: 0.007, part: MOTIF_SHARE });
    const coat = { color, texture: unevenCoat(density) };
    const wrapped = { ...coat, ...(art.fit === 'cover' && { print }) };
    return {
      shadow,
      layers: [
        { ...coat, maps: back },
        { color: PAPER, texture: paperEdges(density), maps: pages },
        { ...wrapped, maps: spine },
        { ...wrapped, maps: board },
        { ...coat, print, maps: face },
      ],
    };
  },
};

function bookMaps(view: View, cover: Box) {
  const boardAt = (z: number): Slab => ({
    at: [0, 0, z],
    ...UPRIGHT,
    ...cover,
    depth: BOARD,
    radius: 2,
    round: 2,
  });
  const front = boardAt(0);
  const pages: Slab = {
    at: [-2, OVERHANG - HEIGHT / 2, THICKNESS / 2],
    ...LEVEL,
    width: cover.width - 2 * OVERHANG,
    height: THICKNESS - 2 * BOARD,
    depth: HEIGHT - 2 * OVERHANG,
  };
  return {
    shadow: solidShadow(view, slabSolid({ ...front, depth: THICKNESS }), {
      plane: 'y',
      at: HEIGHT / 2,
      reach: 520,
    }),
    back: slabMaps(view, boardAt(THICKNESS - BOARD), { under: front }),
    pages: slabMaps(view, pages, { step: 1.5, under: front, shade: topShade(cover) }),
    spine: spineMaps(view, cover),
    board: slabMaps(view, front, { under: front }),
    face: panelMaps(view, { ...front, width: cover.width - 1, height: HEIGHT - 1 }, {}, coverShade(cover)),
  };
}

/** The top edge of the pages, in the shadow of the boards. */
const topShade =
  ({ width }: Box) =>
  (node: Node, { u, v, behind }: SlabPoint) => {
    node.across = u;
    node.down = v + behind;
    const inside = THICKNESS / 2 - BOARD - Math.abs(v);
    node.light *=
      (0.94 - 0.3 * Math.exp(-inside / 8)) * (1 - 0.4 * smoothStep(-width / 2 + 40, -width / 2, u));
  };

/** The rounded spine; it continues the cover image mirrored. */
function spineMaps(view: View, { width }: Box): Maps {
  const spine: Slab = {
    at: [16 - width / 2, -HEIGHT / 2, THICKNESS / 2],
    ...LEVEL,
    width: 50,
    height: THICKNESS,
    depth: HEIGHT,
    radius: 22,
    round: 1.5,
  };
  return slabMaps(view, spine, {
    step: 1.5,
    shade: (node, { v, behind }, { normal, direction }) => {
      node.across = (THICKNESS - width) / 2 - v;
      node.down = behind - HEIGHT / 2;
      const end = Math.min(behind, HEIGHT - behind);
      node.light *= 0.93 * (1 - 0.25 * Math.exp(-Math.max(0, end) / 3));
      node.gloss = 0.35 * sheen(normal, direction, 0.2);
    },
  });
}

/** The joint between spine and board, and the edges of the board. */
const coverShade =
  ({ width }: Box) =>
  (node: Node, { u, v }: PanelPoint) => {
    const joint = u + width / 2 - 7.5 * MM;
    const [right, below] = [width / 2 - u, HEIGHT / 2 - v];
    node.light =
      (0.3 + 0.72 * node.light) *
      (1 - 0.24 * Math.exp(-(((joint - 1) / 5) ** 2)) + 0.1 * Math.exp(-(((joint - 10) / 6) ** 2))) *
      (1 - 0.1 * Math.exp(-right / 2.5)) *
      (1 - 0.16 * Math.exp(-below / 26)) *
      (1.02 - 0.05 * smoothStep(-HEIGHT / 2, HEIGHT / 2, v));
    node.gloss = 0.004 + 0.012 * smoothStep(300, -320, u + 0.7 * v);
  };
