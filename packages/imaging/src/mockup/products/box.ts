import { type ArtProperties, coverOrContain } from '../art.ts';
import type { Box } from '../convex.ts';
import { centrePrint, type Node, type Print } from '../layer.ts';
import { bell, type LinearRgb, smoothStep } from '../light.ts';
import { cached } from '../map_cache.ts';
import type { Product, ViewName } from '../scene.ts';
import {
  isFacing,
  LEVEL,
  type Panel,
  panelMaps,
  type Slab,
  sheen,
  slabMaps,
  slabSolid,
  UPRIGHT,
} from '../slab.ts';
import { solidShadow } from '../solid.ts';
import { unevenCoat } from '../texture.ts';
import { createView, type Pose, type View } from '../view.ts';

const ROOM = { width: 600, height: 650 };
const [NARROWEST, WIDEST] = [0.55, 1.5];
const MOTIF_SHARE = 0.66;
/** Coated white board, linear RGB. */
const BOARD: LinearRgb = [0.84, 0.84, 0.83];
const POSES: Record<ViewName, Pose> = {
  front: { x: 486, y: 505, yaw: 0.2, pitch: 0.16, distance: 2700 },
  angle: { x: 492, y: 500, yaw: 0.66, pitch: 0.36, distance: 2300 },
};

/** Size of the front: the aspect ratio of the artwork, limited to that of real boxes. */
function frontSize(art: Pick<ArtProperties, 'width' | 'height'>): Box {
  const ratio = Math.max(NARROWEST, Math.min(WIDEST, art.width / art.height));
  const height = Math.min(ROOM.height, ROOM.width / ratio);
  return { width: ratio * height, height };
}

/** A folding carton on a table, printed on front, right side and top; an image wraps around the edges mirrored. */
export const box: Product = {
  placement: (art) => coverOrContain(art, { box: frontSize(art), part: MOTIF_SHARE }),
  scene(art, { view: name, color = BOARD, density }) {
    const view = createView(POSES[name]);
    const front = frontSize(art);
    const depth = 0.48 * Math.min(front.width, 0.8 * front.height);
    const [w, h] = [front.width / 2, front.height / 2];
    const body: Slab = { at: [0, 0, -depth / 2], ...UPRIGHT, ...front, depth, radius: 1.5, round: 1.5 };
    const faces: Face[] = [
      { panel: { ...body }, from: [0, 0], turned: false },
      {
        panel: { at: [w, 0, 0], across: [0, 0, 1], down: [0, 1, 0], width: depth, height: front.height },
        from: [w, 0],
        turned: true,
      },
      { panel: { at: [0, -h, 0], ...LEVEL, width: front.width, height: depth }, from: [0, -h], turned: true },
    ];
    const isMotif = art.fit !== 'cover';
    const print = centrePrint(art, front, { gain: 0.92, floor: 0.007, part: MOTIF_SHARE });
    const size = `${front.width.toFixed(1)} ${front.height.toFixed(1)}`;
    const made = cached(`box ${name} ${size} ${isMotif ? print.width.toFixed(1) : ''}`, () => ({
      shadow: solidShadow(view, slabSolid(body), { plane: 'y', at: h, reach: 520 }),
      body: slabMaps(view, body, { under: body }),
      faces: faces
        .filter(({ panel }) => isFacing(view, panel))
        .map((face) => faceMaps(view, face, { depth, front, motif: isMotif ? print : undefined })),
    }));
    const coat = { color, texture: unevenCoat(density) };
    return {
      shadow: made.shadow,
      layers: [
        { ...coat, ...(!isMotif && { print }), maps: made.body },
        ...made.faces.map(({ maps, isPrinted }) => ({ ...coat, maps, ...(isPrinted && { print }) })),
      ],
    };
  },
};

interface Face {
  readonly panel: Panel;
  /** The edge of the front it adjoins. */
  readonly from: readonly [number, number];
  readonly turned: boolean;
}

interface Folded {
  readonly depth: number;
  readonly front: Box;
  /** A motif is placed whole on front and side; absent: an image wraps around the edges. */
  readonly motif: Pick<Print, 'width'> | undefined;
}

function faceMaps(view: View, { panel, from, turned }: Face, { motif, depth, front }: Folded) {
  const isSide = turned && from[0] !== 0;
  const isTop = turned && !isSide;
  const scale = isSide && motif ? Math.min(1, (0.8 * depth) / motif.width) : 1;
  const maps = panelMaps(view, panel, {}, (node, { u, v, direction, normal }) => {
    const [deepSide, deepTop] = [u + depth / 2, depth / 2 - v];
    if (isSide && motif) [node.across, node.down] = [u / scale, v / scale];
    else if (isSide) node.across = front.width / 2 - deepSide;
    else if (isTop) node.down = deepTop - front.height / 2;
    node.light *=
      foldShade(node, { u, v }, panel) *
      (isTop ? flapShade(u, deepTop, panel) : tableShade(front.height / 2 - v));
    node.gloss = 0.004 + 0.25 * sheen(normal, direction, 0.1) * (0.5 + 0.5 * smoothStep(300, -300, u + v));
  });
  return { maps, isPrinted: !(isTop && motif) };
}

/** A fold is rounded: a highlight on it and a slight shadow next to it. */
function foldShade(_: Node, { u, v }: { u: number; v: number }, { width, height }: Panel): number {
  const edge = Math.min(width / 2 - Math.abs(u), height / 2 - Math.abs(v));
  return 1 + 0.06 * bell(edge, 0.5, 1.6) - 0.03 * bell(edge, 5, 4);
}

/** Light reflected by the table, and ambient occlusion, near the base. */
const tableShade = (above: number): number =>
  1.01 - 0.14 * Math.exp(-above / 30) - 0.04 * smoothStep(500, 0, above);

/** The lid is tucked in at the front: a dark slit, and the notches beside it. */
function flapShade(u: number, deep: number, { width }: Panel): number {
  const beside = width / 2 - Math.abs(u);
  const slit = 0.3 * bell(deep, 3.2, 1) + 0.18 * bell(beside, 3.2, 1) * smoothStep(0, 12, deep);
  return 1 - slit;
}
