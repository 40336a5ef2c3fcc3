import { type Postings, positionsReader } from './postings.ts';

/** One of the forms of a word of a phrase: the works that have it, and where in them. */
export interface PlacedWord {
  readonly postings: Postings;
  readonly positions: Uint8Array;
}

/** Works in which the words follow each other; of each word any form will do. A phrase says as much as its weightiest word. */
export function phrasePostings(words: readonly (readonly PlacedWord[])[]): Postings {
  // From the rarest word on, few works are left to look at.
  const order = words
    .map((forms, offset) => ({ forms, offset }))
    .sort((a, b) => size(a.forms) - size(b.forms));
  let starts: Map<number, Start> | undefined;
  for (const { forms, offset } of order) starts = startsOf(forms, offset, starts);
  const found = [...(starts ?? [])].sort(([a], [b]) => a - b);
  return {
    places: Uint32Array.from(found, ([place]) => place),
    impacts: Uint8Array.from(found, ([, { impact }]) => impact),
  };
}

interface Start {
  /** Positions at which the phrase would begin; rarely more than one. */
  readonly at: number[];
  impact: number;
}

const size = (forms: readonly PlacedWord[]): number =>
  forms.reduce((sum, { postings }) => sum + postings.places.length, 0);

/** Where the phrase would begin if this is its word number `offset`, in works where it may begin there after all. */
function startsOf(
  forms: readonly PlacedWord[],
  offset: number,
  before: ReadonlyMap<number, Start> | undefined,
): Map<number, Start> {
  const starts = new Map<number, Start>();
  for (const { postings, positions } of forms) {
    const reader = positionsReader(positions);
    for (let work = 0; work < postings.places.length; work += 1) {
      const place = postings.places[work]!;
      const possible = before?.get(place);
      if (before && !possible) {
        reader.skip();
        continue;
      }
      let start = starts.get(place);
      for (const position of reader.next()) {
        const at = position - offset;
        if (possible && !possible.at.includes(at)) continue;
        start ??= { at: [], impact: possible?.impact ?? 0 };
        start.at.push(at);
        start.impact = Math.max(start.impact, postings.impacts[work]!);
      }
      if (start) starts.set(place, start);
    }
  }
  return starts;
}
