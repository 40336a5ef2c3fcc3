import { DATED } from '../match.ts';
import { shareOfBits } from './blocks.ts';
import type { PlannedQuery } from './plan_query.ts';

/** Groups that a work may have together, by their places. */
export interface GroupSet {
  readonly groups: readonly number[];
  readonly isDated: boolean;
  readonly bits: number;
  readonly share: number;
}

/** Of more groups only the weightiest are put together in every way: 256 ways, or 512 with a date. */
const GROUPS_MAX = 8;

/** Every set of groups, of many groups the weightiest, by what it is worth, the most first. */
export function groupSets(query: PlannedQuery): GroupSet[] {
  const groups = weightiest(query);
  const ways = 2 ** groups.length;
  const sets: GroupSet[] = [];
  for (let way = 1; way < ways * (query.years ? 2 : 1); way += 1) {
    const chosen = groups.filter((_, at) => way & (1 << at));
    // A date alone finds nothing beside words.
    if (chosen.length === 0) continue;
    const isDated = way >= ways;
    const bits = chosen.reduce((sum, at) => sum + 2 ** at, isDated ? DATED : 0);
    sets.push({ groups: chosen, isDated, bits, share: shareOfBits(query, bits) });
  }
  return sets.sort((one, other) => other.share - one.share);
}

/** The smallest sets worth at least this share: a work that has the share has all of one of them. */
export function sharingSets(query: PlannedQuery, share: number): GroupSet[] {
  if (query.worth.length > GROUPS_MAX) return singles(query, share);
  const enough = groupSets(query).filter((set) => set.share >= share);
  const smallestFirst = enough.sort((one, other) => countOf(one) - countOf(other));
  const kept: GroupSet[] = [];
  for (const set of smallestFirst) if (!kept.some(({ bits }) => (bits & set.bits) === bits)) kept.push(set);
  return kept;
}

/** Too many to put together in every way. What is left when the weightiest are missing is not enough, so that one of them is there. */
function singles(query: PlannedQuery, share: number): GroupSet[] {
  const byWorth = [...query.worth.keys()].sort((one, other) => query.worth[other]! - query.worth[one]!);
  const sets: GroupSet[] = [];
  let missing = 0;
  for (const at of byWorth) {
    if (1 - missing < share) break;
    missing += shareOfBits(query, 2 ** at);
    sets.push({ groups: [at], isDated: false, bits: 2 ** at, share: 0 });
  }
  return sets;
}

const weightiest = ({ worth }: PlannedQuery): number[] =>
  [...worth.keys()].sort((one, other) => worth[other]! - worth[one]!).slice(0, GROUPS_MAX);

const countOf = ({ groups, isDated }: GroupSet): number => groups.length + Number(isDated);
