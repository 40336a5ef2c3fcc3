import { bitsApart } from '@atelier/imaging/fingerprint/pdq/bits_apart.ts';
import { HASH_DISTANCE_MAX, HASH_QUALITY_MIN } from '../../../config/limits.ts';
import type { KnownLook, PackedLooks } from './packed_looks.ts';
import type { LookAsked, Ranked } from './rank_looks.ts';
import { whyItIsLike } from './why_it_is_like.ts';

/** A work whose picture looks as was asked for. */
export interface LookHit {
  readonly id: string;
  /** The lower the likelier. */
  readonly rank: number;
  /** Another copy of the picture that was sent. */
  readonly isSame: boolean;
  /** What was measured, in words; put together when asked for, as of thousands of hits a page is shown. */
  why(): string;
}

export const hitsOf = (looks: PackedLooks, asked: LookAsked, ranked: readonly Ranked[]): LookHit[] =>
  ranked.map(({ at, rank }) => {
    const known = looks.lookOf(at);
    const isSame = isCopy(asked, known);
    return { id: known.id, rank, isSame, why: () => whyItIsLike(asked, known, isSame) };
  });

const isCopy = ({ like }: LookAsked, { pdq, quality }: KnownLook): boolean =>
  like !== undefined &&
  Math.min(like.quality, quality) >= HASH_QUALITY_MIN &&
  like.hashes.some((hash) => bitsApart(hash, pdq) <= HASH_DISTANCE_MAX);
