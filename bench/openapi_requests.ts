import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { importExampleWork } from '../tests/support/import_example_work.ts';
import { installNoiseModel } from '../tests/support/install_model.ts';
import { newSchema } from '../tests/support/new_schema.ts';
import { makeOperator } from '../tests/support/openapi_requests/identities.ts';
import { playRequests } from '../tests/support/openapi_requests/play_requests.ts';
import { UNLIMITED } from '../tests/support/unlimited.ts';
import { startServer } from './support/server.ts';

const COUNT = 10_000;
const SEED = 24;

/**
 * Requests made from the served OpenAPI document, over HTTP to a server of its own; on PostgreSQL where TEST_DATABASE_URL names one. Target: no 5xx
 * but the announced 503, every refusal in the shape of the house, every answer as its schema says, and books that balance.
 */
export async function run(): Promise<string> {
  const schema = process.env.TEST_DATABASE_URL ? await newSchema(process.env.TEST_DATABASE_URL) : undefined;
  const folder = mkdtempSync(join(tmpdir(), 'atelier-requests-'));
  const settings = {
    ...{
      ...UNLIMITED,
      DATA_DIR: folder,
      LOG_LEVEL: 'error',
      LIVE_WORKS: 'false',
      TRUSTED_PROXIES: '127.0.0.1',
    },
    ...{ DATABASE_URL: schema?.url ?? '' },
  };
  try {
    await importExampleWork(folder);
    await installNoiseModel(folder);
    const token = await makeOperator(settings);
    const server = await startServer('src/main.ts', settings);
    const began = performance.now();
    const played = await playRequests({ url: server.url, token, count: COUNT, seed: SEED });
    const seconds = Math.round((performance.now() - began) / 1000);
    const peak = server.mainMemoryMiB().peak;
    await server.stop();
    for (const problem of played.problems) console.error(problem);
    console.error('never 2xx or 3xx:', played.unreached);
    return [
      '## Requests made from the OpenAPI document',
      '',
      `${COUNT} requests to ${played.operations} operations (seed ${SEED}) on ${schema ? 'PostgreSQL' : 'the embedded database'}, four at a time, in ${seconds} s. ${played.operations - played.unreached.length} operations have answered 2xx or 3xx. Wrong answers: ${played.problems.length}. The books ${played.isBalanced ? 'balance' : 'do not balance'}. The main process held ${peak} MiB at most.`,
      '',
      '| requests | count | 2xx | 3xx | 4xx | 5xx |',
      '|---|---|---|---|---|---|',
      ...[...played.counts].map(
        ([kind, counts]) =>
          `| ${kind} | ${counts.reduce((sum, one) => sum + one, 0)} | ${counts.slice(2, 6).join(' | ')} |`,
      ),
    ].join('\n');
  } finally {
    await schema?.drop();
    rmSync(folder, { recursive: true, force: true });
  }
}
