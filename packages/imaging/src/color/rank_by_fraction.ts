/**
 * Puts `input` among the earlier inputs in `order`, the largest of `fractions` first: the way through the corners of a grid's
 * cell along which a simplex is interpolated.
 */
export function rankByFraction(order: Int32Array, fractions: Float64Array, input: number): void {
  const fraction = fractions[input]!;
  let rank = input;
  while (rank > 0 && fractions[order[rank - 1]!]! < fraction) {
    order[rank] = order[rank - 1]!;
    rank -= 1;
  }
  order[rank] = input;
}
