import { quickBoxMean } from '../pixels/box_mean.ts';
import type { Plane } from '../pixels/plane.ts';

/**
 * Takes away what a picture shows and keeps what may be hidden in it: deviations from the surroundings, brought to the same
 * strength everywhere and bounded, so that edges do not drown plain areas.
 */
export function whitened(frame: Plane): Plane {
  const fine = quickBoxMean(quickBoxMean(frame, 2), 2).data;
  const size = new Float32Array(fine.length);
  for (let at = 0; at < fine.length; at++) {
    fine[at] = frame.data[at]! - fine[at]!;
    size[at] = Math.abs(fine[at]!);
  }
  const level = quickBoxMean({ ...frame, data: size }, 5).data;
  for (let at = 0; at < fine.length; at++) {
    const usual = level[at]! + 0.6;
    const bounded = Math.max(-1.6, Math.min(1.6, fine[at]! / usual));
    fine[at] = bounded * Math.min(1, 3 / usual);
  }
  return { ...frame, data: fine };
}
