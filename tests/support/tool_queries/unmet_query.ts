/** A request that no tool meets, and the nearest tool; null if there is none. */
export type UnmetQuery = readonly [query: string, nearest: string | null];
