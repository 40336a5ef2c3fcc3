/** Complex numbers as two arrays. */
export interface Complex {
  readonly real: Float32Array;
  readonly imaginary: Float32Array;
}

export const complexOf = (length: number): Complex => ({
  real: new Float32Array(length),
  imaginary: new Float32Array(length),
});

/**
 * Forward FFT in place of a square whose side is a power of two (Cooley–Tukey, two levels at a time). For the inverse, swap the real and imaginary
 * parts.
 */
export function transformSquare(square: Complex, side: number): void {
  const plan = planOf(side);
  for (let row = 0; row < side; row++) transformRow(square, row * side, plan);
  transformColumns(square, plan);
}

interface Plan {
  readonly side: number;
  readonly reversed: Uint16Array;
  /** Cosines of a full turn in `side` steps, backwards, followed by its sines. */
  readonly cosines: Float64Array;
  readonly sines: Float64Array;
}

const PLANS = new Map<number, Plan>();

function planOf(side: number): Plan {
  const known = PLANS.get(side);
  if (known) return known;
  const bits = Math.log2(side);
  const reversed = Uint16Array.from({ length: side }, (_, index) => {
    let mirrored = 0;
    for (let bit = 0; bit < bits; bit++) if (index & (1 << bit)) mirrored |= 1 << (bits - 1 - bit);
    return mirrored;
  });
  const angle = (index: number) => (-2 * Math.PI * index) / side;
  const plan = {
    side,
    reversed,
    cosines: Float64Array.from({ length: side }, (_, index) => Math.cos(angle(index))),
    sines: Float64Array.from({ length: side }, (_, index) => Math.sin(angle(index))),
  };
  PLANS.set(side, plan);
  return plan;
}

/** Whether one level remains after pairing levels. */
const hasOddLevel = (side: number): boolean => Math.log2(side) % 2 === 1;

function transformRow({ real, imaginary }: Complex, start: number, plan: Plan): void {
  const { side, reversed } = plan;
  // Rows of zeros stay zero; a sparse spectrum has many.
  if (isEmpty(real, start, side) && isEmpty(imaginary, start, side)) return;
  for (let at = 0; at < side; at++) {
    const other = reversed[at]!;
    if (other <= at) continue;
    swap(real, start + at, start + other);
    swap(imaginary, start + at, start + other);
  }
  let done = 1;
  if (hasOddLevel(side)) {
    for (let at = start; at < start + side; at += 2) addPairs(real, imaginary, at, 1, 1);
    done = 2;
  }
  for (; done < side; done *= 4) {
    const step = side / (4 * done);
    for (let block = start; block < start + side; block += 4 * done)
      addFours(real, imaginary, block, done, done, plan, 0, step);
  }
}

/** Transforms all columns together, so that memory is read in order. */
function transformColumns({ real, imaginary }: Complex, plan: Plan): void {
  const { side, reversed } = plan;
  for (let row = 0; row < side; row++) {
    const other = reversed[row]!;
    if (other <= row) continue;
    for (let x = 0; x < side; x++) {
      swap(real, row * side + x, other * side + x);
      swap(imaginary, row * side + x, other * side + x);
    }
  }
  let done = 1;
  if (hasOddLevel(side)) {
    for (let row = 0; row < side; row += 2) addPairs(real, imaginary, row * side, side, side);
    done = 2;
  }
  for (; done < side; done *= 4) {
    const step = side / (4 * done);
    for (let block = 0; block < side; block += 4 * done)
      for (let at = 0; at < done; at++)
        addFours(real, imaginary, (block + at) * side, done * side, side, plan, at * step, 0);
  }
}

function isEmpty(values: Float32Array, start: number, length: number): boolean {
  for (let at = start; at < start + length; at++) if (values[at] !== 0) return false;
  return true;
}

function swap(values: Float32Array, one: number, other: number): void {
  const value = values[one]!;
  values[one] = values[other]!;
  values[other] = value;
}

/** First level, without twiddle factors: `count` pairs at a distance of `apart`. */
function addPairs(
  real: Float32Array,
  imaginary: Float32Array,
  start: number,
  apart: number,
  count: number,
): void {
  for (let low = start; low < start + count; low++) {
    const x = real[low + apart]!;
    const y = imaginary[low + apart]!;
    real[low + apart] = real[low]! - x;
    imaginary[low + apart] = imaginary[low]! - y;
    real[low]! += x;
    imaginary[low]! += y;
  }
}

/** Two levels of `count` groups of four values at a distance of `apart`, with the twiddle factor of the first group and the step between groups. */
function addFours(
  real: Float32Array,
  imaginary: Float32Array,
  start: number,
  apart: number,
  count: number,
  { cosines, sines }: Plan,
  turn: number,
  step: number,
): void {
  const end = start + count;
  for (let i0 = start, t = turn; i0 < end; i0++, t += step) {
    const i1 = i0 + apart;
    const i2 = i1 + apart;
    const i3 = i2 + apart;
    const c1 = cosines[2 * t]!;
    const s1 = sines[2 * t]!;
    const c2 = cosines[t]!;
    const s2 = sines[t]!;
    const c3 = cosines[3 * t]!;
    const s3 = sines[3 * t]!;
    const x0 = real[i0]!;
    const y0 = imaginary[i0]!;
    const x1 = real[i1]! * c1 - imaginary[i1]! * s1;
    const y1 = real[i1]! * s1 + imaginary[i1]! * c1;
    const x2 = real[i2]! * c2 - imaginary[i2]! * s2;
    const y2 = real[i2]! * s2 + imaginary[i2]! * c2;
    const x3 = real[i3]! * c3 - imaginary[i3]! * s3;
    const y3 = real[i3]! * s3 + imaginary[i3]! * c3;
    const xSum = x0 + x1;
    const ySum = y0 + y1;
    const xLess = x0 - x1;
    const yLess = y0 - y1;
    const xFar = x2 + x3;
    const yFar = y2 + y3;
    // The difference, rotated by -90°.
    const xDifference = x2 - x3;
    const yDifference = y2 - y3;
    real[i0] = xSum + xFar;
    imaginary[i0] = ySum + yFar;
    real[i1] = xLess + yDifference;
    imaginary[i1] = yLess - xDifference;
    real[i2] = xSum - xFar;
    imaginary[i2] = ySum - yFar;
    real[i3] = xLess - yDifference;
    imaginary[i3] = yLess + xDifference;
  }
}
