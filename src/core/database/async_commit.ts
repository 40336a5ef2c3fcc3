/**
 * Belongs in the FROM of a statement that may be acknowledged before it is flushed; the next regular commit flushes it too. For
 * data that is useless after a database crash, and that no acknowledged data depends on. Outside of transactions only.
 */
export const ASYNC_COMMIT = `set_config('synchronous_commit', 'off', true)`;
