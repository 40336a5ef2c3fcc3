import { coverOrContain } from '../art.ts';
import { centrePrint, type Maps, type Node } from '../layer.ts';
import { type LinearRgb, smoothStep } from '../light.ts';
import { cached } from '../map_cache.ts';
import { roundedRectangle } from '../outline.ts';
import type { Product, ViewName } from '../scene.ts';
import {
  LEVEL,
  type Panel,
  type PanelPoint,
  panelMaps,
  pointOnPanel,
  type Slab,
  sheen,
  slabMaps,
  slabSolid,
} from '../slab.ts';
import { type Hit, solidShadow } from '../solid.ts';
import { unevenCoat } from '../texture.ts';
import { createView, type Pose, type View } from '../view.ts';
import { glassReflection } from './phone.ts';

/** Scene units per millimetre. The laptop is 312 × 221 × 12 mm. */
const MM = 2.42;
const WIDE = 312 * MM;
const DEEP = 221 * MM;
const BASE = { width: WIDE, height: DEEP, depth: 10 * MM, radius: 14 * MM, round: 5 };
const LID = { width: WIDE, height: 214 * MM, depth: 5 * MM, radius: 13 * MM, round: 3 };
/** The lid leans back from upright by this angle; radians. */
const LEAN = 0.3;
const SCREEN = { width: 300 * MM, height: 190 * MM };
/** The bezel is wider below the screen than above. */
const RAISED = 4 * MM;
const MOTIF_SHARE = 0.6;
const TABLE = 190;
/** Anodised aluminium, linear RGB. */
const ALUMINIUM: LinearRgb = [0.56, 0.56, 0.565];
const BLACK: LinearRgb = [0.006, 0.006, 0.007];
const WELL: LinearRgb = [0.012, 0.012, 0.013];
const KEY: LinearRgb = [0.02, 0.02, 0.021];
const WHITE: LinearRgb = [0.94, 0.94, 0.94];
const POSES: Record<ViewName, Pose> = {
  front: { x: 500, y: 560, pitch: 0.3, distance: 2600 },
  angle: { x: 505, y: 560, yaw: -0.55, pitch: 0.34, distance: 2500, scale: 0.93 },
};

/** An open laptop on a table, the artwork on its screen. */
export const laptop: Product = {
  placement: (art) => coverOrContain(art, { box: SCREEN, part: MOTIF_SHARE }),
  scene(art, { view: name, color = ALUMINIUM, density }) {
    const made = cached(`laptop ${name}`, () => laptopMaps(createView(POSES[name])));
    const metal = { color, texture: unevenCoat(density) };
    return {
      shadow: made.shadow,
      layers: [
        { ...metal, maps: made.lid },
        { maps: made.glass, color: BLACK },
        {
          maps: made.screen,
          color: art.fit === 'cover' ? BLACK : WHITE,
          print: centrePrint(art, SCREEN, { gain: 0.97, floor: 0.003, part: MOTIF_SHARE }),
        },
        { ...metal, maps: made.base },
        { maps: made.hinge, color: BLACK },
        { ...metal, maps: made.deck },
        { maps: made.well, color: WELL },
        { maps: made.keys, color: KEY },
      ],
    };
  },
};

function laptopMaps(view: View) {
  const base: Slab = { at: [0, TABLE - BASE.depth - 3, 0], ...LEVEL, ...BASE };
  const [cos, sin] = [Math.cos(LEAN), Math.sin(LEAN)];
  const down = [0, cos, -sin] as const;
  const up = LID.height / 2;
  const at = [0, TABLE - BASE.depth + 1 - up * cos, DEEP / 2 - 12 + up * sin] as const;
  const lid: Slab = { at, across: [1, 0, 0], down, ...LID };
  const glass: Panel = { ...lid, width: LID.width - 8, height: LID.height - 8, radius: LID.radius - 4 };
  const screen: Panel = { ...lid, at: pointOnPanel(lid, 0, -RAISED), ...SCREEN, radius: 4 * MM };
  const deck: Panel = {
    ...base,
    at: pointOnPanel(base, 0, 14),
    width: WIDE - 8,
    height: DEEP - 36,
    radius: BASE.radius - 4,
  };
  const [one, other] = [slabSolid(base), slabSolid(lid)];
  return {
    shadow: solidShadow(view, (x, y, z) => Math.min(one(x, y, z), other(x, y, z)), {
      plane: 'y',
      at: TABLE,
      reach: 620,
    }),
    lid: slabMaps(view, lid, { under: glass, shade: metalShade }),
    glass: panelMaps(view, glass, {}, glassReflection()),
    screen: panelMaps(view, screen, {}, glassReflection(true)),
    base: slabMaps(view, base, { under: deck, shade: metalShade }),
    hinge: hingeMaps(view, base),
    deck: panelMaps(view, deck, { step: 1 }, deckShade),
    ...keyboardMaps(view, base),
  };
}

