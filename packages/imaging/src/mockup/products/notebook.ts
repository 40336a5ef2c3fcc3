import { coverOrContain } from '../art.ts';
import { centrePrint, type Node } from '../layer.ts';
import { type LinearRgb, smoothStep } from '../light.ts';
import { cached } from '../map_cache.ts';
import type { Product, ViewName } from '../scene.ts';
import {
  edgeCoordinates,
  panelMaps,
  pointOnPanel,
  rotatedInPlane,
  type Slab,
  type SlabPoint,
  slabMaps,
  slabSolid,
} from '../slab.ts';
import { solidShadow } from '../solid.ts';
import { paperEdges, unevenCoat } from '../texture.ts';
import { createView, type Pose } from '../view.ts';

/** A notebook of 148 × 210 × 15 mm at 3.6 units per millimetre. z = 0 is the table. */
const COVER = { width: 533, height: 756 };
const BOARD = 6;
const PAGES = 42;
const DEPTH = PAGES + 2 * BOARD;
const RADIUS = 20;
const MOTIF_SHARE = 0.6;
const BAND = { width: 23, u: COVER.width / 2 - 62 };
/** Area under the elastic band, as fractions of the cover. */
const UNDER_BAND = {
  left: 0.5 + (BAND.u - BAND.width / 2) / COVER.width,
  top: 0,
  width: BAND.width / COVER.width,
  height: 1,
};
/** Coated card and uncoated paper, linear RGB. */
const CARD: LinearRgb = [0.8, 0.79, 0.765];
const PAPER: LinearRgb = [0.8, 0.77, 0.7];
/** The band contrasts with the cover: black, or grey on a dark cover. */
const BLACK: LinearRgb = [0.022, 0.022, 0.024];
const GREY: LinearRgb = [0.11, 0.11, 0.115];
const POSES: Record<ViewName, { pose: Pose; roll: number }> = {
  front: { pose: { x: 500, y: 496, distance: 3200 }, roll: 0 },
  angle: { pose: { x: 496, y: 480, pitch: -0.74, distance: 2000, scale: 1.02 }, roll: 0.42 },
};

/** A hardcover notebook with rounded corners and an elastic band, lying on a table. */
export const notebook: Product = {
  placement: (art) => coverOrContain(art, { box: COVER, part: MOTIF_SHARE, hidden: UNDER_BAND }),
  scene(art, { view: name, color = CARD, density }) {
    const made = cached(`notebook ${name}`, () => notebookMaps(name));
    const coat = { color, texture: unevenCoat(density) };
    const print = centrePrint(art, COVER, { gain: 0.92, floor: 0.008, part: MOTIF_SHARE });
    const cover = { ...coat, ...(art.fit === 'cover' && { print }) };
    return {
      shadow: made.shadow,
      layers: [
        { ...coat, maps: made.back },
        { maps: made.pages, color: PAPER, texture: paperEdges(density) },
        { ...cover, maps: made.spine },
        { ...cover, maps: made.board },
        { ...coat, maps: made.face, print },
        { maps: made.band, color: luminance(color) > 0.2 ? BLACK : GREY },
      ],
    };
  },
};

function notebookMaps(name: ViewName) {
  const { pose, roll } = POSES[name];
  const view = createView(pose);
  const turned = rotatedInPlane(roll);
  const boardAt = (face: number): Slab => ({
    at: [0, 0, face],
    ...turned,
    ...COVER,
    depth: BOARD,
    radius: RADIUS,
    round: 2.4,
  });
  const front = boardAt(-DEPTH);
  const pages: Slab = {
    at: pointOnPanel(front, 0, 0, BOARD),
    ...turned,
    width: COVER.width - 12,
    height: COVER.height - 12,
    depth: PAGES,
    radius: RADIUS - 8,
  };
  const spine: Slab = {
    at: pointOnPanel(front, 7 - COVER.width / 2, 0, 1),
    ...turned,
    width: 14,
    height: COVER.height - 6,
    depth: DEPTH - 2,
    radius: 6,
    round: 6,
  };
  const band: Slab = {
    at: pointOnPanel(front, BAND.u, 0, -2.5),
    ...turned,
    width: BAND.width,
    height: COVER.height + 5,
    depth: DEPTH + 4,
    radius: 2,
    round: 1.2,
  };
  const face = { ...front, width: COVER.width - 2, height: COVER.height - 2, radius: RADIUS - 1 };
  return {
    shadow: solidShadow(view, slabSolid({ ...front, depth: DEPTH }), { plane: 'z', at: 0, reach: 480 }),
    back: slabMaps(view, boardAt(-BOARD), { under: front }),
    pages: slabMaps(view, pages, { step: 1.5, under: front, shade: pageShade }),
    spine: slabMaps(view, spine, { under: front, shade: wrapped }),
    board: slabMaps(view, front, { under: front }),
    face: panelMaps(view, face, {}, coverShade),
    band: slabMaps(view, band, {
      step: 1,
      shade: (node, { u }) => {
        node.light *= 1 + 0.25 * Math.sin(u * 1.7);
        node.gloss = 0.006;
      },
    }),
  };
}

const luminance = ([red, green, blue]: LinearRgb): number => 0.21 * red + 0.72 * green + 0.07 * blue;

/** The upper board shades the top pages. */
const pageShade = (node: Node, position: SlabPoint) => {
  edgeCoordinates(node, position);
  const { behind } = position;
  node.light *=
    0.96 *
    (1 - 0.45 * Math.exp(-Math.max(0, behind) / 5)) *
    (1 - 0.3 * smoothStep(PAGES * 0.6, PAGES, behind));
};

/** The image wraps around the spine. */
const wrapped = (node: Node, { v, behind }: SlabPoint) => {
  node.across = -COVER.width / 2 + behind;
  node.down = v;
};

/** The joint beside the spine, and the shadow beside the band. */
function coverShade(node: { light: number; gloss: number }, { u, v }: { u: number; v: number }) {
  const joint = u + COVER.width / 2 - 30;
  const beside = Math.abs(u - BAND.u) - BAND.width / 2;
  node.light *=
    (1 - 0.16 * Math.exp(-(((joint - 1.5) / 3.4) ** 2)) + 0.07 * Math.exp(-(((joint - 8) / 4) ** 2))) *
    (1 - (u > BAND.u ? 0.4 : 0.16) * Math.exp(-Math.max(0, beside) / 4)) *
    (1.02 - 0.05 * smoothStep(-500, 500, u + v));
  node.gloss = 0.004 + 0.014 * smoothStep(420, -420, u * 0.8 + v);
}
