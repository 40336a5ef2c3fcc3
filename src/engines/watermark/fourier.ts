/** Complex numbers as two arrays. */
export interface Complex {
  readonly real: Float32Array;
  readonly imaginary: Float32Array;
}

export const complexOf = (length: number): Complex => ({
  real: new Float32Array(length),
  imaginary: new Float32Array(length),
});

/** In place, forward, of a square whose side is a power of two (Cooley–Tukey). The inverse is the same with the parts exchanged. */
export function transformSquare(square: Complex, side: number): void {
  const plan = planOf(side);
  for (let row = 0; row < side; row++) transformLine(square, row * side, plan);
  transpose(square.real, side);
  transpose(square.imaginary, side);
  for (let row = 0; row < side; row++) transformLine(square, row * side, plan);
  transpose(square.real, side);
  transpose(square.imaginary, side);
}

interface Plan {
  readonly side: number;
  readonly reversed: Uint16Array;
  readonly cosines: Float32Array;
  readonly sines: Float32Array;
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
    cosines: Float32Array.from({ length: side / 2 }, (_, index) => Math.cos(angle(index))),
    sines: Float32Array.from({ length: side / 2 }, (_, index) => Math.sin(angle(index))),
  };
  PLANS.set(side, plan);
  return plan;
}

function transformLine({ real, imaginary }: Complex, start: number, plan: Plan): void {
  const { side, reversed, cosines, sines } = plan;
  for (let at = 0; at < side; at++) {
    const other = reversed[at]!;
    if (other <= at) continue;
    swap(real, start + at, start + other);
    swap(imaginary, start + at, start + other);
  }
  for (let half = 1; half < side; half *= 2) {
    const stride = side / (2 * half);
    for (let block = start; block < start + side; block += 2 * half) {
      for (let at = 0; at < half; at++) {
        const [low, high] = [block + at, block + at + half];
        const c = cosines[at * stride]!;
        const s = sines[at * stride]!;
        const x = real[high]! * c - imaginary[high]! * s;
        const y = real[high]! * s + imaginary[high]! * c;
        real[high] = real[low]! - x;
        imaginary[high] = imaginary[low]! - y;
        real[low]! += x;
        imaginary[low]! += y;
      }
    }
  }
}

function swap(values: Float32Array, one: number, other: number): void {
  const value = values[one]!;
  values[one] = values[other]!;
  values[other] = value;
}

function transpose(values: Float32Array, side: number): void {
  for (let row = 1; row < side; row++)
    for (let column = 0; column < row; column++) swap(values, row * side + column, column * side + row);
}
