import { z } from 'zod';
import type { Health } from '../../services/health/contract.ts';
import type { WaitingJobs } from '../../services/jobs/contract.ts';
import type { PullState } from '../../services/setup/pull_in_background.ts';
import { type AnyOperation, defineOperation } from '../operation.ts';

const answer = z.object({
  status: z
    .enum(['ok', 'degraded', 'unhealthy'])
    .describe('degraded: what is here can be read, but nothing new is kept.'),
  version: z.string(),
  time: z.string(),
  uptime_s: z.int().min(0).max(Number.MAX_SAFE_INTEGER),
  checks: z
    .record(z.string(), z.enum(['ok', 'failed']))
    .describe(
      'database and storage were written to; room: the disk is not almost full; clock: it agrees with that of the database within 30 s.',
    ),
  fetching: z
    .record(z.string(), z.enum(['waiting', 'running', 'here', 'failed']))
    .optional()
    .describe(
      'Networks and museums this server fetches in its background (MODELS_PULL, MUSEUMS_PULL); failed ones are tried again. It serves without them.',
    ),
  jobs: z
    .record(z.string(), z.object({ waiting: z.int().min(1), oldest_s: z.number().min(0) }))
    .optional()
    .describe('Jobs that nobody works on yet, by tool: how many, and how long the first of them has waited.'),
  build: z.string(),
});

export interface HealthParts {
  readonly version: string;
  readonly health: Health;
  /** How what is fetched in the background is. */
  readonly fetching?: (() => Readonly<Record<string, PullState>>) | undefined;
  /** Jobs that nobody works on yet. */
  readonly waiting?: (() => Promise<readonly WaitingJobs[]>) | undefined;
  /** Names what was built, such as a commit. */
  readonly build?: string;
}

/** `/health`. */
export function healthOperation({
  version,
  health,
  fetching = () => ({}),
  waiting = async () => [],
  build = 'source',
}: HealthParts): AnyOperation {
  const startedAtMs = Date.now();
  return defineOperation({
    name: 'health',
    methods: ['GET'],
    path: '/health',
    tag: 'discovery',
    summary: 'Whether this server can serve: 200 when it can, 503 when it cannot, and which part fails.',
    input: z.object({}),
    answer,
    alsoStatus: 503,
    run: async () => {
      const checks = await health.check();
      // A full disk still lets everything be read.
      const canServe = checks.database && checks.clock !== false && (checks.storage || !checks.room);
      const said = Object.entries(checks).map(([name, isWell]) => [name, isWell ? 'ok' : 'failed'] as const);
      const fetched = fetching();
      const jobs = checks.database ? await waiting().catch(() => []) : [];
      const body: z.input<typeof answer> = {
        status: canServe ? (checks.room ? 'ok' : 'degraded') : 'unhealthy',
        version,
        time: new Date().toISOString(),
        uptime_s: Math.floor((Date.now() - startedAtMs) / 1000),
        checks: Object.fromEntries(said),
        ...(Object.keys(fetched).length > 0 && { fetching: fetched }),
        ...(jobs.length > 0 && { jobs: byTool(jobs) }),
        build,
      };
      return {
        bytes: JSON.stringify(body),
        contentType: 'application/json',
        headers: { 'Cache-Control': 'no-store' },
        status: canServe ? 200 : 503,
      };
    },
  });
}

const byTool = (jobs: readonly WaitingJobs[]) =>
  Object.fromEntries(
    jobs.map(({ tool, count, oldestSeconds }) => [
      tool,
      { waiting: count, oldest_s: Math.round(oldestSeconds) },
    ]),
  );
