/** Maximum jobs, and maximum deliveries, in a list of dead letters. */
export const DEAD_SHOWN_MAX = 100;
export const KINDS_SHOWN_MAX = 100;
/** Maximum retries per request, so that one request cannot fill the queue. */
export const RETRIED_AT_ONCE_MAX = 100;
