import { coverOrContain } from '../art.ts';
import { centrePrint, type Maps, type Node } from '../layer.ts';
import { type LinearRgb, smoothStep } from '../light.ts';
import { cached } from '../map_cache.ts';
import type { Product, ViewName } from '../scene.ts';
import {
  type Panel,
  type PanelPoint,
  panelMaps,
  pointOnPanel,
  rotatedInPlane,
  type Slab,
  sheen,
  slabMaps,
  slabSolid,
} from '../slab.ts';
import { solidShadow } from '../solid.ts';
import { createView, type Pose, type View } from '../view.ts';

/** A phone of 72 × 148 × 8 mm at 5.6 units per millimetre; z = 0 is the table. */
const PHONE = { width: 402, height: 828, depth: 45, radius: 62, round: 12 };
const BEZEL = 17;
const SCREEN = { width: PHONE.width - 2 * BEZEL, height: PHONE.height - 2 * BEZEL };
const ISLAND = { width: 104, height: 30, v: -PHONE.height / 2 + 52 };
const MOTIF_SHARE = 0.7;
/** Anodised aluminium and the black screen border, linear RGB. */
const METAL: LinearRgb = [0.34, 0.34, 0.35];
const BLACK: LinearRgb = [0.005, 0.005, 0.006];
const WHITE: LinearRgb = [0.94, 0.94, 0.94];
const POSES: Record<ViewName, { pose: Pose; roll: number }> = {
  front: { pose: { x: 500, y: 496, distance: 3200 }, roll: 0 },
  angle: { pose: { x: 500, y: 488, pitch: -0.72, distance: 2100, scale: 1.04 }, roll: -0.5 },
};
const BUTTONS = [
  { side: -1, v: -200, length: 62 },
  { side: -1, v: -118, length: 62 },
  { side: 1, v: -160, length: 98 },
];

/** A phone lying on a table, the artwork on its screen. The screen emits light, so lighting does not change its colours. */
export const phone: Product = {
  placement: (art) => coverOrContain(art, { box: SCREEN, part: MOTIF_SHARE }),
  scene(art, { view: name, color = METAL }) {
    const { shadow, buttons, body, glass, screen, island } = cached(`phone ${name}`, () => phoneMaps(name));
    return {
      shadow,
      layers: [
        ...buttons.map((maps) => ({ maps, color })),
        { maps: body, color },
        { maps: glass, color: BLACK },
        {
          maps: screen,
          color: art.fit === 'cover' ? BLACK : WHITE,
          print: centrePrint(art, SCREEN, { gain: 0.97, floor: 0.003, part: MOTIF_SHARE }),
        },
        { maps: island, color: BLACK },
      ],
    };
  },
};

function phoneMaps(name: ViewName) {
  const { pose, roll } = POSES[name];
  const view = createView(pose);
  const body: Slab = { at: [0, 0, -PHONE.depth], ...rotatedInPlane(roll), ...PHONE };
  const glass: Panel = {
    ...body,
    width: PHONE.width - 8,
    height: PHONE.height - 8,
    radius: PHONE.radius - 4,
  };
  const screen: Panel = { ...body, ...SCREEN, radius: PHONE.radius - BEZEL };
  const island: Panel = { ...body, ...ISLAND, radius: 15, at: pointOnPanel(body, 0, ISLAND.v) };
  return {
    shadow: solidShadow(view, slabSolid(body), { plane: 'z', at: 0, reach: 480 }),
    buttons: BUTTONS.map((button) => buttonMaps(view, body, button)),
    body: slabMaps(view, body, {
      step: 1.5,
      under: glass,
      shade: (node, { behind }, { normal, direction }) => {
        // The edge of the glass, and the seam of the back.
        node.light *= (1 - 0.5 * smoothStep(30, 45, behind)) * (1 - 0.4 * smoothStep(3, 0, behind));
        node.gloss = 1.6 * sheen(normal, direction, 0.25);
      },
    }),
    glass: panelMaps(view, glass, {}, glassReflection()),
    screen: panelMaps(view, screen, {}, glassReflection(true)),
    island: panelMaps(view, island, { step: 1 }),
  };
}

/** Reflection of a bright, blurred window in glass; weaker on a lit screen. */
export const glassReflection =
  (isLit = false) =>
  (node: Node, { u, v, direction, normal }: PanelPoint) => {
    const slant = u * 0.86 + v * 0.5;
    const window = smoothStep(-420, -120, slant) * smoothStep(160, -110, slant);
    const [even, maximum, room] = isLit ? [0.002, 0.006, 0.02] : [0.004, 0.02, 0.15];
    node.gloss = even + maximum * window + room * sheen(normal, direction, 0.1);
    if (isLit) node.light = 1;
  };

function buttonMaps(view: View, body: Slab, { side, v, length }: (typeof BUTTONS)[number]): Maps {
  const depth = 16;
  const at = pointOnPanel(body, (side * (PHONE.width - 6)) / 2, v, (PHONE.depth - depth) / 2);
  const button: Slab = { ...body, at, width: 14, height: length, depth, radius: 3, round: 3 };
  return slabMaps(view, button, {
    step: 1,
    shade: (node, _, { normal, direction }) => {
      node.light *= 0.9;
      node.gloss = sheen(normal, direction, 0.2);
    },
  });
}
