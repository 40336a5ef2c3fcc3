/** Converts fractions of a whole to percentages with one decimal that add up to exactly 100.0 (largest remainder method). */
export function roundShares(shares: readonly number[]): number[] {
  const whole = shares.reduce((sum, share) => sum + share, 0);
  const tenths = shares.map((share) => (1000 * share) / whole);
  const rounded = tenths.map((value) => Math.floor(value + 1e-9));
  const missing = 1000 - rounded.reduce((sum, value) => sum + value, 0);
  const byLoss = tenths
    .map((value, index) => ({ index, loss: value - rounded[index]! }))
    .sort((one, other) => other.loss - one.loss);
  for (const { index } of byLoss.slice(0, missing)) rounded[index]! += 1;
  return rounded.map((value) => value / 10);
}
