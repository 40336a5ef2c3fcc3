import type { Plane } from '../pixels/plane.ts';

/** Steps of colour (OKLab) smaller than this are hardly seen as an edge. */
const STEP_MIN = 0.04;
const REACH_PX = 2;

/**
 * How large the steps of colour across the outline of a mask are, on the mean, and in which part of it there is hardly one. An
 * outline that follows an object has larger ones than one through the middle of something. The edge of the picture is left out.
 * @param lab interleaved OKLab, of the mask's size
 */
export function outlineContrast(
  { width, height, data }: Plane,
  lab: Float32Array,
): { mean: number; weakPart: number } {
  let [sum, weak, count] = [0, 0, 0];
  for (let y = REACH_PX; y < height - REACH_PX; y++) {
    for (let x = REACH_PX; x < width - REACH_PX; x++) {
      for (const away of [REACH_PX, REACH_PX * width]) {
        const [before, after] = [y * width + x - away, y * width + x + away];
        if (data[before]! > 0.5 === data[after]! > 0.5) continue;
        const step = distance(lab, 3 * before, 3 * after);
        sum += step;
        count++;
        if (step < STEP_MIN) weak++;
      }
    }
  }
  return count === 0 ? { mean: 0, weakPart: 1 } : { mean: sum / count, weakPart: weak / count };
}

const distance = (lab: Float32Array, one: number, other: number): number =>
  Math.hypot(lab[one]! - lab[other]!, lab[one + 1]! - lab[other + 1]!, lab[one + 2]! - lab[other + 2]!);
