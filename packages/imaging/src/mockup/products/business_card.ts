import { type ArtProperties, coverOrContain } from '../art.ts';
import type { Box } from '../convex.ts';
import { centrePrint, type Layer, type Node } from '../layer.ts';
import { type LinearRgb, smoothStep } from '../light.ts';
import { cached } from '../map_cache.ts';
import type { Product, ViewName } from '../scene.ts';
import {
  edgeCoordinates,
  panelMaps,
  rotatedInPlane,
  type Slab,
  type SlabPoint,
  slabMaps,
  slabSolid,
} from '../slab.ts';
import { type Solid, solidShadow } from '../solid.ts';
import { paperEdges, unevenCoat } from '../texture.ts';
import { createView, type Pose, type View } from '../view.ts';

/** A card of 85 × 55 mm at 5.5 units per millimetre. z = 0 is the table. */
const LONG = 468;
const SHORT = 303;
const MOTIF_SHARE = 0.7;
/** Height of a stack of fifteen cards, and of one card. */
const STACK = 44;
const ONE = 3.2;
/** Coated card, linear RGB. */
const CARD: LinearRgb = [0.86, 0.86, 0.85];
const POSES: Record<ViewName, Pose> = {
  front: { x: 500, y: 500, distance: 3400 },
  angle: { x: 496, y: 494, yaw: 0.12, pitch: -0.68, distance: 1900, scale: 1.14 },
};

/** A portrait artwork gets a portrait card. */
const cardSize = ({ width, height }: Pick<ArtProperties, 'width' | 'height'>): Box =>
  width >= height ? { width: LONG, height: SHORT } : { width: SHORT, height: LONG };

/** A stack of business cards with a single card beside it. */
export const businessCard: Product = {
  placement: (art) => coverOrContain(art, { box: cardSize(art), part: MOTIF_SHARE }),
  scene(art, { view: name, color = CARD, density }) {
    const view = createView(POSES[name]);
    const isUpright = art.height > art.width;
    const card = isUpright ? { width: SHORT, height: LONG } : { width: LONG, height: SHORT };
    const [sx, sy, ox, oy] = isUpright ? [-182, -60, 176, 44] : [-84, -196, 96, 176];
    const stack: Slab = {
      at: [sx!, sy!, -STACK],
      ...rotatedInPlane(-0.12),
      ...card,
      depth: STACK,
      radius: 2,
      round: 1,
    };
    const single: Slab = {
      at: [ox!, oy!, -ONE],
      ...rotatedInPlane(0.16),
      ...card,
      depth: ONE,
      radius: 2,
      round: 1,
    };
    const { shadow, sides, faces } = cached(`business_card ${name} ${isUpright}`, () =>
      cardMaps(view, [single, stack]),
    );
    const print = centrePrint(art, card, { gain: 0.93, floor: 0.006, part: MOTIF_SHARE });
    return {
      shadow,
      layers: [0, 1].flatMap((at): Layer[] => [
        { maps: sides[at]!, color: CARD, texture: paperEdges(density) },
        { maps: faces[at]!, color, texture: unevenCoat(density), print },
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

const edgeShade = (depth: number) => (node: Node, position: SlabPoint) => {
  edgeCoordinates(node, position);
  const { behind } = position;
  node.light *= 1 - 0.25 * smoothStep(0.55 * depth, depth, behind);
};

function faceMaps(view: View, slab: Slab) {
  return panelMaps(view, slab, {}, (node, { u, v }) => {
    node.light *= 1.01 - 0.035 * smoothStep(-300, 300, u + v);
    node.gloss = 0.004 + 0.012 * smoothStep(260, -260, u + v);
  });
}
