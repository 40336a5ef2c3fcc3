import { describe, expect, test } from 'vitest';
import { shareOfBits } from './blocks.ts';
import type { PlannedQuery } from './plan_query.ts';
import { sharingSets } from './sharing_sets.ts';

const queryOf = (worth: readonly number[], years?: PlannedQuery['years']): PlannedQuery => ({
  ...{ plans: [], weights: worth, worth, works: 1, words: new Map(), names: new Set() },
  ...(years && { years }),
});

const SHARE = 0.4;
/** Bits of a work are let through if it has all groups of one of the sets. */
const passes = (sets: ReturnType<typeof sharingSets>, bits: number) =>
  sets.some((set) => (bits & set.bits) === set.bits);

describe('the sets to look for', () => {
  test.each([
    [[3, 2, 1]],
    [[1, 1, 1, 1, 1]],
    [[9, 1]],
    [[5, 4, 3, 3, 2, 2, 1, 1]],
    [[2, 2, 2, 2, 2, 2, 2, 2, 2, 1]],
  ])('of %j let no work pass by that has the share', (worth) => {
    const query = queryOf(worth);
    const sets = sharingSets(query, SHARE);
    const all = Array.from({ length: 2 ** worth.length - 1 }, (_, at) => at + 1);
    const lost = all.filter((bits) => shareOfBits(query, bits) >= SHARE && !passes(sets, bits));
    expect(lost).toEqual([]);
  });

  test('hold no set that has another in it, and no date alone', () => {
    const sets = sharingSets(queryOf([1, 1, 1], { from: 1600 }), SHARE);
    expect(sets.every((one) => sets.every((other) => one === other || !passes([other], one.bits)))).toBe(
      true,
    );
    expect(sets.every(({ groups }) => groups.length > 0)).toBe(true);
  });
});
