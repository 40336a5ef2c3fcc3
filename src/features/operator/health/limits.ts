/** How long what the canaries found counts: a flight takes some seconds of one process. */
export const FLIGHT_REMEMBERED_MS = 60_000;
/** After this the rest of a flight is given up. */
export const FLIGHT_MS_MAX = 60_000;
/** For one engine; networks are read from the disk first. */
export const CANARY_DEADLINE_MS = 20_000;
/** What a mockup holds is the most of any. */
export const CANARY_PIXELS = 500_000;
