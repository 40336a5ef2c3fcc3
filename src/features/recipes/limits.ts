import { RESULT_LIFETIME_MS } from '../../config/limits.ts';

export const RECIPES_PER_WALLET_MAX = 100;
/** Of everybody together. */
export const RECIPES_MAX = 100_000;
/** Answers of steps kept for one wallet. */
export const KEPT_STEPS_PER_WALLET_MAX = 1_000;
/** Of everybody together; the sweep forgets the oldest beyond it. */
export const KEPT_STEPS_MAX = 100_000;
/** A longer answer is not kept, and its step runs again. */
export const KEPT_STEP_CHARACTERS_MAX = 64 * 1024;
/** An hour less than a result, so that whatever an answer names can still be fetched. */
export const KEPT_STEP_LIFETIME_MS = RESULT_LIFETIME_MS - 3_600_000;
