import { z } from 'zod';
import type { Health } from '../../services/health/contract.ts';
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
  build: z.string(),
});

/**
 * @param fetching how what is fetched in the background is
 * @param build names what was built, such as a commit
 */
export function healthOperation(
  version: string,
  health: Health,
  fetching: () => Readonly<Record<string, PullState>> = () => ({}),
  build = 'source',
): AnyOperation {
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
      const body: z.input<typeof answer> = {
        status: canServe ? (checks.room ? 'ok' : 'degraded') : 'unhealthy',
        version,
        time: new Date().toISOString(),
        uptime_s: Math.floor((Date.now() - startedAtMs) / 1000),
        checks: Object.fromEntries(said),
        ...(Object.keys(fetched).length > 0 && { fetching: fetched }),
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