/** Blasted aluminium: a blurred reflection of the room. */
const metalShade = (node: Node, _: unknown, { normal, direction }: Hit) => {
  node.light *= 0.92;
  node.gloss = 0.5 * sheen(normal, direction, 0.2);
};

/** The dark gap at the hinge. */
function hingeMaps(view: View, base: Slab): Maps {
  const gap: Panel = {
    ...base,
    at: pointOnPanel(base, 0, -DEEP / 2 + 12),
    width: 250 * MM,
    height: 18,
    radius: 4,
  };
  return panelMaps(view, gap, { step: 1 });
}

/** The deck around the trackpad, in the shadow of the lid. */
function deckShade(node: Node, { u, v, direction, normal }: PanelPoint): void {
  const pad = roundedRectangle(u, v - (PAD.v - 14), PAD);
  node.light *= 0.9 * (1 - 0.3 * Math.exp(-(v + DEEP / 2) / 40)) * (1 - 0.2 * Math.exp(-((pad / 2) ** 2)));
  node.gloss = 0.3 * sheen(normal, direction, 0.2) + 0.03 * smoothStep(380, -380, u + v);
}

const PAD = { width: 132 * MM, height: 78 * MM, radius: 5 * MM, v: 61 * MM };
/** Rows of keys from the top: width of each key relative to a standard key. All rows are equally wide. */
const ROWS = [
  Array.from({ length: 14 }, () => 1),
  [...Array.from({ length: 13 }, () => 1), 1.6],
  [1.6, ...Array.from({ length: 13 }, () => 1)],
  [1.85, ...Array.from({ length: 11 }, () => 1), 1.85],
  [2.4, ...Array.from({ length: 10 }, () => 1), 2.4],
  [1, 1, 1, 1.25, 5.2, 1.25, 1, 1, 1, 1],
];
const KEYS = { width: 276 * MM, height: 104 * MM, v: -36 * MM };
const BETWEEN = 2.6 * MM;

/** Signed distance from a point of the keyboard to the nearest key, negative on it. */
function keyDistance(u: number, v: number): number {
  const pitch = KEYS.height / ROWS.length;
  const at = Math.max(0, Math.min(ROWS.length - 1, Math.floor((v + KEYS.height / 2) / pitch)));
  const row = ROWS[at]!;
  const unitWide = KEYS.width / row.reduce((sum, wide) => sum + wide, 0);
  const middle = (at + 0.5) * pitch - KEYS.height / 2;
  let [nearest, left] = [Infinity, -KEYS.width / 2];
  for (const wide of row) {
    const width = wide * unitWide;
    const key = { width: width - BETWEEN, height: pitch - BETWEEN, radius: 1.6 * MM };
    nearest = Math.min(nearest, roundedRectangle(u - left - width / 2, v - middle, key));
    left += width;
  }
  return nearest;
}

/** A dark recess, and the keys in it. */
function keyboardMaps(view: View, base: Slab) {
  const around = { width: KEYS.width + 6, height: KEYS.height + 6, radius: 8 };
  const well: Panel = { ...base, at: pointOnPanel(base, 0, KEYS.v), ...around };
  const tops: Panel = { ...base, at: pointOnPanel(base, 0, KEYS.v, -1.5), ...around };
  const flat = Math.abs(view.toCamera(0, 1, 0)[2]);
  return {
    well: panelMaps(view, well),
    keys: panelMaps(view, tops, { step: 1 }, (node, { u, v }) => {
      const key = keyDistance(u, v);
      node.edge = Math.max(node.edge, key * (0.5 + 0.5 * flat));
      node.light *= 1 + 0.5 * smoothStep(-3, -0.5, key);
      node.gloss = 0.006 + 0.012 * smoothStep(300, -300, u);
    }),
  };
}
