import { z } from 'zod';
import type { Maintenance } from '../../../core/cluster/maintenance/types.ts';
import { AtelierError } from '../../../core/errors/atelier_error.ts';
import type { WaitingJobs } from '../../../core/queue/types.ts';
import type { Reading } from '../../../core/telemetry/types.ts';
import { type AnyOperation, defineOperation, type OperationCall } from '../../definitions/operation.ts';
import type { Background } from '../../models/setup/pull_in_background.ts';
import type { EngineChecks, EngineHealth, Health } from '../../operator/health/health.ts';

/**
 * Admits clients that may read metrics, and operators with read access.
 * @throws AtelierError operator_only; operator_denied, rate_limited and upstream_failed for an operator token that is refused
 */
export async function requireReader(mayRead: Reading['mayRead'], call: OperationCall): Promise<void> {
  if (!mayRead(call) && !(await call.isOperator('read'))) throw new AtelierError('operator_only');
}

/** Statuses of its errors. */
export const READER_FAILURES = [403, 429, 502] as const;

export const healthFields = z.object({
  status: z
    .enum(['ok', 'degraded', 'unhealthy'])
    .describe('degraded: stored data can be read, but nothing new is saved; or an engine fails (deep).'),
  version: z.string(),
  time: z.string(),
  uptime_s: z.int().min(0).max(Number.MAX_SAFE_INTEGER),
  checks: z
    .record(z.string(), z.enum(['ok', 'failed']))
    .describe(
      'database and storage: a test write succeeded; room: the disk is not almost full; clock: within 30 s of the database clock; stays: fails once the server is shutting down (DRAIN_MS).',
    ),
  fetching: z
    .record(z.string(), z.enum(['waiting', 'running', 'here', 'failed']))
    .optional()
    .describe(
      'Networks and museums that this server downloads in the background (MODELS_PULL, MUSEUMS_PULL); failed downloads are retried. The server works without them.',
    ),
  fetching_progress: z
    .record(z.string(), z.number().min(0).max(1))
    .optional()
    .describe('Progress of running downloads, 0 to 1.'),
  jobs: z
    .record(z.string(), z.object({ waiting: z.int().min(1), oldest_s: z.number().min(0) }))
    .optional()
    .describe('Queued jobs by tool: count and age of the oldest.'),
  maintenance: z
    .object({ since: z.iso.datetime(), why: z.string().optional() })
    .optional()
    .describe('Maintenance mode: writes return 503 maintenance, and accepted jobs continue.'),
  build: z.string().describe('Commit of the package; source if run from the source tree.'),
});

/** States by engine name. */
export const engineFields = z.record(
  z.string(),
  z.object({
    state: z.enum(['ok', 'failed', 'busy']),
    ms: z.int().min(0),
    reason: z.string().optional(),
  }),
);

const answer = healthFields.extend({
  engines: engineFields.optional().describe('With deep=1: every loaded engine; busy: no free slot.'),
});
type Told = z.input<typeof answer>;

const input = z.object({
  deep: z
    .enum(['0', '1'])
    .optional()
    .describe('1: also runs every engine on a small image, at most once per minute. For the operator.'),
});

export interface HealthParts {
  readonly version: string;
  readonly health: Health;
  /** State of background downloads. */
  readonly fetching?: Pick<Background, 'states' | 'fractions'> | undefined;
  /** Queued jobs. */
  readonly waiting?: (() => Promise<readonly WaitingJobs[]>) | undefined;
  readonly maintenance?: Maintenance | undefined;
  readonly build: string;
}

interface DeepHealthParts extends HealthParts {
  readonly engines: EngineHealth;
  /** Whether a client may run the engine self-test. */
  readonly mayLookDeep: Reading['mayRead'];
}

/** `/health`. */
export function healthOperation({ engines, mayLookDeep, ...parts }: DeepHealthParts): AnyOperation {
  const read = createReadHealth(parts);
  return defineOperation({
    name: 'health',
    methods: ['GET'],
    path: '/health',
    tag: 'discovery',
    summary: 'Health of this server: 200 if healthy, otherwise 503 with the failing checks.',
    input,
    answer,
    alsoStatus: 503,
    alsoFails: READER_FAILURES,
    run: async ({ deep }, _services, call) => {
      if (deep === '1') await requireReader(mayLookDeep, call);
      const shallow: Told = await read();
      const body = deep === '1' ? withEngines(shallow, await engines.check()) : shallow;
      return {
        bytes: JSON.stringify(body),
        contentType: 'application/json',
        headers: { 'Cache-Control': 'no-store' },
        // With an almost full disk, reads still work, so the status stays 200. Failing engines count only where the request asks
        // for an alarm.
        status: body.status === 'unhealthy' || hasFailed(body) ? 503 : 200,
      };
    },
  });
}

const hasFailed = ({ engines = {} }: { engines?: EngineChecks | undefined }): boolean =>
  Object.values(engines).some(({ state }) => state === 'failed');

const withEngines = (told: Told, engines: EngineChecks): Told => ({
  ...told,
  engines,
  status: told.status === 'ok' && hasFailed({ engines }) ? 'degraded' : told.status,
});

/** Computes the state in `/health`; uptime counts from this call. */
export function createReadHealth({
  version,
  health,
  fetching = { states: () => ({}), fractions: () => ({}) },
  waiting = async () => [],
  maintenance,
  build,
}: HealthParts): () => Promise<z.input<typeof healthFields>> {
  // Monotonic: the system clock may be set.
  const startedAtMs = performance.now();
  return async () => {
    const checks = await health.check();
    // With a full disk, reads still work.
    const isWhole = checks.database && checks.clock !== false && (checks.storage || !checks.room);
    const canServe = isWhole && checks.stays !== false;
    const said = Object.entries(checks).map(([name, isWell]) => [name, isWell ? 'ok' : 'failed'] as const);
    const [fetched, fractions] = [fetching.states(), fetching.fractions()];
    const jobs = checks.database ? await waiting().catch(() => []) : [];
    const quiet = maintenance?.current();
    return {
      status: canServe ? (checks.room && !quiet ? 'ok' : 'degraded') : 'unhealthy',
      version,
      time: new Date().toISOString(),
      uptime_s: Math.floor((performance.now() - startedAtMs) / 1000),
      checks: Object.fromEntries(said),
      ...(Object.keys(fetched).length > 0 && { fetching: fetched }),
      ...(Object.keys(fractions).length > 0 && { fetching_progress: fractions }),
      ...(jobs.length > 0 && { jobs: byTool(jobs) }),
      ...(quiet && { maintenance: { ...quiet, since: quiet.since.toISOString() } }),
      build,
    };
  };
}

const byTool = (jobs: readonly WaitingJobs[]) =>
  Object.fromEntries(
    jobs.map(({ tool, count, oldestSeconds }) => [
      tool,
      { waiting: count, oldest_s: Math.round(oldestSeconds) },
    ]),
  );
