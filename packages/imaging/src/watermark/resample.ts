/** For every output sample, the inputs it is made of: `count` of them from `first` on, with their weights. */
export interface AxisWeights {
  readonly to: number;
  readonly count: number;
  readonly first: Int32Array;
  readonly weights: Float32Array;
}

/** Averages over the area of a sample where there are more samples than wanted; cubic (Catmull–Rom) where there are fewer. */
export function axisWeights(from: number, to: number): AxisWeights {
  const step = from / to;
  const reach = step > 1 ? step / 2 : 2;
  const count = Math.min(from, step > 1 ? Math.ceil(step) + 1 : 4);
  const first = new Int32Array(to);
  const weights = new Float32Array(to * count);
  for (let at = 0; at < to; at++) {
    const centre = (at + 0.5) * step;
    const leftmost = step > 1 ? Math.floor(centre - reach) : Math.floor(centre - 0.5) - 1;
    const start = Math.max(0, Math.min(from - count, leftmost));
    first[at] = start;
    let sum = 0;
    // Inputs beyond the border count for the one at the border.
    for (let index = Math.floor(centre - reach); index <= Math.ceil(centre + reach); index++) {
      const weight = step > 1 ? overlap(index, centre, step) : catmullRom(index + 0.5 - centre);
      const inside = Math.max(start, Math.min(start + count - 1, index));
      weights[at * count + inside - start]! += weight;
      sum += weight;
    }
    for (let tap = 0; tap < count; tap++) weights[at * count + tap]! /= sum;
  }
  return { to, count, first, weights };
}

/** How much of the sample `index` the interval of length `step` around `centre` covers. */
const overlap = (index: number, centre: number, step: number): number =>
  Math.max(0, Math.min(index + 1, centre + step / 2) - Math.max(index, centre - step / 2));

/** R. Keys, Cubic Convolution Interpolation, IEEE Trans. Acoust. Speech Signal Process. 29 (1981), a = -1/2. */
function catmullRom(distance: number): number {
  const x = Math.abs(distance);
  if (x < 1) return 1 + x * x * (1.5 * x - 2.5);
  return x < 2 ? 2 + x * (-4 + x * (2.5 - 0.5 * x)) : 0;
}

/** One row along x. */
export function resampleRow(source: Float32Array, axis: AxisWeights, target: Float32Array): void {
  const { to, count, first, weights } = axis;
  if (count === 4) {
    resampleRowBy4(source, axis, target);
    return;
  }
  for (let at = 0; at < to; at++) {
    const start = first[at]!;
    const row = at * count;
    let sum = 0;
    for (let tap = 0; tap < count; tap++) sum += weights[row + tap]! * source[start + tap]!;
    target[at] = sum;
  }
}

/** `resampleRow` for four taps, the commonest case, without a loop over them. */
function resampleRowBy4(
  source: Float32Array,
  { to, first, weights }: AxisWeights,
  target: Float32Array,
): void {
  for (let at = 0, row = 0; at < to; at++, row += 4) {
    const start = first[at]!;
    target[at] =
      weights[row]! * source[start]! +
      weights[row + 1]! * source[start + 1]! +
      weights[row + 2]! * source[start + 2]! +
      weights[row + 3]! * source[start + 3]!;
  }
}

/** Row `y` of the result along y, of a plane of `width` columns. */
export function resampleColumns(
  source: Float32Array,
  width: number,
  axis: AxisWeights,
  y: number,
  target: Float32Array,
): void {
  const weights = axis.weights.subarray(y * axis.count, (y + 1) * axis.count);
  const start = axis.first[y]! * width;
  if (axis.count === 4) {
    addRowsBy4(source.subarray(start, start + 4 * width), width, weights, target);
    return;
  }
  target.fill(0);
  for (const [tap, weight] of weights.entries()) {
    if (weight === 0) continue;
    const from = start + tap * width;
    for (let x = 0; x < width; x++) target[x]! += weight * source[from + x]!;
  }
}

/** `resampleColumns` for four taps, the commonest case: each value of the result is written once. */
function addRowsBy4(source: Float32Array, width: number, weights: Float32Array, target: Float32Array): void {
  const first = weights[0]!;
  const second = weights[1]!;
  const third = weights[2]!;
  const fourth = weights[3]!;
  for (let x = 0; x < width; x++) {
    target[x] =
      first * source[x]! +
      second * source[x + width]! +
      third * source[x + 2 * width]! +
      fourth * source[x + 3 * width]!;
  }
}
