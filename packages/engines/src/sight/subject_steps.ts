import type { Term } from './vocabulary.ts';

/** From this share on the network was right that often. Rising. */
export type Step = readonly [share: number, confidence: number];
/** For each group of terms; a group that is missing is not spoken of. */
export type Steps = Readonly<Partial<Record<Group, readonly Step[]>>>;
export type Group = 'broad' | 'animals' | 'landscapes';

/** The widest terms that a network can be sure of without knowing which of their narrower ones it sees. */
const BROAD: readonly string[] = [
  'animal',
  'plant',
  'food',
  'clothing',
  'vehicle',
  'architecture',
  'landscape',
];

/** Terms that were measured together, as there are too few labelled pictures for each. Things of other kinds belong to none. */
export function groupOf({ term, broader }: Pick<Term, 'term' | 'broader'>): Group | undefined {
  if (BROAD.includes(term)) return 'broad';
  if (broader.includes('animal')) return 'animals';
  return broader.includes('landscape') ? 'landscapes' : undefined;
}

/** How often what was seen with such a share was there, or nothing where that was not often enough to say it. */
export function confidenceIn(term: Term, share: number, steps: Steps): number | undefined {
  const group = groupOf(term);
  return (group && steps[group])?.findLast(([from]) => share >= from)?.[1];
}

export const TAGGING_STEPS: Steps = {
  broad: [[0.72, 0.9]],
  animals: [[0.77, 0.9]],
  landscapes: [[0.36, 0.9]],
};
