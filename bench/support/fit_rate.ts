interface Sample {
  readonly explained: readonly number[];
  readonly value: number;
  readonly weight: number;
}

const ROUNDS = 25;

/** Weights w so that exp(w · explained) is the expected value: Poisson regression by iterated least squares. */
export function fitRate(samples: readonly Sample[]): number[] {
  let weights = leastSquares(samples.map((sample) => ({ ...sample, value: Math.log1p(sample.value) })));
  for (let round = 0; round < ROUNDS; round += 1) {
    weights = leastSquares(
      samples.map(({ explained, value, weight }) => {
        const sum = explained.reduce((total, part, at) => total + part * weights[at]!, 0);
        const rate = Math.exp(sum);
        return { explained, value: sum + (value - rate) / rate, weight: weight * rate };
      }),
    );
  }
  return weights;
}

function leastSquares(samples: readonly Sample[]): number[] {
  const size = samples[0]!.explained.length;
  const rows = Array.from({ length: size }, () => new Array<number>(size + 1).fill(0));
  for (const { explained, value, weight } of samples)
    for (const [at, row] of rows.entries()) {
      for (let other = 0; other < size; other += 1)
        row[other]! += weight * explained[at]! * explained[other]!;
      row[size]! += weight * explained[at]! * value;
    }
  for (const [at, row] of rows.entries())
    for (const [other, changed] of rows.entries()) {
      if (other === at) continue;
      const share = changed[at]! / row[at]!;
      for (let column = at; column <= size; column += 1) changed[column]! -= share * row[column]!;
    }
  return rows.map((row, at) => row[size]! / row[at]!);
}
