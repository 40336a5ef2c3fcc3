/** The word itself and what remains of it without one letter. */
export const dropLetters = (word: string): string[] => [
  ...new Set([word, ...[...word].map((_, at) => word.slice(0, at) + word.slice(at + 1))]),
];

/**
 * How many letters have to be put in, left out, exchanged or swapped with their neighbour to make one word of another
 * (Damerau-Levenshtein, optimal string alignment).
 */
export function editDistance(a: string, b: string): number {
  let before: number[] = [];
  let row = Array.from({ length: b.length + 1 }, (_, at) => at);
  for (let i = 1; i <= a.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const isSame = a[i - 1] === b[j - 1];
      let cost = Math.min(next[j - 1]! + 1, row[j]! + 1, row[j - 1]! + (isSame ? 0 : 1));
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        cost = Math.min(cost, before[j - 2]! + 1);
      next.push(cost);
    }
    before = row;
    row = next;
  }
  return row[b.length]!;
}

/** The likeliest word meant: the fewest errors, then the most works. Undefined where none is near. */
export function likeliest(
  typed: string,
  candidates: readonly { readonly word: string; readonly works: number }[],
  errorsMax: number,
): string | undefined {
  const ranked = candidates
    .map(({ word, works }) => ({ word, works, errors: editDistance(typed, word) }))
    .filter(({ errors }) => errors <= errorsMax)
    .sort(
      (a, b) =>
        a.errors - b.errors ||
        Number(b.word[0] === typed[0]) - Number(a.word[0] === typed[0]) ||
        b.works - a.works,
    );
  return ranked[0]?.word;
}
