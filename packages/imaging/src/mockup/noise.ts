/** Smooth value noise from -1 to 1 with features one unit apart. Deterministic in position and seed. */
export function noise(x: number, y: number, seed = 0): number {
  const column = Math.floor(x);
  const row = Math.floor(y);
  const fx = easeStep(x - column);
  const fy = easeStep(y - row);
  const above = mix(latticeNoise(column, row, seed), latticeNoise(column + 1, row, seed), fx);
  const below = mix(latticeNoise(column, row + 1, seed), latticeNoise(column + 1, row + 1, seed), fx);
  return mix(above, below, fy);
}

/** Fractal noise: each octave has half the size and half the amplitude of the one before; about -1 to 1. */
export function layeredNoise(x: number, y: number, layers: number, seed = 0): number {
  let sum = 0;
  let strength = 0.5;
  let size = 1;
  for (let layer = 0; layer < layers; layer += 1) {
    sum += strength * noise(x * size, y * size, seed + layer);
    strength /= 2;
    size *= 2;
  }
  return sum;
}

const mix = (one: number, other: number, share: number): number => one + share * (other - one);
const easeStep = (t: number): number => t * t * t * (t * (6 * t - 15) + 10);

/** Hash of integer coordinates to -1 … 1: bits mixed as in the finaliser of MurmurHash3 (Appleby, public domain). */
export function latticeNoise(x: number, y: number, seed: number): number {
  let bits = Math.imul(x, 0x27d4eb2d) ^ Math.imul(y, 0x165667b1) ^ Math.imul(seed + 1, 0x9e3779b1);
  bits = Math.imul(bits ^ (bits >>> 16), 0x85ebca6b);
  bits = Math.imul(bits ^ (bits >>> 13), 0xc2b2ae35);
  return ((bits ^ (bits >>> 16)) >>> 0) / 2147483648 - 1;
}
