/** Endpoints per client: a registered wallet, else a network address. */
export const WEBHOOKS_PER_CALLER_MAX = 20;
/** Endpoints of all clients without a registered wallet, and in total. */
export const WEBHOOKS_OF_ADDRESSES_MAX = 1_000;
export const WEBHOOKS_MAX = 10_000;

/**
 * Delay of each attempt after the previous one, in ms: the schedule that Standard Webhooks 1.0.0 recommends, three days in total.
 */
export const RETRY_AFTER_MS = [
  5_000,
  5 * 60_000,
  30 * 60_000,
  ...[2, 5, 10, 14, 20, 24].map((hours) => hours * 3_600_000),
] as const;
/** Random extra delay of a retry, as a share of its delay, to spread retries of simultaneous failures. */
export const RETRY_JITTER = 0.1;
/** After failures only for this long, an endpoint is disabled with its next abandoned delivery. */
export const FAILING_MS_MAX = 3 * 86_400_000;
/** Cap on the Retry-After of a receiver. */
export const RETRY_AFTER_MS_MAX = 86_400_000;
/** Cap on the pause of other deliveries to an overloaded receiver. */
export const PAUSE_MS_MAX = 600_000;
export const PAUSE_MS = 60_000;

export const DELIVERY_TIMEOUT_MS = 15_000;
/** Bytes of a response to read; only its status is used. */
export const ANSWER_BYTES_MAX = 8 * 1024;
export const SECRET_BYTES = 32;
/** Time after a rotation during which the previous secret also signs. */
export const EARLIER_SECRET_MS = 86_400_000;

/** Concurrent deliveries of one server: per host, per client, and per client and host. */
export const AT_ONCE_TO_HOST = 16;
export const AT_ONCE_OF_CALLER = 8;
export const AT_ONCE_IN_LANE = 4;
/** Share of the slots for endpoints whose last attempt has failed; each of them gets one slot. */
export const FAILING_SHARE = 0.5;

/** Pending deliveries per client, and in total. Further ones are dropped and counted. */
export const WAITING_OF_CALLER_MAX = 10_000;
export const WAITING_MAX = 200_000;
/** Batch sizes: events and endpoints per step. */
export const EVENTS_A_STEP = 50;
export const ENDPOINTS_A_STEP = 500;

/** Poll interval for deliveries of other servers. */
export const LOOK_MS = 1_000;
/** Slots that become free within this time are filled together. */
export const GATHER_MS = 20;
/** Pause after a database error. */
export const REST_MS = 10_000;
/** Lease of an attempt. A sender that has not finished by then is considered dead. */
export const LEASE_MS = 60_000;

/** Delivery log: entries per endpoint, and their retention. */
export const LOG_OF_ENDPOINT_MAX = 200;
export const LOG_LIFETIME_MS = 14 * 86_400_000;
export const DISABLED_LIFETIME_MS = 30 * 86_400_000;
/** Maximum rows deleted per cleanup. */
export const SWEEP_MAX = 10_000;
