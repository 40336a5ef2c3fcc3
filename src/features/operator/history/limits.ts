/** Span of the graphs. */
export const HISTORY_MS = 24 * 3_600_000;
/** Interval of a point. */
export const POINT_MS = 15 * 60_000;
/** Samples read for the graphs: more than ten servers make in 24 hours. */
export const SAMPLES_READ_MAX = 20_000;
/** Lifetime of computed points. */
export const POINTS_KEPT_MS = 15_000;
/** Readings of counters in memory for alerts: about an hour. */
export const READINGS_MAX = 64;
