import type { Queryable } from '../database/types.ts';

/** Queued jobs of one tool in one round. */
export interface Round {
  readonly tool: string;
  /** Distance from the current round of the tool. */
  readonly round: number;
  readonly count: number;
  /** Positions. */
  readonly first: number;
  readonly last: number;
  /** Age of the oldest. */
  readonly oldestSeconds: number;
}

export interface WaitingTool {
  readonly tool: string;
  readonly count: number;
  /** Age of the oldest. */
  readonly oldestSeconds: number;
}

/** The rounds of all tools, and the number of running jobs. Reads the index `queued_jobs` and one row per round. */
export async function readRounds(
  database: Queryable,
): Promise<{ rounds: readonly Round[]; running: number }> {
  const [rounds, [row]] = await Promise.all([
    database.query<Round>(
      `select r.tool, r.turn - coalesce(b.begun, 0) as round, r.count, r.first, r.last,
         greatest(0, extract(epoch from now() - r.created_at))::float8 as "oldestSeconds"
       from (
         select tool, turn, count(*) as count, min(position) as first, max(position) as last,
           min(created_at) as created_at
         from jobs where state = 'queued' group by tool, turn
       ) r left join job_turns b on b.tool = r.tool`,
    ),
    database.query<{ running: number }>(`select count(*) as running from jobs where state = 'running'`),
  ]);
  return { rounds, running: row!.running };
}
