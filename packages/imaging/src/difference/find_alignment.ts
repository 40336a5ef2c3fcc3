import { type AnchoredWindow, ASKED, anchoredWindows } from '../fingerprint/anchored_windows.ts';
import { DIHEDRAL } from '../fingerprint/pdq/pdq.ts';
import type { Plane } from '../pixels/plane.ts';
import { type Affine, applyAffine, fitPairs, fitTwoPairs, type Pair } from './affine.ts';

/** Hashes of the same window in two pictures, one of them spoiled. */
const DISTANCE_MAX = 44;
/** How far from where it should be a keypoint may lie. */
const ERROR_PX_MAX = 3;
/** Alignments that are tried. */
const TRIED_MAX = 80;

/** How the window of one picture has to be turned to look like that of the other. */
const VIEWS = [
  { turn: 'original', swapped: false, mirrored: false },
  { turn: 'rotate180', swapped: true, mirrored: false },
  { turn: 'flipX', swapped: false, mirrored: true },
  { turn: 'flipY', swapped: true, mirrored: true },
] as const;

interface Match {
  readonly pairs: readonly [Pair, Pair];
  readonly mirrored: boolean;
  readonly distance: number;
}

/**
 * Where each place of one picture lies in another that it was made from: two windows that look alike say it by their
 * keypoints, and most such pairs have to agree. Undefined where fewer than two do.
 */
export function findAlignment(from: Plane, to: Plane): Affine | undefined {
  const matches = findMatches(anchoredWindows(from, ASKED), anchoredWindows(to, ASKED));
  let best: Match[] = [];
  for (const { pairs, mirrored } of matches.slice(0, TRIED_MAX)) {
    const alignment = fitTwoPairs(pairs, mirrored);
    const agreeing = matches.filter((match) => match.mirrored === mirrored && agrees(match, alignment));
    if (agreeing.length > best.length) best = agreeing;
  }
  if (best.length < 2) return undefined;
  const fitted = best.length < 4 ? undefined : fitPairs(best.flatMap(({ pairs }) => pairs));
  return fitted ?? fitTwoPairs(best[0]!.pairs, best[0]!.mirrored);
}

const agrees = ({ pairs }: Match, alignment: Affine): boolean =>
  pairs.every(([from, to]) => {
    const [x, y] = applyAffine(alignment, from);
    return Math.hypot(x - to[0], y - to[1]) < ERROR_PX_MAX;
  });

/** The most alike first. */
function findMatches(some: readonly AnchoredWindow[], others: readonly AnchoredWindow[]): Match[] {
  const matches: Match[] = [];
  for (const { pdq, from, to } of some) {
    for (const { turn, swapped, mirrored } of VIEWS) {
      const hash = pdq.hashes[DIHEDRAL.indexOf(turn)]!;
      for (const other of others) {
        const distance = distanceOf(hash, other.pdq.hashes[0]!);
        if (distance > DISTANCE_MAX) continue;
        const [first, second] = swapped ? [other.to, other.from] : [other.from, other.to];
        matches.push({
          pairs: [
            [
              [from.x, from.y],
              [first.x, first.y],
            ],
            [
              [to.x, to.y],
              [second.x, second.y],
            ],
          ],
          mirrored,
          distance,
        });
      }
    }
  }
  return matches.sort((one, other) => one.distance - other.distance);
}

const ONES = Uint8Array.from({ length: 256 }, (_, byte) => byte.toString(2).replaceAll('0', '').length);

function distanceOf(one: Uint8Array, other: Uint8Array): number {
  let bits = 0;
  for (let at = 0; at < one.length; at++) bits += ONES[one[at]! ^ other[at]!]!;
  return bits;
}
