import type { Plane } from '../pixels/plane.ts';
import { MOVES } from './frequency_map.ts';
import { align, type Placement } from './placement.ts';
import { agreementOf } from './read_mark.ts';

/** How far the edges are moved at first and at last, in pixels of the frame. */
const EDGE_PX = [0.6, 0.3, 0.15] as const;

type PlacementMove = (placement: Placement, pixels: number) => Placement;

/**
 * Moves a placement by parts of a pixel to where the known values of the header agree best. The pilot tells a place to
 * some tenths of a pixel; in the busiest pictures that is too little, because there every detail is many steps high.
 */
export function sharpenPlacement(picture: Plane, start: Placement): Placement {
  const value = (placement: Placement) => {
    const aligned = align(picture, placement);
    return aligned ? agreementOf(aligned) : 0;
  };
  const moves = movesIn(picture, start);
  let placement = start;
  let best = value(placement);
  for (const pixels of EDGE_PX) {
    for (const move of moves) {
      for (const sign of [pixels, -pixels]) {
        const moved = move(placement, sign);
        const there = value(moved);
        if (there > best) [placement, best] = [moved, there];
      }
    }
  }
  return placement;
}

function movesIn({ width, height }: Plane, { bend }: Placement): PlacementMove[] {
  const reach = Math.max(width, height) / 2;
  return [
    (placement, pixels) => ({ ...placement, left: placement.left + pixels }),
    (placement, pixels) => ({ ...placement, top: placement.top + pixels }),
    ...MOVES.free.map(
      (move): PlacementMove =>
        (placement, pixels) =>
          holdMiddle([width / 2, height / 2], placement, {
            ...placement,
            ...move(placement, pixels / reach),
          }),
    ),
    ...(bend ? (['across', 'down'] as const).map((axis) => bendBy(axis, reach)) : []),
  ];
}

/** Moves the edges and leaves the middle where it is. */
const bendBy =
  (axis: 'across' | 'down', reach: number): PlacementMove =>
  (placement, pixels) =>
    placement.bend
      ? { ...placement, bend: { ...placement.bend, [axis]: placement.bend[axis] + pixels / reach ** 2 } }
      : placement;

/** Moves `to` so that what `from` has in the middle stays there. */
function holdMiddle([u, v]: readonly [number, number], from: Placement, to: Placement): Placement {
  const area = from.xx * from.yy - from.xy * from.yx;
  const x = (from.yy * (u - from.left) - from.xy * (v - from.top)) / area;
  const y = (from.xx * (v - from.top) - from.yx * (u - from.left)) / area;
  return { ...to, left: u - to.xx * x - to.xy * y, top: v - to.yx * x - to.yy * y };
}
