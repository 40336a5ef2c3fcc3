import type { Art } from '../art.ts';
import { fitArt } from '../scene.ts';
import { boundingBox, intersectPlane, type Point2, type View } from '../view.ts';

/** A garment on a table, in the coordinates of its front view; the camera turns about its centre. */
export function layOut(view: View, middle: { readonly x: number; readonly y: number }) {
  const hit = intersectPlane(view);
  /** Position on the garment of a scene position. */
  const position = (x: number, y: number): Point2 => {
    const [px, py] = hit(x, y);
    return [px + middle.x, py + middle.y];
  };
  return {
    position,
    boxAround: (points: readonly Point2[], margin: number) =>
      boundingBox(
        points.map(([x, y]) => view.project(x - middle.x, y - middle.y, 0)),
        margin,
      ),
    /** Scene units per garment unit at this point. */
    spread: (x: number, y: number): number => {
      const [[ax, ay], [bx, by]] = [position(x - 0.5, y - 0.5), position(x + 0.5, y + 0.5)];
      return Math.SQRT2 / Math.max(0.2, Math.hypot(bx - ax, by - ay));
    },
  };
}

/**
 * A print on cloth, as large as fits, aligned with the top of its area.
 * @param position centre of the upper edge, and the size of the area
 */
export function printOnCloth(
  art: Art,
  position: { readonly x: number; readonly y: number; readonly width: number; readonly height: number },
) {
  const { width, height } = fitArt(art, position);
  return { art, x: position.x, y: position.y + height / 2, width, height, gain: 0.9, floor: 0.012 };
}
