import { type Art, halveArt } from '../art.ts';
import type { Box } from '../convex.ts';
import { cutLine } from '../die_cut.ts';
import { keep } from '../kept.ts';
import type { Layer, Maps, Node } from '../layer.ts';
import { type Light, smoothStep } from '../light.ts';
import { fitArt, type Product, type ViewName } from '../scene.ts';
import { type Panel, panelMaps, placeOn, rolled, type Slab, slabMaps, slabSolid } from '../slab.ts';
import { solidShadow } from '../solid.ts';
import { evenCoat } from '../texture.ts';
import { type Pose, type View, viewOf } from '../view.ts';

/** A sheet of 148 × 190 mm at 4.3 units per millimetre. z = 0 is the table. */
const SHEET = { width: 640, height: 820, depth: 2.4, radius: 14 };
/** White border around every motif, as a fraction of the height of its box. */
const BORDER = 0.046;
/** Boxes on the sheet for one large, two medium and three small stickers. */
const PLACES = [
  { u: 0, v: -186, width: 540, height: 390 },
  ...[-140, 140].map((u) => ({ u, v: 124, width: 250, height: 186 })),
  ...[-192, 0, 192].map((u) => ({ u, v: 306, width: 164, height: 124 })),
];
const VINYL: Light = [0.88, 0.88, 0.875];
/** Siliconised backing paper, linear RGB. */
const BACKING: Light = [0.66, 0.6, 0.5];
const POSES: Record<ViewName, { pose: Pose; roll: number }> = {
  front: { pose: { x: 500, y: 498, distance: 3400 }, roll: 0 },
  angle: { pose: { x: 500, y: 484, pitch: -0.72, distance: 2000, scale: 1.02 }, roll: 0.36 },
};

/** A sheet of stickers on a table; each is die-cut around the opaque pixels of the artwork, with a white border. */
export const sticker: Product = {
  wish: (art) => ({ box: fitArt(art, PLACES[0]!), fit: 'contain' }),
  scene(art, { view: name, color = BACKING, density }) {
    const { pose, roll } = POSES[name];
    const view = viewOf(pose);
    const sheet: Slab = { at: [0, 0, -SHEET.depth], ...rolled(roll), ...SHEET, round: 1 };
    const { side, shadow } = keep(`sticker ${name}`, () => ({
      side: slabMaps(view, sheet, { under: sheet }),
      shadow: solidShadow(view, slabSolid(sheet), { plane: 'z', at: 0, reach: 540 }),
    }));
    const make = () => stickersOn(view, sheet, art, roll);
    const { width, height } = fitArt(art, PLACES[0]!);
    const made = art.isOpaque
      ? keep(`stickers ${name} ${width.toFixed(1)} ${height.toFixed(1)}`, make)
      : make();
    const small = halveArt(art);
    return {
      shadow,
      layers: [
        { maps: side, color },
        { maps: made.backing, color, texture: evenCoat(density) },
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
  const largest = fittedTo(art, PLACES[0]!);
  const line = cutLine(art, largest, BORDER * PLACES[0]!.height);
  const cuts = PLACES.map((place) => cutOf(art, place, { largest, line }));
  const backing = panelMaps(view, sheet, {}, (node, { u, v }) => {
    node.light *= 1.01 - 0.05 * smoothStep(-600, 600, u + v);
    node.gloss = 0.006 + 0.016 * smoothStep(500, -400, u + 0.6 * v);
    // The edge of each sticker is slightly raised from the sheet.
    for (const { place, distance } of cuts)
      if (Math.abs(u - place.u) < place.width / 2 + 12 && Math.abs(v - place.v) < place.height / 2 + 12)
        node.light *= 1 - 0.2 * Math.exp(-Math.max(0, distance(u - place.u - 1.5, v - place.v - 2)) / 2.4);
  });
  return {
    backing,
    stickers: cuts.map((cut) => ({ size: cut.size, maps: stickerMaps(view, { sheet, roll }, cut) })),
  };
}

type Place = (typeof PLACES)[number];

interface Cut {
  readonly place: Place;
  readonly size: Box;
  readonly border: number;
  /** Signed distance to its edge from coordinates relative to its centre, negative on the sticker. */
  readonly distance: (x: number, y: number) => number;
}

/** The size includes the border. */
function fittedTo(art: Art, { width, height }: Box): Box {
  const border = BORDER * height;
  return fitArt(art, { width: width - 2 * border, height: height - 2 * border });
}

function cutOf(
  art: Art,
  place: Place,
  { largest, line }: { largest: Box; line: ReturnType<typeof cutLine> },
): Cut {
  const size = fittedTo(art, place);
  const scale = size.width / largest.width;
  return {
    place,
    size,
    border: scale * BORDER * PLACES[0]!.height,
    distance: (x, y) => scale * line(x / scale, y / scale),
  };
}

function stickerMaps(
  view: View,
  { sheet, roll }: { sheet: Slab; roll: number },
  { place, size, border, distance }: Cut,
): Maps {
  const panel: Panel = {
    at: placeOn(sheet, place.u, place.v, -0.8),
    ...rolled(roll),
    width: size.width + 2.4 * border,
    height: size.height + 2.4 * border,
  };
  const narrow = Math.abs(view.turn(0, 0, 1)[2]);
  return panelMaps(view, panel, { step: size.width > LARGE ? 1.5 : 1 }, (node: Node, { u, v }) => {
    const edge = distance(u, v);
    node.edge = edge * (0.5 + 0.5 * narrow);
    const shine = smoothStep(260, -200, place.u + u + 0.6 * (place.v + v));
    node.light *= 1.01 - 0.03 * smoothStep(-600, 600, place.u + place.v + u + v);
    const rim = edge + 1.6;
    node.gloss = 0.006 + 0.024 * shine + (Math.abs(rim) < RIM_ENDS ? 0.03 * Math.exp(-rim * rim) : 0);
  });
}

/** Size from which corners are round enough for a coarser grid. */
const LARGE = 300;
/** Distance from the edge at which the bright rim ends. */
const RIM_ENDS = 4;
