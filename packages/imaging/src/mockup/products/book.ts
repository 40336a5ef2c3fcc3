import { type ArtSeen, fillOrPlace } from '../art.ts';
import type { Box } from '../convex.ts';
import { keep } from '../kept.ts';
import { type Maps, type Node, printIn } from '../layer.ts';
import { type Light, smoothStep } from '../light.ts';
import type { Product, ViewName } from '../scene.ts';
import {
  LEVEL,
  type PanelPlace,
  panelMaps,
  type Slab,
  type SlabPlace,
  sheen,
  slabMaps,
  slabSolid,
  UPRIGHT,
} from '../slab.ts';
import { solidShadow } from '../solid.ts';
import { evenCoat, sheets } from '../texture.ts';
import { type Pose, type View, viewOf } from '../view.ts';

/** Scene units per millimetre. The book is 230 mm tall and 30 mm thick. */
const MM = 3.1;
const HIGH = 230 * MM;
const THICK = 30 * MM;
const BOARD = 3 * MM;
/** Overhang of the boards over the pages. */
const OVER = 3.5 * MM;
const PART = 0.66;
/** Aspect ratios of covers made for an artwork. */
const [NARROWEST, WIDEST] = [0.62, 0.98];
const CLOTH: Light = [0.78, 0.77, 0.74];
const PAPER: Light = [0.8, 0.775, 0.71];
const POSES: Record<ViewName, Pose> = {
  front: { x: 500, y: 500, yaw: -0.2, pitch: 0.07, distance: 2700 },
  angle: { x: 500, y: 500, yaw: -0.5, pitch: 0.2, distance: 2300 },
};

/** Size of the cover: the aspect ratio of the artwork, limited to that of real books. */
function coverOf({ width, height }: Pick<ArtSeen, 'width' | 'height'>): Box {
  return { width: HIGH * Math.max(NARROWEST, Math.min(WIDEST, width / height)), height: HIGH };
}

/** A hardcover book standing on a table, spine to the left; an image wraps around the spine. */
export const book: Product = {
  wish: (art) =>
    fillOrPlace(art, { box: art.isMotif ? { width: 0.68 * HIGH, height: HIGH } : coverOf(art), part: PART }),
  scene(art, { view: name, color = CLOTH, density }) {
    const view = viewOf(POSES[name]);
    const cover = art.fit === 'cover' ? coverOf(art) : { width: 0.68 * HIGH, height: HIGH };
    const { shadow, back, pages, spine, board, face } = keep(`book ${name} ${cover.width.toFixed(1)}`, () =>
      bookMaps(view, cover),
    );
    const print = printIn(art, cover, { gain: 0.92, floor: 0.007, part: PART });
    const coat = { color, texture: evenCoat(density) };
    const wrapped = { ...coat, ...(art.fit === 'cover' && { print }) };
    return {
      shadow,
      layers: [
        { ...coat, maps: back },
        { color: PAPER, texture: sheets(density), maps: pages },
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
    at: [-2, OVER - HIGH / 2, THICK / 2],
    ...LEVEL,
    width: cover.width - 2 * OVER,
    height: THICK - 2 * BOARD,
    depth: HIGH - 2 * OVER,
  };
  return {
    shadow: solidShadow(view, slabSolid({ ...front, depth: THICK }), {
      plane: 'y',
      at: HIGH / 2,
      reach: 520,
    }),
    back: slabMaps(view, boardAt(THICK - BOARD), { under: front }),
    pages: slabMaps(view, pages, { step: 1.5, under: front, shade: topShade(cover) }),
    spine: spineMaps(view, cover),
    board: slabMaps(view, front, { under: front }),
    face: panelMaps(view, { ...front, width: cover.width - 1, height: HIGH - 1 }, {}, coverShade(cover)),
  };
}

/** The top edge of the pages, in the shadow of the boards. */
const topShade =
  ({ width }: Box) =>
  (node: Node, { u, v, behind }: SlabPlace) => {
    node.across = u;
    node.down = v + behind;
    const inside = THICK / 2 - BOARD - Math.abs(v);
    node.light *=
      (0.94 - 0.3 * Math.exp(-inside / 8)) * (1 - 0.4 * smoothStep(-width / 2 + 40, -width / 2, u));
  };

/** The rounded spine; it continues the cover image mirrored. */
function spineMaps(view: View, { width }: Box): Maps {
  const spine: Slab = {
    at: [16 - width / 2, -HIGH / 2, THICK / 2],
    ...LEVEL,
    width: 50,
    height: THICK,
    depth: HIGH,
    radius: 22,
    round: 1.5,
  };
  return slabMaps(view, spine, {
    step: 1.5,
    shade: (node, { v, behind }, { normal, way }) => {
      node.across = (THICK - width) / 2 - v;
      node.down = behind - HIGH / 2;
      const end = Math.min(behind, HIGH - behind);
      node.light *= 0.93 * (1 - 0.25 * Math.exp(-Math.max(0, end) / 3));
      node.gloss = 0.35 * sheen(normal, way, 0.2);
    },
  });
}

/** The joint between spine and board, and the edges of the board. */
const coverShade =
  ({ width }: Box) =>
  (node: Node, { u, v }: PanelPlace) => {
    const joint = u + width / 2 - 7.5 * MM;
    const [right, below] = [width / 2 - u, HIGH / 2 - v];
    node.light =
      (0.3 + 0.72 * node.light) *
      (1 - 0.24 * Math.exp(-(((joint - 1) / 5) ** 2)) + 0.1 * Math.exp(-(((joint - 10) / 6) ** 2))) *
      (1 - 0.1 * Math.exp(-right / 2.5)) *
      (1 - 0.16 * Math.exp(-below / 26)) *
      (1.02 - 0.05 * smoothStep(-HIGH / 2, HIGH / 2, v));
    node.gloss = 0.004 + 0.012 * smoothStep(300, -320, u + 0.7 * v);
  };
