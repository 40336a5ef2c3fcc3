/** Dead letters per list: jobs, and deliveries. */
export const DEAD_SHOWN_MAX = 100;
export const KINDS_SHOWN_MAX = 100;
/** Of one kind in one request: a queue is not filled by one press. */
export const RETRIED_AT_ONCE_MAX = 100;
