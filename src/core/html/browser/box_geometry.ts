/** A box on an image, in fractions of its sides. */
export interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** Edges and corners for resizing: "n", "se". */
export type Grip = 'n' | 'ne' | 'e' | 'se' | 's' | 'sw' | 'w' | 'nw';
export const GRIPS: readonly Grip[] = ['n', 'ne', 'e', 'se', 's', 'sw', 'w', 'nw'];

/** Minimum side; a smaller box cannot be grabbed. */
const SIDE_MIN = 0.01;

const within = (value: number, low: number, high: number): number => Math.max(low, Math.min(high, value));

/** Moves the box within the image. */
export const moveBox = (box: Box, dx: number, dy: number): Box => ({
  ...box,
  x: within(box.x + dx, 0, Math.max(0, 1 - box.width)),
  y: within(box.y + dy, 0, Math.max(0, 1 - box.height)),
});

/**
 * Resizes the box by an edge or corner; the opposite one stays.
 * @param ratio aspect ratio to keep, in image fractions. Unset: free
 */
export function pullBox(box: Box, grip: Grip, { dx, dy }: { dx: number; dy: number }, ratio?: number): Box {
  let [left, top] = [box.x, box.y];
  let [right, bottom] = [box.x + box.width, box.y + box.height];
  if (grip.includes('w')) left = within(left + dx, 0, right - SIDE_MIN);
  if (grip.includes('e')) right = within(right + dx, left + SIDE_MIN, 1);
  if (grip.includes('n')) top = within(top + dy, 0, bottom - SIDE_MIN);
  if (grip.includes('s')) bottom = within(bottom + dy, top + SIDE_MIN, 1);
  const pulled = { x: left, y: top, width: right - left, height: bottom - top };
  return ratio === undefined ? pulled : withRatio(pulled, grip, ratio);
}

/** Shrinks a resized box to a ratio, towards the fixed edges. */
function withRatio({ x, y, width, height }: Box, grip: Grip, ratio: number): Box {
  const byHeight = grip === 'n' || grip === 's';
  let [wide, high] = byHeight ? [height * ratio, height] : [width, width / ratio];
  const roomAcross = grip.includes('w') ? x + width : 1 - x;
  const roomDown = grip.includes('n') ? y + height : 1 - y;
  const shrink = Math.min(1, roomAcross / wide, roomDown / high);
  wide *= shrink;
  high *= shrink;
  return {
    x: grip.includes('w') ? x + width - wide : x,
    y: grip.includes('n') ? y + height - high : y,
    width: wide,
    height: high,
  };
}

/** The largest centred box of a ratio. */
export function middleBox(ratio: number): Box {
  const [width, height] = ratio > 1 ? [1, 1 / ratio] : [ratio, 1];
  return { x: (1 - width) / 2, y: (1 - height) / 2, width, height };
}

/** The box between two points. */
export const boxBetween = (from: readonly [number, number], to: readonly [number, number]): Box => {
  const [x, y] = [within(Math.min(from[0], to[0]), 0, 1), within(Math.min(from[1], to[1]), 0, 1)];
  return {
    x,
    y,
    width: within(Math.max(from[0], to[0]), 0, 1) - x,
    height: within(Math.max(from[1], to[1]), 0, 1) - y,
  };
};

const hundredths = (share: number): number => Math.round(share * 1e4) / 100;

/** Box for operations: `{x: "12.5%", …}`, rounded to stay within the image. */
export function inPercent(box: Box): Record<keyof Box, string> {
  const [x, y] = [hundredths(box.x), hundredths(box.y)];
  const width = Math.min(hundredths(box.width), hundredths(1 - x / 100));
  const height = Math.min(hundredths(box.height), hundredths(1 - y / 100));
  return { x: `${x}%`, y: `${y}%`, width: `${width}%`, height: `${height}%` };
}

interface Size {
  readonly width: number;
  readonly height: number;
}

/** Box in whole px of an image. */
export const inPx = ({ x, y, width, height }: Box, full: Size): Box => ({
  x: Math.round(x * full.width),
  y: Math.round(y * full.height),
  width: Math.max(1, Math.round(width * full.width)),
  height: Math.max(1, Math.round(height * full.height)),
});

/** A length as a fraction of a side; undefined for units that need a resolution. */
export function shareOf(length: unknown, whole: number): number | undefined {
  if (typeof length === 'number') return length / whole;
  const [, number, unit = 'px'] = /^\s*([+-]?[\d.]+)\s*(px|%)?\s*$/i.exec(String(length)) ?? [];
  if (number === undefined) return undefined;
  return unit === '%' ? Number(number) / 100 : Number(number) / whole;
}

/** A box in image fractions; undefined if a side is missing or in mm. */
export function boxIn(sent: unknown, full: Size): Box | undefined {
  if (typeof sent !== 'object' || sent === null) return undefined;
  const { x, y, width, height } = sent as Record<string, unknown>;
  const sides = [
    shareOf(x, full.width),
    shareOf(y, full.height),
    shareOf(width, full.width),
    shareOf(height, full.height),
  ];
  if (sides.some((side) => side === undefined || Number.isNaN(side))) return undefined;
  const [left, top, wide, high] = sides as [number, number, number, number];
  return { x: left, y: top, width: wide, height: high };
}

/** Parses an aspect ratio such as "16:9", "1.5" or 1.5. */
export function aspectIn(aspect: unknown): number | undefined {
  const [, width, height = '1'] =
    /^\s*(\d+(?:\.\d+)?)\s*(?:[:/x×]\s*(\d+(?:\.\d+)?))?\s*$/.exec(String(aspect ?? '')) ?? [];
  const value = Number(width) / Number(height);
  return Number.isFinite(value) && value > 0 ? value : undefined;
}

/** Angle of a point around the centre, in degrees clockwise from the top, −180 to 180. */
export const angleAt = (dx: number, dy: number): number => (Math.atan2(dx, -dy) * 180) / Math.PI;
