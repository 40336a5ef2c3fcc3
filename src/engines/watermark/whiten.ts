import { boxMean } from './box_mean.ts';
import type { Plane } from './plane.ts';

/**
 * Takes away what a picture shows and keeps what may be hidden in it: deviations from the surroundings, brought to the same
 * strength everywhere and bounded, so that edges do not drown plain areas.
 */
export function whitened(frame: Plane): Plane {
  const smooth = boxMean(boxMean(frame, 2), 2).data;
  const fine = frame.data.map((value, at) => value - smooth[at]!);
  const level = boxMean({ ...frame, data: fine.map(Math.abs) }, 5).data;
  const data = fine.map((value, at) => {
    const usual = level[at]! + 0.6;
    const bounded = Math.max(-1.6, Math.min(1.6, value / usual));
    return bounded * Math.min(1, 3 / usual);
  });
  return { ...frame, data };
}
