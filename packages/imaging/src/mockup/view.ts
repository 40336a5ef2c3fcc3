/** Position and rotation of an object in front of the camera. Object axes: x to the right, y down, z away from the camera. */
export interface Pose {
  /** Projection of its origin, in scene units. */
  readonly x: number;
  readonly y: number;
  /** Rotation about the vertical axis; positive brings the right side closer to the camera. Radians. */
  readonly yaw?: number;
  /** Rotation about the horizontal axis; positive shows the object from above. Radians. */
  readonly pitch?: number;
  /** Rotation in the image plane, clockwise; radians. */
  readonly roll?: number;
  /** Distance from the camera to the origin of the object. */
  readonly distance: number;
  /** Default: 1. */
  readonly scale?: number;
}

export type Vector = readonly [x: number, y: number, z: number];
export type Point2 = readonly [x: number, y: number];

/** A camera in the object coordinates of a pose. */
export interface View {
  /** Projects a point of the object into the scene. */
  readonly project: (x: number, y: number, z: number) => Point2;
  /** Camera position, in object coordinates. */
  readonly eye: Vector;
  /** Direction of the ray through a scene position, in object coordinates; not normalised. */
  readonly ray: (x: number, y: number, direction: Float64Array) => void;
  /** Converts a direction from object to camera coordinates: right, down, away. */
  readonly toCamera: (x: number, y: number, z: number) => Vector;
}

export function createView({
  x: midX,
  y: midY,
  yaw = 0,
  pitch = 0,
  roll = 0,
  distance,
  scale = 1,
}: Pose): View {
  const [cy, sy, cp, sp, cr, sr] = [yaw, pitch, roll].flatMap((angle) => [
    Math.cos(angle),
    Math.sin(angle),
  ]) as [...[number, number, number, number, number, number]];
  // Rows of the rotation matrix roll × pitch × yaw.
  const tilted = [
    [cy, 0, sy],
    [sp * sy, cp, -sp * cy],
    [-cp * sy, sp, cp * cy],
  ] as const;
  const rows = [
    tilted[0].map((value, at) => cr * value - sr * tilted[1][at]!),
    tilted[0].map((value, at) => sr * value + cr * tilted[1][at]!),
    [...tilted[2]],
  ] as [number[], number[], number[]];
  const along = ([a, b, c]: number[], x: number, y: number, z: number) => a! * x + b! * y + c! * z;
  const back = (at: number, x: number, y: number, z: number) =>
    rows[0][at]! * x + rows[1][at]! * y + rows[2][at]! * z;
  return {
    project: (x, y, z) => {
      const near = (scale * distance) / (distance + along(rows[2], x, y, z));
      return [midX + near * along(rows[0], x, y, z), midY + near * along(rows[1], x, y, z)];
    },
    eye: [back(0, 0, 0, -distance), back(1, 0, 0, -distance), back(2, 0, 0, -distance)],
    ray: (x, y, direction) => {
      for (let at = 0; at < 3; at += 1)
        direction[at] = back(at, (x - midX) / scale, (y - midY) / scale, distance);
    },
    toCamera: (x, y, z) => [along(rows[0], x, y, z), along(rows[1], x, y, z), along(rows[2], x, y, z)],
  };
}

/** Intersects the ray through a scene position with the object plane z = `depth`. */
export function intersectPlane({ eye, ray }: View, depth = 0): (x: number, y: number) => Point2 {
  const direction = new Float64Array(3);
  return (x, y) => {
    ray(x, y, direction);
    const along = (depth - eye[2]) / direction[2]!;
    return [eye[0] + along * direction[0]!, eye[1] + along * direction[1]!];
  };
}

/** Convex hull of projected points (Andrew's monotone chain, 1979). */
export function convexHull(points: readonly Point2[]): Point2[] {
  const sorted = [...points].sort((one, other) => one[0] - other[0] || one[1] - other[1]);
  const chain = (line: readonly Point2[]): Point2[] => {
    const kept: Point2[] = [];
    for (const point of line) {
      while (kept.length > 1 && orientation(kept.at(-2)!, kept.at(-1)!, point) <= 0) kept.pop();
      kept.push(point);
    }
    return kept.slice(0, -1);
  };
  return [...chain(sorted), ...chain(sorted.reverse())];
}

const orientation = (a: Point2, b: Point2, c: Point2): number =>
  (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);

/** Bounding box of these points, with a margin. */
export function boundingBox(points: readonly Point2[], margin = 4) {
  const [xs, ys] = [points.map(([x]) => x), points.map(([, y]) => y)];
  return {
    left: Math.min(...xs) - margin,
    top: Math.min(...ys) - margin,
    right: Math.max(...xs) + margin,
    bottom: Math.max(...ys) + margin,
  };
}

/** The same camera for an object at an offset in the coordinates of another. */
export function translateView(view: View, [dx, dy, dz]: Vector): View {
  return {
    ...view,
    project: (x, y, z) => view.project(x + dx, y + dy, z + dz),
    eye: [view.eye[0] - dx, view.eye[1] - dy, view.eye[2] - dz],
  };
}
