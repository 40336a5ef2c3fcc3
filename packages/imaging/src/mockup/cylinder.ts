import type { Point2, Vector, View } from './view.ts';

const RING = 240;

/** Projects a circle around the axis into the scene. */
export const projectCircle = (view: View, y: number, radius: number): Point2[] =>
  Array.from({ length: RING }, (_, at) => {
    const turn = (2 * Math.PI * at) / RING;
    return view.project(radius * Math.cos(turn), y, radius * Math.sin(turn));
  });

/** Intersects a ray with an upright cylinder: its near side, or from inside its far side. Returns false if the ray misses it. */
export function intersectCylinder(
  eye: Vector,
  direction: Float64Array,
  { radius, isFar }: { radius: number; isFar: boolean },
  hit: Float64Array,
): boolean {
  const [wx, wz] = [direction[0]!, direction[2]!];
  const a = wx * wx + wz * wz;
  const b = eye[0] * wx + eye[2] * wz;
  const square = b * b - a * (eye[0] * eye[0] + eye[2] * eye[2] - radius * radius);
  // For a ray that misses, the closest point is still needed for interpolation.
  const along = (-b + (isFar ? 1 : -1) * Math.sqrt(Math.max(0, square))) / a;
  for (let at = 0; at < 3; at += 1) hit[at] = eye[at]! + along * direction[at]!;
  hit[3] = along;
  return square >= 0;
}
