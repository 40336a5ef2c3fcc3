/** How long a look at queue, holds and webhooks counts: whoever may read the metrics can ask as often as they like. */
export const LOOK_REMEMBERED_MS = 2_000;
/** What a source of values may take; below the ten seconds Prometheus waits. */
export const LOOK_TIMEOUT_MS = 4_000;
/** What could not be sent is told no oftener. */
export const ERROR_LINE_MS = 60_000;
/** How often the event loop is looked at. */
export const EVENT_LOOP_LOOK_MS = 20;
/** What a process that stops waits for its last traces and metrics to be taken. */
export const FLUSH_MS_MAX = 3_000;
