import { GROUPS, type Group, groupOf, type Threshold, type Thresholds } from './subject_thresholds.ts';
import type { Term } from './vocabulary.ts';

/** Predictions of a model for an image, with labels assigned by a person. */
export interface SeenAndLabelled {
  /** Score of each term, 0 to 1. */
  readonly shares: ReadonlyMap<string, number>;
  /** Terms present in the image, including their broader terms; all others are absent. */
  readonly terms: ReadonlySet<string>;
  readonly half: Half;
}

/** Thresholds are chosen on one half and measured on the other. */
export type Half = 'chosen on' | 'held back';

/** Measured precision of a model for a group of terms. */
export interface GroupMeasured {
  readonly group: Group;
  /** Chosen on the first half; undefined if the precision was too low there. */
  readonly threshold?: Threshold;
  /** Detections at or above the threshold. */
  readonly chosenOn: Finds;
  readonly heldBack: Finds;
  /** Whether the held-back half confirms the threshold. Otherwise the group is disabled. */
  readonly speaks: boolean;
}

export interface Finds {
  readonly right: number;
  readonly all: number;
  /** Number of images: detections in one image are not independent, because a macaw is also a parrot. */
  readonly pictures: number;
}

/** Below this score there is always a more likely term. */
export const SHARE_MIN = 0.2;
const PRECISION_MIN = 0.9;
/** Detections in fewer images than this are not sufficient evidence, in either half. */
const PICTURES_MIN = 10;
/** One-sided 90 % confidence bound of the normal distribution. */
const DEVIATIONS = 1.2816;

/**
 * Finds for each group of terms the lowest score at which the lower bound of the precision on the first half is at least 0.9; that bound becomes the
 * confidence. The group is enabled if the precision on the other half is at least 0.9 as well. Both halves need detections in at least ten images.
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

/** The thresholds of the enabled groups. */
export const thresholdsOf = (groups: readonly GroupMeasured[]): Thresholds =>
  Object.fromEntries(
    groups.flatMap(({ group, threshold, speaks }) => (speaks && threshold ? [[group, threshold]] : [])),
  );

interface Find {
  readonly picture: SeenAndLabelled;
  readonly share: number;
  readonly isRight: boolean;
}

/** Sorted by score. Among equal scores, errors come first, so that a threshold between them is never too optimistic. */
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

/** Lower Wilson bound (1927) of the precision. */
function boundOf({ right, all }: Pick<Finds, 'right' | 'all'>): number {
  const [n, z] = [all, DEVIATIONS];
  const p = right / n;
  return (p + z ** 2 / (2 * n) - z * Math.sqrt((p * (1 - p)) / n + z ** 2 / (4 * n ** 2))) / (1 + z ** 2 / n);
}
