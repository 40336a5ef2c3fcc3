/**
 * PostgreSQL weighs a word of a `tsvector` by the labels of its positions: four weights, where an impact has 255. But `ts_rank_cd` of a
 * single word is the sum of the weights of its positions, and what positions there are is ours to say. So an impact is paid in four
 * coins, the dearest first, each a position with its label.
 */
const COINS = [
  { label: 'A', value: 37 },
  { label: 'B', value: 16 },
  { label: 'C', value: 5 },
  { label: 'D', value: 1 },
] as const;

/** Impacts are told apart by so much: a hundredth of the usual one. */
const STEP = 4;
const DEAREST = COINS[0].value;

/** Weights as `ts_rank_cd` takes them, D to A. */
export const LABEL_WEIGHTS = `{${[...COINS].reverse().map(({ value }) => value / DEAREST)}}`;

/** What `ts_rank_cd` with these weights is multiplied by to be an impact again. */
export const IMPACT_A_RANK = DEAREST * STEP;

/** Positions and labels of an impact from 1 to 255, as the text of a `tsvector` has them: "1A,2C". */
export function labelsOf(impact: number): string {
  const labels: string[] = [];
  let left = Math.max(1, Math.round(impact / STEP));
  for (const { label, value } of COINS) {
    for (; left >= value; left -= value) labels.push(`${labels.length + 1}${label}`);
  }
  return labels.join();
}
