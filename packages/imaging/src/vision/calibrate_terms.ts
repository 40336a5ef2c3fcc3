import { GROUPS, type Group, groupOf, type Threshold, type Thresholds } from './subject_thresholds.ts';
import type { Term } from './vocabulary.ts';

/** Predictions of a network for an image, with the labels a person assigned. */
export interface SeenAndLabelled {
  /** Share of each term, 0 to 1. */
  readonly shares: ReadonlyMap<string, number>;
  /** Terms that are there, with all that is broader; what is missing is not there. */
  readonly terms: ReadonlySet<string>;
  readonly half: Half;
}

/** Thresholds are chosen on one half and measured on the other. */
export type Half = 'chosen on' | 'held back';

/** How often a network was right about a group of terms. */
export interface GroupMeasured {
  readonly group: Group;
  /** Chosen on the first half; absent where the network was not right often enough there. */
  readonly threshold?: Threshold;
  /** Finds from the threshold on. */
  readonly chosenOn: Finds;
  readonly heldBack: Finds;
  /** Whether the half that was held back bears the threshold out: who is right less often there is not believed. */
  readonly speaks: boolean;
}

export interface Finds {
  readonly right: number;
  readonly all: number;
  /** Pictures they are of: finds of one picture depend on each other, for a macaw is a parrot. */
  readonly pictures: number;
}

/** Below this share there is always a likelier term. */
export const SHARE_MIN = 0.2;
const PRECISION_MIN = 0.9;
/** Finds in fewer pictures than this show nothing, in either half. */
const PICTURES_MIN = 10;
/** One bound in ten lies above the truth (normal distribution, one side). */
const DEVIATIONS = 1.2816;

/**
 * For each group of terms the lowest share from which on, in the first half, the lower bound of what was right is nine of ten; that bound is the confidence. A group is spoken of
 * where nine of ten finds of the other half were right as well. In both halves they have to be of ten pictures at least.
 */
export const measureGroups = (
  pictures: readonly SeenAndLabelled[],
  vocabulary: ReadonlyMap<string, Term>,
): GroupMeasured[] =>
  GROUPS.map((group) => {
    const names = [...vocabulary.values()].filter((term) => groupOf(term) === group);
    const [chosen, held] = (['chosen on', 'held back'] as const).map((half) =>
      findsOf(
        pictures.filter((picture) => picture.half === half),
        names,
      ),
    ) as [Find[], Find[]];
    const last = chosen.findLastIndex((_, at) => boundOf(tally(chosen.slice(0, at + 1))) >= PRECISION_MIN);
    if (last < 0) return { group, chosenOn: tally([]), heldBack: tally([]), speaks: false };
    const chosenOn = tally(chosen.slice(0, last + 1));
    const threshold = { share: chosen[last]!.share, confidence: boundOf(chosenOn) };
    const heldBack = tally(held.filter(({ share }) => share >= threshold.share));
    const isEnough = Math.min(chosenOn.pictures, heldBack.pictures) >= PICTURES_MIN;
    const speaks = isEnough && heldBack.right >= PRECISION_MIN * heldBack.all;
    return { group, threshold, chosenOn, heldBack, speaks };
  });

/** Of the groups that are spoken of. */
export const thresholdsOf = (groups: readonly GroupMeasured[]): Thresholds =>
  Object.fromEntries(
    groups.flatMap(({ group, threshold, speaks }) => (speaks && threshold ? [[group, threshold]] : [])),
  );

interface Find {
  readonly picture: SeenAndLabelled;
  readonly share: number;
  readonly isRight: boolean;
}

/** The surest first. Equal shares stand together, the wrong ones first, so that no threshold parts them in our favour. */
function findsOf(pictures: readonly SeenAndLabelled[], terms: readonly Term[]): Find[] {
  return pictures
    .flatMap((picture) =>
      terms.map(({ term }) => {
        const share = picture.shares.get(term) ?? 0;
        return { picture, share, isRight: picture.terms.has(term) };
      }),
    )
    .filter(({ share }) => share >= SHARE_MIN)
    .sort((one, other) => other.share - one.share || Number(one.isRight) - Number(other.isRight));
}

const tally = (finds: readonly Find[]): Finds => ({
  right: finds.filter(({ isRight }) => isRight).length,
  all: finds.length,
  pictures: new Set(finds.map(({ picture }) => picture)).size,
});

/** The lower bound of Wilson (1927) of the part that is right. */
function boundOf({ right, all }: Pick<Finds, 'right' | 'all'>): number {
  const [n, z] = [all, DEVIATIONS];
  const p = right / n;
  return (p + z ** 2 / (2 * n) - z * Math.sqrt((p * (1 - p)) / n + z ** 2 / (4 * n ** 2))) / (1 + z ** 2 / n);
}
