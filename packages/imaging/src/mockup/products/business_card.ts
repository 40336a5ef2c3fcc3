import { type ArtSeen, fillOrPlace } from '../art.ts';
import type { Box } from '../convex.ts';
import { keep } from '../kept.ts';
import { type Layer, type Node, printIn } from '../layer.ts';
import { type Light, smoothStep } from '../light.ts';
import type { Product, ViewName } from '../scene.ts';
import { alongEdges, panelMaps, rolled, type Slab, type SlabPlace, slabMaps, slabSolid } from '../slab.ts';
import { type Solid, solidShadow } from '../solid.ts';
import { evenCoat, sheets } from '../texture.ts';
import { type Pose, type View, viewOf } from '../view.ts';

/** A card of 85 × 55 mm at 5.5 units per millimetre. z = 0 is the table. */
const LONG = 468;
const SHORT = 303;
const PART = 0.7;
/** Height of a stack of fifteen cards, and of one card. */
const STACK = 44;
const ONE = 3.2;
/** Coated card, linear RGB. */
const CARD: Light = [0.86, 0.86, 0.85];
const POSES: Record<ViewName, Pose> = {
  front: { x: 500, y: 500, distance: 3400 },
  angle: { x: 496, y: 494, yaw: 0.12, pitch: -0.68, distance: 1900, scale: 1.14 },
};

/** A portrait artwork gets a portrait card. */
const cardOf = ({ width, height }: Pick<ArtSeen, 'width' | 'height'>): Box =>
  width >= height ? { width: LONG, height: SHORT } : { width: SHORT, height: LONG };

/** A stack of business cards with a single card beside it. */
export const businessCard: Product = {
  wish: (art) => fillOrPlace(art, { box: cardOf(art), part: PART }),
  scene(art, { view: name, color = CARD, density }) {
    const view = viewOf(POSES[name]);
    const isUpright = art.height > art.width;
    const card = isUpright ? { width: SHORT, height: LONG } : { width: LONG, height: SHORT };
    const [sx, sy, ox, oy] = isUpright ? [-182, -60, 176, 44] : [-84, -196, 96, 176];
    const stack: Slab = {
      at: [sx!, sy!, -STACK],
      ...rolled(-0.12),
      ...card,
      depth: STACK,
      radius: 2,
      round: 1,
    };
    const single: Slab = { at: [ox!, oy!, -ONE], ...rolled(0.16), ...card, depth: ONE, radius: 2, round: 1 };
    const { shadow, sides, faces } = keep(`business_card ${name} ${isUpright}`, () =>
      cardMaps(view, [single, stack]),
    );
    const print = printIn(art, card, { gain: 0.93, floor: 0.006, part: PART });
    return {
      shadow,
      layers: [0, 1].flatMap((at): Layer[] => [
        { maps: sides[at]!, color: CARD, texture: sheets(density) },
        { maps: faces[at]!, color, texture: evenCoat(density), print },
      ]),
    };
  },
};

function cardMaps(view: View, slabs: readonly Slab[]) {
  const [one, other] = slabs.map(slabSolid) as [Solid, Solid];
  return {
    shadow: solidShadow(view, (x, y, z) => Math.min(one(x, y, z), other(x, y, z)), {
      plane: 'z',
      at: 0,
      reach: 480,
    }),
    sides: slabs.map((slab) =>
      slabMaps(view, slab, { step: 1.5, under: slab, shade: edgeShade(slab.depth) }),
    ),
    faces: slabs.map((slab) => faceMaps(view, slab)),
  };
}

const edgeShade = (depth: number) => (node: Node, place: SlabPlace) => {
  alongEdges(node, place);
  const { behind } = place;
  node.light *= 1 - 0.25 * smoothStep(0.55 * depth, depth, behind);
};

function faceMaps(view: View, slab: Slab) {
  return panelMaps(view, slab, {}, (node, { u, v }) => {
    node.light *= 1.01 - 0.035 * smoothStep(-300, 300, u + v);
    node.gloss = 0.004 + 0.012 * smoothStep(260, -260, u + v);
  });
}
