import { type Field, fieldOf, valueAt } from '../field.ts';
import { fitArt, type Product, type ViewName } from '../scene.ts';
import { createView, type Pose, translateView } from '../view.ts';
import { frameAround, framed, OAK } from './poster.ts';
import { sofaLayers, sofaShadow } from './sofa.ts';

/** Distance of the frame above the back of the sofa, in units of the frame: 8.5 per centimetre. */
const ABOVE = 190;
/** The largest print: a landscape may be as wide as the sofa. */
const ROOM = { width: 940, height: 700 };
/** y of its lower edge. */
const LOWER = 430;
const POSES: Record<ViewName, Pose> = {
  front: { x: 500, y: 372, distance: 4200, scale: 0.52 },
  angle: { x: 548, y: 372, yaw: 0.42, pitch: 0.02, distance: 3800, scale: 0.49 },
};

/** A framed print on a wall in the background colour, above a sofa. */
export const framedPrint: Product = {
  placement: (size) => {
    const { scale = 1 } = POSES.front;
    const seen = { width: scale * ROOM.width, height: scale * ROOM.height };
    return { box: fitArt(size, seen), fit: 'contain', background: '#ffffff' };
  },
  scene(art, { view: name, color = OAK, density }) {
    const room = createView(POSES[name]);
    const { height } = frameAround(art, ROOM);
    // A low frame would leave too much wall above the sofa, so it hangs slightly lower.
    const view = translateView(room, [0, LOWER - height / 2 - 0.35 * (2 * LOWER - height), 0]);
    const { shadow, layers } = framed(view, art, { room: ROOM, isFront: name === 'front', color, density });
    return {
      shadow: bothShadows(shadow, sofaShadow(room, LOWER + ABOVE, name)),
      layers: [...layers, ...sofaLayers(room, LOWER + ABOVE, { name, density })],
    };
  },
};

const bothShadows = (one: Field, other: Field): Field =>
  fieldOf((x, y) => 1 - (1 - valueAt(one, x, y)) * (1 - valueAt(other, x, y)), one.side);
