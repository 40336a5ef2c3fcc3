import { blurPlane, type Planes } from './planes.ts';

export interface Pattern {
  /** One step of the repeat, as parts of width and height. */
  readonly stepX: number;
  readonly stepY: number;
  /** Correlation of the picture with itself one step further, 0 to 1. */
  readonly likeness: number;
}

const SIDE = 96;
const LAG_MAX = 36;
const LAG_MIN = 4;
const LIKENESS_MIN = 0.62;
/** Between one motif and the next it must look unlike. */
const UNLIKE_MAX = 0.2;

/** A motif that comes again and again: a second peak of the autocorrelation, and a third at twice the step. */
export function findPattern({ width, height, lightness }: Planes): Pattern | undefined {
  if (Math.min(width, height) < SIDE) return undefined;
  const shapes = shapesOf(lightness, width, height);
  const energy = shapes.reduce((sum, value) => sum + value * value, 0) / shapes.length;
  if (energy < 0.5) return undefined;
  let best: { x: number; y: number; likeness: number } | undefined;
  for (let y = 0; y <= LAG_MAX; y++)
    for (let x = y === 0 ? LAG_MIN : -LAG_MAX; x <= LAG_MAX; x++) {
      if (Math.hypot(x, y) < LAG_MIN) continue;
      const rough = likenessAt(shapes, x, y, 3);
      if (rough < LIKENESS_MIN - 0.1) continue;
      const likeness = likenessAt(shapes, x, y);
      if (likeness > LIKENESS_MIN && (!best || likeness > best.likeness + 0.02)) best = { x, y, likeness };
    }
  if (!best) return undefined;
  const half = likenessAt(shapes, Math.round(best.x / 2), Math.round(best.y / 2));
  const twice = likenessAt(shapes, 2 * best.x, 2 * best.y);
  if (half > UNLIKE_MAX || twice < 0.45) return undefined;
  return { stepX: Math.abs(best.x) / SIDE, stepY: best.y / SIDE, likeness: best.likeness };
}

/** Correlation of the picture with itself shifted; of every `step`-th pixel each way. */
function likenessAt(shapes: Float32Array, lagX: number, lagY: number, step = 1): number {
  let [both, one, other] = [0, 0, 0];
  for (let y = 0; y < SIDE - lagY; y += step)
    for (let x = Math.max(0, -lagX); x < SIDE - Math.max(0, lagX); x += step) {
      const [here, there] = [shapes[y * SIDE + x]!, shapes[(y + lagY) * SIDE + x + lagX]!];
      both += here * there;
      one += here * here;
      other += there * there;
    }
  return both / Math.max(1e-9, Math.sqrt(one * other));
}

/** The lightness at SIDE × SIDE, without what changes slowly. */
function shapesOf(plane: Float32Array, width: number, height: number): Float32Array {
  const small = new Float32Array(SIDE * SIDE);
  const soft = blurPlane(plane, width, height, Math.max(width, height) / SIDE / 2);
  for (let y = 0; y < SIDE; y++)
    for (let x = 0; x < SIDE; x++)
      small[y * SIDE + x] =
        soft[Math.floor(((y + 0.5) * height) / SIDE) * width + Math.floor(((x + 0.5) * width) / SIDE)]!;
  const slow = blurPlane(small, SIDE, SIDE, 10);
  return small.map((value, at) => value - slow[at]!);
}
