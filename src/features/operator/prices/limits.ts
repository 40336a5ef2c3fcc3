import { JOB_HOLD_LIFETIME_MS } from '../../../core/queue/limits.ts';

/** Validity of a quoted price, independent of rules that start or end meanwhile. */
export const QUOTE_HOLDS_MS = 5 * 60_000;
/** Retention of ended rules in memory: the steps of a job cost their quoted price. */
export const RULES_REMEMBERED_MS = JOB_HOLD_LIFETIME_MS + QUOTE_HOLDS_MS;
/** Cache lifetime of rules: changes made on another server take effect within it. */
export const RULES_KEPT_MS = 2_000;
export const RULES_MAX = 50;
export const WEIGHT_MAX = 10;
export const TIERS_SHOWN_MAX = 500;
