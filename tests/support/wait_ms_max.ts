/** How long a test waits for something that is due. A busy machine takes its time; only what hangs fails. */
export const WAIT_MS_MAX = 120_000;
