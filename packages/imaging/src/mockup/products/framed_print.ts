import { type Field, fieldOf, valueAt } from '../field.ts';
import { fitArt, type Product, type ViewName } from '../scene.ts';
import { movedView, type Pose, viewOf } from '../view.ts';
import { frameAround, framed, OAK } from './poster.ts';
import { sofaLayers, sofaOnWall } from './sofa.ts';

/** The frame hangs so far above the back of the sofa; its own units, a centimetre is 8.5 of them. */
const ABOVE = 190;
/** The largest print: landscapes may be as wide as over a sofa they are. */
const ROOM = { width: 940, height: 700 };
/** Where its lower edge is. */
const LOWER = 430;
const POSES: Record<ViewName, Pose> = {
  front: { x: 500, y: 372, distance: 4200, scale: 0.52 },
  angle: { x: 548, y: 372, yaw: 0.42, pitch: 0.02, distance: 3800, scale: 0.49 },
};

/** A framed print on a wall of the colour of the background, over a sofa. */
export const framedPrint: Product = {
  wish: (size) => {
    const { scale = 1 } = POSES.front;
    const seen = { width: scale * ROOM.width, height: scale * ROOM.height };
    return { box: fitArt(size, seen), fit: 'contain', ground: '#ffffff' };
  },
  scene(art, { view: name, color = OAK, density }) {
    const room = viewOf(POSES[name]);
    const { height } = frameAround(art, ROOM);
    // A low frame would leave too much of the wall to the sofa: it hangs somewhat lower.
    const view = movedView(room, [0, LOWER - height / 2 - 0.35 * (2 * LOWER - height), 0]);
    const { shadow, layers } = framed(view, art, { room: ROOM, isFront: name === 'front', color, density });
    return {
      shadow: bothShadows(shadow, sofaOnWall(room, LOWER + ABOVE, name)),
      layers: [...layers, ...sofaLayers(room, LOWER + ABOVE, { name, density })],
    };
  },
};

const bothShadows = (one: Field, other: Field): Field =>
  fieldOf((x, y) => 1 - (1 - valueAt(one, x, y)) * (1 - valueAt(other, x, y)), one.side);
