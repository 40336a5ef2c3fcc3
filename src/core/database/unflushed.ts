/**
 * Stands in the FROM of a statement that need not reach the disk before it is answered; whatever is committed after it takes it along. For what
 * is of no use once the database has crashed, and on which nothing rests that was acknowledged. Outside of transactions only.
 */
export const UNFLUSHED = `set_config('synchronous_commit', 'off', true)`;
