/** How long a test waits for an expected event. Generous for busy machines: only a hang fails. */
export const WAIT_MS_MAX = 120_000;
