/** A request that no tool meets, and the tool that comes nearest to it; null where none does. */
export type UnmetQuery = readonly [query: string, nearest: string | null];
