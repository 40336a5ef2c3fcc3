/**
 * How long a connection stays half open after a response in the middle of an upload, so that the client can
 * read the response.
 */
export const LINGER_MS = 5_000;

/** When stopping: how long a request in transit may still arrive on an idle connection. */
export const STOP_IDLE_MS = 500;
/**
 * When stopping: how long to wait for a quiet moment of the event loop, and the maximum duration of a quiet
 * turn.
 */
export const STOP_QUIET_MS = 10_000;
export const QUIET_TURN_MS = 0.5;
/** When stopping: a body that has not arrived by then is not awaited. */
export const STOP_ARRIVING_MS = 3_000;

/**
 * Bodies of this size and above are parsed one per round of the event loop: one within the limits takes up to
 * 16 ms.
 */
export const PARSE_TURN_BYTES_MIN = 64 * 1024;

/** From the accepted connection, or the first byte of a later request, to the end of the body. */
export const REQUEST_TIMEOUT_MS = 120_000;
/**
 * Node checks connections against this and `HEADERS_TIMEOUT_MS` at this interval; its default of 30 s would
 * turn 10 s into 40 s.
 */
export const TIMEOUT_CHECK_MS = 1_000;

/**
 * Limits on connections of an address and of its /64, /56 and /48, as multiples of the limit of an address.
 */
export const PREFIX_BOUND_FACTORS = [1, 4, 16, 64] as const;
/** Interval at which the server compares the bytes that each connection has sent and accepted. */
export const CONNECTION_CHECK_MS = 1_000;
/** A body below this may be evicted when all connections are in use; 4,096 bodies above it are 2 Gbit/s. */
export const UPLOAD_BYTES_PER_SECOND_MIN = 64 * 1024;
/**
 * A response of which the client accepts nothing may be evicted after this time when all connections are in
 * use.
 */
export const RESPONSE_WAIT_MS = 5_000;
