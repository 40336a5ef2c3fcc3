import type { Charge } from '../../definitions/tool.ts';
import type { Bounds } from '../types.ts';
import { BATCH_WORKS_MIN } from './limits.ts';

/** The price of the specification, which is for this many works with a picture, and the most a batch costs. */
export const BATCH_CREDITS = 50;

/**
 * What a batch costs: the part of its price that its works with a picture are of a hundred, rounded down. Undefined: the whole.
 * The record alone costs nothing.
 */
export function batchCharge({ count, pictures }: Pick<Bounds, 'count' | 'pictures'>): Charge | undefined {
  const credits = Math.min(BATCH_CREDITS, Math.floor((pictures * BATCH_CREDITS) / BATCH_WORKS_MIN));
  if (credits === BATCH_CREDITS) return undefined;
  if (count === 0) return { credits, why: 'There are no works after this one, so nothing is charged.' };
  if (pictures === 0)
    return { credits, why: `None of the ${count} works names a picture, and a record alone costs nothing.` };
  return {
    credits,
    why: `${pictures} of the ${count} works name a picture. ${BATCH_CREDITS} credits pay for ${BATCH_WORKS_MIN} such works, so these cost ${credits}, rounded down; a record without a picture costs nothing.`,
  };
}
