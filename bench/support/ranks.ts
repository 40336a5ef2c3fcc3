/** The place of each value among all: with these, a correlation is Spearman's. */
export function ranks(values: readonly number[]): number[] {
  const order = values.map((value, at) => ({ value, at })).sort((one, other) => one.value - other.value);
  const places = new Array<number>(values.length);
  for (const [place, { at }] of order.entries()) places[at] = place;
  return places;
}
