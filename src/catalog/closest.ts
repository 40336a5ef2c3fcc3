/** Words similar to a misspelt one, best first: at most a third of the letters differ, or one contains the other. */
export function closest(word: string, candidates: readonly string[]): string[] {
  const wanted = normaliseWord(word.slice(0, 100));
  if (wanted === '') return [];
  const lengthened = (candidate: string) => Math.abs(candidate.length - word.length);
  return candidates
    .map((candidate) => ({ candidate, distance: distanceOf(wanted, normaliseWord(candidate)) }))
    .filter(({ distance }) => distance <= Math.ceil(wanted.length / 3))
    .sort((a, b) => a.distance - b.distance || lengthened(a.candidate) - lengthened(b.candidate))
    .map(({ candidate }) => candidate);
}

const normaliseWord = (text: string): string => text.toLowerCase().replace(/[^a-z0-9]/g, '');

function distanceOf(a: string, b: string): number {
  if (a === b) return 0;
  if (a.length >= 3 && b.length >= 3 && (a.includes(b) || b.includes(a))) return 1;
  return levenshtein(a, b);
}

/** Edits (insert, delete, replace, swap two neighbours) from `a` to `b`: optimal string alignment, with two rows. */
function levenshtein(a: string, b: string): number {
  let before: number[] = [];
  let previous = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let row = 1; row <= a.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= b.length; column += 1) {
      const replace = previous[column - 1]! + (a[row - 1] === b[column - 1] ? 0 : 1);
      const isSwapped = a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1];
      const swap = row > 1 && column > 1 && isSwapped ? before[column - 2]! + 1 : replace;
      current.push(Math.min(replace, swap, previous[column]! + 1, current[column - 1]! + 1));
    }
    before = previous;
    previous = current;
  }
  return previous[b.length]!;
}
