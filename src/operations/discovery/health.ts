import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { type AnyOperation, defineOperation } from '../operation.ts';

const CHECK_TIMEOUT_MS = 5_000;

/** What the service cannot serve without. */
export interface Health {
  readonly database: { query(text: string): Promise<unknown> };
  /** Folder that must be writable. */
  readonly dataDir: string;
  /** Names what was built, such as a commit. */
  readonly build?: string;
}

const answer = z.object({
  status: z.enum(['ok', 'unhealthy']),
  version: z.string(),
  time: z.string(),
  uptime_s: z.int().min(0).max(Number.MAX_SAFE_INTEGER),
  checks: z.record(z.string(), z.enum(['ok', 'failed'])),
  build: z.string(),
});

export function healthOperation(version: string, health: Health): AnyOperation {
  const startedAtMs = Date.now();
  return defineOperation({
    name: 'health',
    methods: ['GET'],
    path: '/health',
    tag: 'discovery',
    summary: 'Whether this server can serve: 200 when it can, 503 when it cannot.',
    input: z.object({}),
    answer,
    alsoStatus: 503,
    run: async () => {
      const [database, storage] = await Promise.all([
        checked(health.database.query('select 1')),
        checked(writeFile(join(health.dataDir, '.health'), '')),
      ]);
      const isWell = database === 'ok' && storage === 'ok';
      const body: z.input<typeof answer> = {
        status: isWell ? 'ok' : 'unhealthy',
        version,
        time: new Date().toISOString(),
        uptime_s: Math.floor((Date.now() - startedAtMs) / 1000),
        checks: { database, storage },
        build: health.build ?? 'source',
      };
      return {
        bytes: JSON.stringify(body),
        contentType: 'application/json',
        headers: { 'Cache-Control': 'no-store' },
        status: isWell ? 200 : 503,
      };
    },
  });
}

/** A check that hangs has failed. The reason is not for callers: it may name paths and hosts. */
async function checked(check: Promise<unknown>): Promise<'ok' | 'failed'> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => late.reject(new Error('late')), CHECK_TIMEOUT_MS);
  try {
    await Promise.race([check, late.promise]);
    return 'ok';
  } catch {
    return 'failed';
  } finally {
    clearTimeout(timer);
  }
}
