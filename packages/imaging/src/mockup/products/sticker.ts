import { type Art, downsampleArt2x } from '../art.ts';
import type { Box } from '../convex.ts';
import { cutLineDistance } from '../die_cut.ts';
import type { Layer, Maps, Node } from '../layer.ts';
import { type LinearRgb, smoothStep } from '../light.ts';
import { cached } from '../map_cache.ts';
import { fitArt, type Product, type ViewName } from '../scene.ts';
import {
  type Panel,
  panelMaps,
  pointOnPanel,
  rotatedInPlane,
  type Slab,
  slabMaps,
  slabSolid,
} from '../slab.ts';
import { solidShadow } from '../solid.ts';
import { unevenCoat } from '../texture.ts';
import { createView, type Pose, type View } from '../view.ts';

/** A sheet of 148 × 190 mm at 4.3 units per millimetre. z = 0 is the table. */
const SHEET = { width: 640, height: 820, depth: 2.4, radius: 14 };
/** White border around every motif, as a fraction of the height of its box. */
const BORDER = 0.046;
/** Boxes on the sheet for one large, two medium and three small stickers. */
const BOXES = [
  { u: 0, v: -186, width: 540, height: 390 },
  ...[-140, 140].map((u) => ({ u, v: 124, width: 250, height: 186 })),
  ...[-192, 0, 192].map((u) => ({ u, v: 306, width: 164, height: 124 })),
];
const VINYL: LinearRgb = [0.88, 0.88, 0.875];
/** Siliconised backing paper, linear RGB. */
const BACKING: LinearRgb = [0.66, 0.6, 0.5];
const POSES: Record<ViewName, { pose: Pose; roll: number }> = {
  front: { pose: { x: 500, y: 498, distance: 3400 }, roll: 0 },
  angle: { pose: { x: 500, y: 484, pitch: -0.72, distance: 2000, scale: 1.02 }, roll: 0.36 },
};

/** A sheet of stickers on a table; each is die-cut around the opaque pixels of the artwork, with a white border. */
export const sticker: Product = {
  placement: (art) => ({ box: fitArt(art, BOXES[0]!), fit: 'contain' }),
  scene(art, { view: name, color = BACKING, density }) {
    const { pose, roll } = POSES[name];
    const view = createView(pose);
    const sheet: Slab = { at: [0, 0, -SHEET.depth], ...rotatedInPlane(roll), ...SHEET, round: 1 };
    const { side, shadow } = cached(`sticker ${name}`, () => ({
      side: slabMaps(view, sheet, { under: sheet }),
      shadow: solidShadow(view, slabSolid(sheet), { plane: 'z', at: 0, reach: 540 }),
    }));
    const make = () => stickersOn(view, sheet, art, roll);
    const { width, height } = fitArt(art, BOXES[0]!);
    const made = art.isOpaque
      ? cached(`stickers ${name} ${width.toFixed(1)} ${height.toFixed(1)}`, make)
      : make();
    const small = downsampleArt2x(art);
    return {
      shadow,
      layers: [
        { maps: side, color },
        { maps: made.backing, color, texture: unevenCoat(density) },
        ...made.stickers.map(
          ({ maps, size }, at): Layer => ({
            maps,
            color: VINYL,
            print: { art: at === 0 ? art : small, x: 0, y: 0, ...size, gain: 0.93, floor: 0.006 },
          }),
        ),
      ],
    };
  },
};

/** The backing paper, and the stickers on it. */
function stickersOn(view: View, sheet: Slab, art: Art, roll: number) {
  const largest = fitWithinBorder(art, BOXES[0]!);
  const line = cutLineDistance(art, largest, BORDER * BOXES[0]!.height);
  const cuts = BOXES.map((position) => dieCut(art, position, { largest, line }));
  const backing = panelMaps(view, sheet, {}, (node, { u, v }) => {
    node.light *= 1.01 - 0.05 * smoothStep(-600, 600, u + v);
    node.gloss = 0.006 + 0.016 * smoothStep(500, -400, u + 0.6 * v);
    // The edge of each sticker is slightly raised from the sheet.
    for (const { position, distance } of cuts)
      if (
        Math.abs(u - position.u) < position.width / 2 + 12 &&
        Math.abs(v - position.v) < position.height / 2 + 12
      )
        node.light *=
          1 - 0.2 * Math.exp(-Math.max(0, distance(u - position.u - 1.5, v - position.v - 2)) / 2.4);
  });
  return {
    backing,
    stickers: cuts.map((cut) => ({ size: cut.size, maps: stickerMaps(view, { sheet, roll }, cut) })),
  };
}

type StickerBox = (typeof BOXES)[number];

interface Cut {
  readonly position: StickerBox;
  readonly size: Box;
  readonly border: number;
  /** Signed distance to its edge from coordinates relative to its centre, negative on the sticker. */
  readonly distance: (x: number, y: number) => number;
}

/** The size includes the border. */
function fitWithinBorder(art: Art, { width, height }: Box): Box {
  const border = BORDER * height;
  return fitArt(art, { width: width - 2 * border, height: height - 2 * border });
}

function dieCut(
  art: Art,
  position: StickerBox,
  { largest, line }: { largest: Box; line: ReturnType<typeof cutLineDistance> },
): Cut {
  const size = fitWithinBorder(art, position);
  const scale = size.width / largest.width;
  return {
    position,
    size,
    border: scale * BORDER * BOXES[0]!.height,
    distance: (x, y) => scale * line(x / scale, y / scale),
  };
}

function stickerMaps(
  view: View,
  { sheet, roll }: { sheet: Slab; roll: number },
  { position, size, border, distance }: Cut,
): Maps {
  const panel: Panel = {
    at: pointOnPanel(sheet, position.u, position.v, -0.8),
    ...rotatedInPlane(roll),
    width: size.width + 2.4 * border,
    height: size.height + 2.4 * border,
  };
  const narrow = Math.abs(view.toCamera(0, 0, 1)[2]);
  return panelMaps(view, panel, { step: size.width > LARGE ? 1.5 : 1 }, (node: Node, { u, v }) => {
    const edge = distance(u, v);
    node.edge = edge * (0.5 + 0.5 * narrow);
    const shine = smoothStep(260, -200, position.u + u + 0.6 * (position.v + v));
    node.light *= 1.01 - 0.03 * smoothStep(-600, 600, position.u + position.v + u + v);
    const rim = edge + 1.6;
    node.gloss = 0.006 + 0.024 * shine + (Math.abs(rim) < RIM_ENDS ? 0.03 * Math.exp(-rim * rim) : 0);
  });
}

/** Size from which corners are round enough for a coarser grid. */
const LARGE = 300;
/** Distance from the edge at which the bright rim ends. */
const RIM_ENDS = 4;
