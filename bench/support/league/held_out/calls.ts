import type { CallsByWish, World } from '../job.ts';
import { otherCalls } from './other_calls.ts';
import { pictureCalls } from './picture_calls.ts';

/** Alternative calls for the forty jobs, written before any change for them. */
export const heldOutCalls = (world: World): CallsByWish => ({ ...pictureCalls(world), ...otherCalls(world) });
