/** Endpoints of one caller: a registered wallet, else a network address. */
export const WEBHOOKS_PER_CALLER_MAX = 20;
/** Of everybody without a registered wallet, and of everybody. */
export const WEBHOOKS_OF_ADDRESSES_MAX = 1_000;
export const WEBHOOKS_MAX = 10_000;

/** When a delivery is tried, in milliseconds after the attempt before: the schedule Standard Webhooks 1.0.0 recommends, three days long. */
export const RETRY_AFTER_MS = [
  5_000,
  5 * 60_000,
  30 * 60_000,
  ...[2, 5, 10, 14, 20, 24].map((hours) => hours * 3_600_000),
] as const;
/** A retry is late by up to this share of its pause, so that what failed together does not come again together. */
export const RETRY_JITTER = 0.1;
/** An endpoint whose every attempt has failed for so long is disabled by the first delivery that is given up. */
export const FAILING_MS_MAX = 3 * 86_400_000;
/** A receiver that asks for longer pauses is asked again then. */
export const RETRY_AFTER_MS_MAX = 86_400_000;
/** What else waits for a receiver that says it has too much to do rests as long as it asks for, and no longer than this. */
export const PAUSE_MS_MAX = 600_000;
export const PAUSE_MS = 60_000;

export const DELIVERY_TIMEOUT_MS = 15_000;
/** Of an answer; only its status counts. */
export const ANSWER_BYTES_MAX = 8 * 1024;
export const SECRET_BYTES = 32;
/** After a rotation the secret before signs as well. */
export const EARLIER_SECRET_MS = 86_400_000;

/** Deliveries one server has under way to one host, for one caller, and for one caller to one host. */
export const AT_ONCE_TO_HOST = 16;
export const AT_ONCE_OF_CALLER = 8;
export const AT_ONCE_IN_LANE = 4;
/** Share of all for endpoints whose last attempt has failed; each of them has one under way. */
export const FAILING_SHARE = 0.5;

/** Deliveries that wait: of one caller, and of all. What comes beyond is dropped and counted. */
export const WAITING_OF_CALLER_MAX = 10_000;
export const WAITING_MAX = 200_000;
/** Events and endpoints that are looked at in one step. */
export const EVENTS_A_STEP = 50;
export const ENDPOINTS_A_STEP = 500;

/** How often a server looks for what others have left to deliver. */
export const LOOK_MS = 1_000;
/** Places that become free within so long are filled together. */
export const GATHER_MS = 20;
/** After a failure of the database. */
export const REST_MS = 10_000;
/** Whoever has begun an attempt and says nothing for so long has died. */
export const LEASE_MS = 60_000;

/** What ended is remembered: the newest of each endpoint, for so long. */
export const LOG_OF_ENDPOINT_MAX = 200;
export const LOG_LIFETIME_MS = 14 * 86_400_000;
export const DISABLED_LIFETIME_MS = 30 * 86_400_000;
/** Rows a sweep takes away at most. */
export const SWEEP_MAX = 10_000;
