/** x' = a·x + b·y + c, y' = d·x + e·y + f */
export type Affine = readonly [a: number, b: number, c: number, d: number, e: number, f: number];
export type Point = readonly [x: number, y: number];
export type Pair = readonly [from: Point, to: Point];

export const applyAffine = ([a, b, c, d, e, f]: Affine, [x, y]: Point): Point => [
  a * x + b * y + c,
  d * x + e * y + f,
];

/** The turn, scale and shift that takes two points to two others. `mirrored`: after a reflection. */
export function fitTwoPairs([[one, to], [other, toOther]]: readonly [Pair, Pair], mirrored: boolean): Affine {
  const sign = mirrored ? -1 : 1;
  const [dx, dy] = [other[0] - one[0], sign * (other[1] - one[1])];
  const [tx, ty] = [toOther[0] - to[0], toOther[1] - to[1]];
  const square = dx * dx + dy * dy;
  const [real, imaginary] = [(tx * dx + ty * dy) / square, (ty * dx - tx * dy) / square];
  const linear = [real, -sign * imaginary, imaginary, sign * real] as const;
  return [
    ...[linear[0], linear[1], to[0] - linear[0] * one[0] - linear[1] * one[1]],
    ...[linear[2], linear[3], to[1] - linear[2] * one[0] - linear[3] * one[1]],
  ] as unknown as Affine;
}

/** The least-squares fit through three or more pairs. Undefined where they lie on a line. */
export function fitPairs(pairs: readonly Pair[]): Affine | undefined {
  const rows = pairs.map(([[x, y]]) => [x, y, 1]);
  const normal = [0, 1, 2].map((row) =>
    [0, 1, 2].map((column) => rows.reduce((sum, values) => sum + values[row]! * values[column]!, 0)),
  );
  const solveAxis = (axis: 0 | 1) =>
    [0, 1, 2].map((row) => rows.reduce((sum, values, at) => sum + values[row]! * pairs[at]![1][axis], 0));
  const [x, y] = [solveEquations(normal, solveAxis(0)), solveEquations(normal, solveAxis(1))];
  return x && y && ([...x, ...y] as unknown as Affine);
}

/** Gauss elimination with pivots. Undefined where the equations are not independent. */
export function solveEquations(
  matrix: readonly (readonly number[])[],
  right: readonly number[],
): number[] | undefined {
  const rows = matrix.map((row, at) => [...row, right[at]!]);
  for (let at = 0; at < rows.length; at++) {
    const pivot = rows
      .slice(at)
      .reduce((best, row) => (Math.abs(row[at]!) > Math.abs(best[at]!) ? row : best));
    if (Math.abs(pivot[at]!) < 1e-9) return undefined;
    rows[rows.indexOf(pivot)] = rows[at]!;
    rows[at] = pivot;
    for (const row of rows) {
      if (row === pivot) continue;
      const factor = row[at]! / pivot[at]!;
      for (let column = at; column < row.length; column++) row[column]! -= factor * pivot[column]!;
    }
  }
  return rows.map((row, at) => row.at(-1)! / row[at]!);
}
