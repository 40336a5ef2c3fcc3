/**
 * Inserts `input` among the earlier inputs in `order`, largest of `fractions` first: the order in which simplex interpolation visits the
 * corners of a grid cell.
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
