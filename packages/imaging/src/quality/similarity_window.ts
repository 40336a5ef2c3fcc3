const RADIUS = 5;
const DEVIATION_PX = 1.5;
const C1 = (0.01 * 255) ** 2;
const C2 = (0.03 * 255) ** 2;

const WEIGHTS = (() => {
  const weights = Float64Array.from({ length: 2 * RADIUS + 1 }, (_, at) =>
    Math.exp(-((at - RADIUS) ** 2) / (2 * DEVIATION_PX ** 2)),
  );
  const sum = weights.reduce((total, weight) => total + weight, 0);
  return weights.map((weight) => weight / sum);
})();

/** Side of a window in pixels. */
export const WINDOW_PX = WEIGHTS.length;

/**
 * Structural similarity (SSIM) of one 11 × 11 window with a Gaussian of 1.5 pixels: 1 if both are equal. Z. Wang et al., IEEE Trans. Image
 * Process. 13 (2004). Watermark strength depends on it, so results must stay bit-identical.
 * @param ones eleven rows of luma, 0 to 255; `others` those of the other image
 */
export function compareWindow(
  ones: readonly Float32Array[],
  others: readonly Float32Array[],
  left: number,
): number {
  let x = 0;
  let y = 0;
  let xx = 0;
  let yy = 0;
  let xy = 0;
  for (let line = 0; line < WINDOW_PX; line++) {
    const first = ones[line]!;
    const second = others[line]!;
    const down = WEIGHTS[line]!;
    for (let at = 0; at < WINDOW_PX; at++) {
      const weight = down * WEIGHTS[at]!;
      const a = first[left + at]!;
      const b = second[left + at]!;
      x += weight * a;
      y += weight * b;
      xx += weight * a * a;
      yy += weight * b * b;
      xy += weight * a * b;
    }
  }
  const means = (2 * x * y + C1) / (x * x + y * y + C1);
  return (means * (2 * (xy - x * y) + C2)) / (xx - x * x + yy - y * y + C2);
}
