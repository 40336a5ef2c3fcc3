import { type BaseLogger, pino } from 'pino';
import { createDurations } from './call/durations.ts';
import type { CallKit } from './call/kit.ts';
import type { Config } from './config.ts';
import type { ScriptableDatabase } from './database/contract.ts';
import { openServices } from './open_services.ts';
import { createAudit } from './services/audit/audit.ts';
import { createMemoryLimiter } from './services/limiter/memory_limiter.ts';
import { checkCards } from './services/payments/open.ts';
import { openData } from './services/storage/open.ts';
import { requireSameStorage } from './services/storage/same_storage.ts';
import type { Chore } from './services/sweeping/start_sweeping.ts';
import { x402SettingsOf } from './services/x402/open.ts';

/** The version of the interface, as the specification numbers it. */
export const VERSION = '0.5.0';

export interface OpenedKit {
  readonly kit: CallKit;
  readonly chores: Readonly<Record<string, Chore>>;
  readonly database: ScriptableDatabase;
  readonly logger: BaseLogger;
  /** Closes everything; call it when no call is running. */
  close(): Promise<void>;
}

/**
 * What every process needs that runs tools, with ways in or without: each service, built once.
 * @param data the database, if it is being opened already
 * @throws Error saying which setting is wrong, or what cannot be opened
 */
export async function openKit(
  config: Config,
  publicUrl: string,
  data?: Promise<ScriptableDatabase>,
): Promise<OpenedKit> {
  const logger = pino({ level: config.LOG_LEVEL });
  checkCards(config, logger);
  x402SettingsOf(config);
  const database = await ownDatabase(config, data);
  const { services, answers, x402, mpp, chores, visits, disk } = await openServices(config, {
    database,
    publicUrl,
    logger,
    version: VERSION,
  });
  const kit: CallKit = {
    services,
    answers,
    visits,
    disk,
    ...(x402 && { x402 }),
    ...(mpp && { mpp }),
    limiter: createMemoryLimiter(),
    audit: createAudit(logger),
    durations: createDurations(),
    turns: new Map(),
    rates: ratesOf(config),
    addressFactor: config.ADDRESS_LIMIT_FACTOR,
    deadlineMs: config.TOOL_DEADLINE_MS,
    jobDeadlineMs: config.JOB_DEADLINE_MS,
  };
  const close = async () => {
    services.subjects.stop();
    await services.jobs.close();
    await services.artworks.settle();
    await services.pixels.close();
    await services.hashes.close();
    await database.close();
  };
  return { kit, chores, database, logger, close };
}

/** The database, which belongs to the folder of the settings. @throws Error where it does not */
async function ownDatabase(
  config: Config,
  data: Promise<ScriptableDatabase> | undefined,
): Promise<ScriptableDatabase> {
  const database = await (data ?? openData(config));
  const { DATA_DIR: dataDir, ADOPT_STORAGE: mayAdopt } = config;
  await requireSameStorage(database, { dataDir, mayAdopt }).catch(async (error: unknown) => {
    await database.close();
    throw error;
  });
  return database;
}

function ratesOf(config: Config): CallKit['rates'] {
  return {
    'free-tools': config.FREE_TOOLS_PER_HOUR,
    'paid-tools': config.PAID_TOOLS_PER_MINUTE,
    mcp: config.MCP_PER_MINUTE,
    registrations: config.REGISTRATIONS_PER_HOUR,
    'registrations-a-day': config.REGISTRATIONS_PER_DAY,
    'registrations-of-all': config.REGISTRATIONS_PER_DAY_OF_ALL,
    refusals: config.REFUSALS_PER_MINUTE,
    uploads: config.UPLOADS_PER_HOUR,
    'signed-requests': config.SIGNED_REQUESTS_PER_MINUTE,
    'cafe-posts': config.CAFE_POSTS_PER_DAY,
    'gallery-posts': config.GALLERY_POSTS_PER_DAY,
    'registry-signatures': config.REGISTRY_SIGNATURES_PER_DAY,
  };
}
