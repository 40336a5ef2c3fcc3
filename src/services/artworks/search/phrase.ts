import { decodePositions, type Postings } from './postings.ts';

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
  const found = [...(starts ?? [])].filter(([, { at }]) => at.size > 0).sort(([a], [b]) => a - b);
  return {
    places: Uint32Array.from(found, ([place]) => place),
    impacts: Uint8Array.from(found, ([, { impact }]) => impact),
  };
}

interface Start {
  /** Positions at which the phrase would begin. */
  readonly at: ReadonlySet<number>;
  readonly impact: number;
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
    let work = 0;
    for (const places of decodePositions(positions)) {
      const place = postings.places[work]!;
      const impact = postings.impacts[work]!;
      work += 1;
      const possible = before?.get(place);
      if (before && !possible) continue;
      const own = places.map((at) => at - offset).filter((at) => !possible || possible.at.has(at));
      if (own.length === 0) continue;
      const other = starts.get(place);
      starts.set(place, {
        at: new Set([...own, ...(other?.at ?? [])]),
        impact: Math.max(impact, possible?.impact ?? 0, other?.impact ?? 0),
      });
    }
  }
  return starts;
}
