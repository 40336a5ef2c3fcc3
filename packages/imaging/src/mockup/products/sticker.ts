import type { Art } from '../art.ts';
import type { Box } from '../convex.ts';
import { cutLine } from '../die_cut.ts';
import { keep } from '../kept.ts';
import type { Layer, Node } from '../layer.ts';
import { type Light, smoothStep } from '../light.ts';
import { fitArt, type Product, type ViewName } from '../scene.ts';
import { type Panel, panelMaps, placeOn, rolled, type Slab, slabMaps, slabSolid } from '../slab.ts';
import { solidShadow } from '../solid.ts';
import { evenCoat } from '../texture.ts';
import { type Pose, type View, viewOf } from '../view.ts';

/** A sheet of 148 × 190 mm, 4.3 units a millimetre. z = 0 is the table. */
const SHEET = { width: 640, height: 820, depth: 2.4, radius: 14 };
/** White around every motif, as a part of the height of its box. */
const BORDER = 0.046;
/** Boxes of the sheet that a sticker may fill: a large one, two, and three. */
const PLACES = [
  { u: 0, v: -186, width: 540, height: 390 },
  ...[-140, 140].map((u) => ({ u, v: 124, width: 250, height: 186 })),
  ...[-192, 0, 192].map((u) => ({ u, v: 306, width: 164, height: 124 })),
];
const VINYL: Light = [0.88, 0.88, 0.875];
/** Siliconised backing paper in linear light. */
const BACKING: Light = [0.66, 0.6, 0.5];
const POSES: Record<ViewName, { pose: Pose; roll: number }> = {
  front: { pose: { x: 500, y: 498, distance: 3400 }, roll: 0 },
  angle: { pose: { x: 500, y: 484, pitch: -0.72, distance: 2000, scale: 1.02 }, roll: 0.36 },
};

/** A sheet of stickers on a table: each is cut around what is opaque of the artwork, with a white border. */
export const sticker: Product = {
  wish: (art) => ({ box: fitArt(art, PLACES[0]!), fit: 'contain' }),
  scene(art, { view: name, color = BACKING, density }) {
    const { pose, roll } = POSES[name];
    const view = viewOf(pose);
    const sheet: Slab = { at: [0, 0, -SHEET.depth], ...rolled(roll), ...SHEET, round: 1 };
    const largest = fittedTo(art, PLACES[0]!);
    const line = cutLine(art, largest, BORDER * PLACES[0]!.height);
    const cuts = PLACES.map((place) => cutOf(art, place, { largest, line }));
    const backing: Layer = {
      color,
      texture: evenCoat(density),
      maps: panelMaps(view, sheet, {}, (node, { u, v }) => {
        node.light *= 1.01 - 0.05 * smoothStep(-600, 600, u + v);
        node.gloss = 0.006 + 0.016 * smoothStep(500, -400, u + 0.6 * v);
        // The edge of each sticker stands up a little from the sheet.
        for (const { place, distance } of cuts)
          if (Math.abs(u - place.u) < place.width / 2 + 12 && Math.abs(v - place.v) < place.height / 2 + 12)
            node.light *=
              1 - 0.2 * Math.exp(-Math.max(0, distance(u - place.u - 1.5, v - place.v - 2)) / 2.4);
      }),
    };
    return {
      shadow: keep(`sticker ${name}`, () =>
        solidShadow(view, slabSolid(sheet), { plane: 'z', at: 0, reach: 540 }),
      ),
      layers: [
        { maps: slabMaps(view, sheet, { under: sheet }), color },
        backing,
        ...cuts.map((cut) => stickerLayer(view, { sheet, roll, art }, cut)),
      ],
    };
  },
};

type Place = (typeof PLACES)[number];

interface Cut {
  readonly place: Place;
  readonly size: Box;
  readonly border: number;
  /** To its edge, negative on it, from its middle. */
  readonly distance: (x: number, y: number) => number;
}

/** The border belongs to the box. */
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

function stickerLayer(
  view: View,
  { sheet, roll, art }: { sheet: Slab; roll: number; art: Art },
  { place, size, border, distance }: Cut,
): Layer {
  const panel: Panel = {
    at: placeOn(sheet, place.u, place.v, -0.8),
    ...rolled(roll),
    width: size.width + 2.4 * border,
    height: size.height + 2.4 * border,
  };
  const narrow = Math.abs(view.turn(0, 0, 1)[2]);
  const maps = panelMaps(view, panel, { step: 1 }, (node: Node, { u, v }) => {
    const edge = distance(u, v);
    node.edge = edge * (0.5 + 0.5 * narrow);
    const shine = smoothStep(260, -200, place.u + u + 0.6 * (place.v + v));
    node.light *= 1.01 - 0.03 * smoothStep(-600, 600, place.u + place.v + u + v);
    node.gloss = 0.006 + 0.024 * shine + 0.03 * Math.exp(-((edge + 1.6) ** 2));
  });
  return { maps, color: VINYL, print: { art, x: 0, y: 0, ...size, gain: 0.93, floor: 0.006 } };
}
