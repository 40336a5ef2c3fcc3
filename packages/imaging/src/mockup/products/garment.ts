import type { Art } from '../art.ts';
import { fitArt } from '../scene.ts';
import { boxAround, planeHit, type Spot, type View } from '../view.ts';

/** A garment on a table, in places of its front view, before a camera that turns about its middle. */
export function laidOut(view: View, middle: { readonly x: number; readonly y: number }) {
  const hit = planeHit(view);
  /** Where on the garment a place of the scene lies. */
  const place = (x: number, y: number): Spot => {
    const [px, py] = hit(x, y);
    return [px + middle.x, py + middle.y];
  };
  return {
    place,
    boxAround: (spots: readonly Spot[], margin: number) =>
      boxAround(
        spots.map(([x, y]) => view.project(x - middle.x, y - middle.y, 0)),
        margin,
      ),
    /** How large a unit of the garment is seen. */
    spread: (x: number, y: number): number => {
      const [[ax, ay], [bx, by]] = [place(x - 0.5, y - 0.5), place(x + 0.5, y + 0.5)];
      return Math.SQRT2 / Math.max(0.2, Math.hypot(bx - ax, by - ay));
    },
  };
}

/** Artwork printed on cloth: as large as it fits, from the upper edge of its place on. @param place middle of its upper edge, and its sides */
export function printedOn(
  art: Art,
  place: { readonly x: number; readonly y: number; readonly width: number; readonly height: number },
) {
  const { width, height } = fitArt(art, place);
  return { art, x: place.x, y: place.y + height / 2, width, height, gain: 0.9, floor: 0.012 };
}
