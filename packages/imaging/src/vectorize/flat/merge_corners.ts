import type { Curve } from '../fit_curve.ts';

/** A straight segment shorter than this (pixels) between two longer than `SIDE_MIN` is a corner cut off by pixels. */
const CUT_MAX = 2.2;
const SIDE_MIN = 3;
/** Maximum distance of the corner from the cut, in pixels. */
const TIP_MAX = 3;

/** Replaces each short segment between two long straight ones by the intersection of these. */
export function mergeCorners(curve: Curve, isLoop: boolean): Curve {
  const ends = [[curve[0]!, curve[1]!]];
  const handles: number[][] = [];
  for (let at = 2; at < curve.length; at += 6) {
    handles.push(curve.slice(at, at + 4));
    ends.push([curve[at + 4]!, curve[at + 5]!]);
  }
  for (let piece = isLoop ? 0 : 1; piece < handles.length - (isLoop ? 0 : 1) && handles.length > 3; piece++) {
    const before = (piece + handles.length - 1) % handles.length;
    const after = (piece + 1) % handles.length;
    if ([before, piece, after].some((one) => !Number.isNaN(handles[one]![0]))) continue;
    const length = (one: number) =>
      Math.hypot(ends[one + 1]![0]! - ends[one]![0]!, ends[one + 1]![1]! - ends[one]![1]!);
    if (length(piece) > CUT_MAX || length(before) < SIDE_MIN || length(after) < SIDE_MIN) continue;
    const corner = crossing(ends[before]!, ends[before + 1]!, ends[after]!, ends[after + 1]!);
    if (!corner) continue;
    handles.splice(piece, 1);
    ends.splice(piece, 2, corner);
    if (!isLoop) continue;
    if (piece === 0) ends[ends.length - 1] = corner;
    if (piece === handles.length) ends[0] = corner;
  }
  return [...ends[0]!, ...handles.flatMap((own, piece) => [...own, ...ends[piece + 1]!])];
}

type Place = readonly number[];

/** Intersection of two straight segments, if it is near the end of the first. */
function crossing([ax, ay]: Place, [bx, by]: Place, [cx, cy]: Place, [dx, dy]: Place): number[] | undefined {
  const [ux, uy, vx, vy] = [bx! - ax!, by! - ay!, dx! - cx!, dy! - cy!];
  const cross = ux * vy - uy * vx;
  if (Math.abs(cross) < 0.1 * Math.hypot(ux, uy) * Math.hypot(vx, vy)) return undefined;
  const along = ((cx! - ax!) * vy - (cy! - ay!) * vx) / cross;
  const [x, y] = [ax! + along * ux, ay! + along * uy];
  return Math.hypot(x - bx!, y - by!) <= TIP_MAX ? [x, y] : undefined;
}
