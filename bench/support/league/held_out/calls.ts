import type { CallsByWish, World } from '../job.ts';
import { otherCalls } from './other_calls.ts';
import { pictureCalls } from './picture_calls.ts';

/** Phrasings for the forty jobs that nothing was made for when they were written. */
export const heldOutCalls = (world: World): CallsByWish => ({ ...pictureCalls(world), ...otherCalls(world) });
