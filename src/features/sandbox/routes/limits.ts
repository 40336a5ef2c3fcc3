/** As long as caches may keep a sample. */
export const SAMPLES_AGE_SECONDS_MAX = 3600;
export const SAMPLES_AGE_MS_MAX = SAMPLES_AGE_SECONDS_MAX * 1000;
/** Samples and rehearsed failures for one address; those that fail count too. */
export const SAMPLES_PER_HOUR = 600;
/** Longest time of one to be made: a network of four times on the smallest picture, on a busy machine. */
export const SAMPLE_MS_MAX = 60_000;
/** How long a sample that failed is not made again. */
export const FAILURE_AGE_MS = 60_000;
