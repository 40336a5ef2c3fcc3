import { JOB_HOLD_LIFETIME_MS } from '../../../core/queue/limits.ts';

/** A price that was quoted holds this long, whichever rule ends or begins meanwhile. */
export const QUOTE_HOLDS_MS = 5 * 60_000;
/** Rules are remembered so long after they have ended: steps of a job cost what they were quoted for. */
export const RULES_REMEMBERED_MS = JOB_HOLD_LIFETIME_MS + QUOTE_HOLDS_MS;
/** Rules of another server are known here after this time at most. */
export const RULES_KEPT_MS = 2_000;
export const RULES_MAX = 50;
export const WEIGHT_MAX = 10;
export const TIERS_SHOWN_MAX = 500;
