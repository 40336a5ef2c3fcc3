/** Side of every scene in scene units, independent of the pixel size: coordinates run from 0 at the top left to this. */
export const SCENE = 1000;

/** Scalar values on a coarse square grid over the scene, interpolated bilinearly. */
export interface Field {
  readonly side: number;
  readonly data: Float32Array;
}

const FIELD_SIDE = 500;

export function fieldOf(value: (x: number, y: number) => number, side: number = FIELD_SIDE): Field {
  const data = new Float32Array(side * side);
  for (let row = 0; row < side; row += 1)
    for (let column = 0; column < side; column += 1)
      data[row * side + column] = value(((column + 0.5) * SCENE) / side, ((row + 0.5) * SCENE) / side);
  return { side, data };
}

/** Bilinear value at a position, clamped at the edges. */
export function valueAt({ side, data }: Field, x: number, y: number): number {
  const across = (x * side) / SCENE - 0.5;
  const down = (y * side) / SCENE - 0.5;
  const column = Math.max(0, Math.min(side - 2, Math.floor(across)));
  const row = Math.max(0, Math.min(side - 2, Math.floor(down)));
  const fx = Math.max(0, Math.min(1, across - column));
  const fy = Math.max(0, Math.min(1, down - row));
  const at = row * side + column;
  const one = data[at]!;
  const two = data[at + side]!;
  const above = one + fx * (data[at + 1]! - one);
  const below = two + fx * (data[at + side + 1]! - two);
  return above + fy * (below - above);
}

/** Gradient of a field, per scene unit. */
export function gradientOf({ side, data }: Field): { x: Field; y: Field } {
  const step = (2 * SCENE) / side;
  const at = (column: number, row: number) =>
    data[Math.max(0, Math.min(side - 1, row)) * side + Math.max(0, Math.min(side - 1, column))]!;
  const x = new Float32Array(side * side);
  const y = new Float32Array(side * side);
  for (let row = 0; row < side; row += 1)
    for (let column = 0; column < side; column += 1) {
      x[row * side + column] = (at(column + 1, row) - at(column - 1, row)) / step;
      y[row * side + column] = (at(column, row + 1) - at(column, row - 1)) / step;
    }
  return { x: { side, data: x }, y: { side, data: y } };
}

/** Approximates a Gaussian blur of this radius (scene units) by three box filters. */
export function blurField({ side, data }: Field, radius: number): Field {
  const reach = Math.max(1, Math.round((radius * side) / SCENE));
  const [from, to] = [Float32Array.from(data), new Float32Array(data.length)];
  for (let pass = 0; pass < 3; pass += 1) {
    boxFilterAlong(from, to, { side, reach, step: 1, next: side });
    boxFilterAlong(to, from, { side, reach, step: side, next: 1 });
  }
  return { side, data: from };
}

interface Line {
  readonly side: number;
  readonly reach: number;
  /** Offset from one value of a line to the next, and from one line to the next. */
  readonly step: number;
  readonly next: number;
}

/** Unlike `boxMean`, which averages only the values inside the image, this repeats the edge values. */
function boxFilterAlong(from: Float32Array, to: Float32Array, { side, reach, step, next }: Line): void {
  const count = 2 * reach + 1;
  for (let line = 0; line < side; line += 1) {
    const start = line * next;
    const at = (position: number) => from[start + Math.max(0, Math.min(side - 1, position)) * step]!;
    let sum = 0;
    for (let position = -reach; position <= reach; position += 1) sum += at(position);
    for (let position = 0; position < side; position += 1) {
      to[start + position * step] = sum / count;
      sum += at(position + reach + 1) - at(position - reach);
    }
  }
}
