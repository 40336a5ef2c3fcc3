import type { Queryable } from './types.ts';

/** Tables with rows that are updated or deleted often. */
const CHANGING = [
  'jobs',
  'job_turns',
  'answers',
  'accounts',
  'open_holds',
  'webhook_events',
  'webhook_deliveries',
  'leases',
  'servers',
];

export interface TableSize {
  readonly table: string;
  /** Estimated rows; `dead` ones wait for autovacuum. */
  readonly live: number;
  readonly dead: number;
  /** With indexes. */
  readonly bytes: number;
}

/** Sizes of the tables that bloat if autovacuum falls behind. PostgreSQL only. */
export const measureTables = (database: Queryable): Promise<TableSize[]> =>
  database.query<TableSize>(
    `select relname as "table", n_live_tup as live, n_dead_tup as dead, pg_total_relation_size(relid) as bytes
     from pg_stat_user_tables where schemaname = current_schema() and relname = any($1) order by relname`,
    [CHANGING],
  );
