import { z } from 'zod';
import type { LoggedWarning } from '../../../core/log/recent_warnings.ts';
import { type AnyOperation, defineOperation } from '../../definitions/operation.ts';
import type { History } from '../history/history.ts';
import { POINT_MS } from '../history/limits.ts';
import { OPERATOR_LIMIT } from './admin_action.ts';

const count = z.int().min(0).max(Number.MAX_SAFE_INTEGER);

const answer = z.object({
  interval_minutes: z.int().min(1).max(60),
  points: z
    .array(
      z.object({
        at: z.string().describe('Start of the interval.'),
        requests: count,
        failed: count.describe('Responses with status 500 and above, except 503.'),
        p95_ms: z.number().min(0).max(1e9).nullable().describe('null without requests.'),
        queued: count.describe('The longest queue of jobs in the interval.'),
        credits: z.number().min(0).max(1e12).describe('Charged to wallets.'),
      }),
    )
    .describe('The last 24 hours of all servers, oldest first.'),
  alerts: z
    .array(
      z.object({
        name: z.string(),
        severity: z.enum(['page', 'ticket']),
        summary: z.string(),
        since: z.string(),
        firing: z.boolean().describe('false: the condition has not lasted long enough yet.'),
      }),
    )
    .describe('Active alerts of deploy/monitoring/alerts.yml on this server, as of the last minute.'),
  warnings: z
    .array(
      z.object({
        at: z.string(),
        level: z.enum(['warn', 'error']),
        message: z.string(),
        detail: z.string(),
      }),
    )
    .describe('The last warnings and errors in the log of this server, newest first, without refusals.'),
});

/** Metrics of the last 24 hours. */
export type DailyMetrics = z.output<typeof answer>;

interface HistoryParts {
  readonly history: History;
  warnings(): readonly LoggedWarning[];
}

/** Graphs, alerts and warnings for operators. */
export const operatorHistory = ({ history, warnings }: HistoryParts): AnyOperation =>
  defineOperation({
    name: 'operator_history',
    methods: ['GET'],
    path: '/api/operator/history',
    tag: 'operator',
    summary: 'Metrics of the last 24 hours, firing alerts, and recent log warnings.',
    input: z.object({}),
    answer,
    operator: 'read',
    limit: OPERATOR_LIMIT,
    async run() {
      const points = await history.points(new Date());
      return {
        interval_minutes: POINT_MS / 60_000,
        points: points.map(({ at, p95Seconds, credits, ...point }) => ({
          at: at.toISOString(),
          ...point,
          credits: Math.round(credits * 1000) / 1000,
          p95_ms: p95Seconds === null ? null : Math.round(p95Seconds * 1000),
        })),
        alerts: history.alerts().map(({ since, isFiring, ...alert }) => ({
          ...alert,
          since: since.toISOString(),
          firing: isFiring,
        })),
        warnings: warnings().map(({ at, ...warning }) => ({ at: at.toISOString(), ...warning })),
      };
    },
  });
