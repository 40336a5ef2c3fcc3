/** An axis-aligned rectangle from its upper left corner, in the unit its user states. */
export interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** The bounding box of several boxes. @param boxes at least one */
export function boxAround(boxes: readonly Box[]): Box {
  const x = Math.min(...boxes.map((box) => box.x));
  const y = Math.min(...boxes.map((box) => box.y));
  const right = Math.max(...boxes.map((box) => box.x + box.width));
  const bottom = Math.max(...boxes.map((box) => box.y + box.height));
  return { x, y, width: right - x, height: bottom - y };
}

/** Sorts boxes by area, largest first. */
export const largestFirst = <B extends Box>(boxes: readonly B[]): B[] =>
  boxes.toSorted((one, other) => other.width * other.height - one.width * one.height);
