import type { Config } from '../../../config/config.ts';
import type { Database } from '../../../core/database/types.ts';
import { AtelierError } from '../../../core/errors/atelier_error.ts';
import * as store from './store.ts';

/** Retention of daily usage. */
const DAYS_KEPT = 35;
const DAY_MS = 86_400_000;
/** `Retry-After` if only the reservations of running requests exceed the budget. */
const RETRY_SECONDS = 30;

/** A budget, and the client error once it is spent. */
interface Account {
  readonly table: store.RequestTable;
  readonly code: 'vision_budget_spent' | 'image_budget_spent';
  /** "The vision model" */
  readonly name: string;
  /** Alternative for the client. */
  readonly instead: string;
}

const VISION: Account = {
  table: 'vision_requests',
  code: 'vision_budget_spent',
  name: 'The vision model',
  instead: 'enrich_metadata with engine "built_in" is available: it describes an image by measurement only.',
};

const IMAGES: Account = {
  table: 'image_requests',
  code: 'image_budget_spent',
  name: 'The image model',
  instead: 'edit_image and compose_image are available: they need no model.',
};

/**
 * Counts usage in the database, shared by all servers.
 * @param clock for tests
 */
export function createVisionBudget(
  database: Database,
  limits: DayLimits,
  clock: () => Date = () => new Date(),
  account: Account = VISION,
): VisionBudget {
  const { table } = account;
  return {
    async reserve(most, by, lifetimeMs) {
      const now = clock();
      const request = { ...placeOf(by, now), ...usedOf(most) };
      const reservedUntil = new Date(now.getTime() + lifetimeMs);
      const id = await database.transaction(async (tx) => {
        await store.lock(tx, table);
        const problem = problemIn(
          { ...limits, account },
          request,
          await store.usedOn(tx, table, request, now),
          now,
        );
        if (problem) throw problem;
        return store.insertRequest(tx, table, { ...request, reservedUntil });
      });
      return { settle: (used) => store.settleRequest(database, table, id, usedOf(used)) };
    },
    async refusal(most, by) {
      const now = clock();
      const request = { ...placeOf(by, now), ...usedOf(most) };
      return problemIn(
        { ...limits, account },
        request,
        await store.usedOn(database, table, request, now),
        now,
      );
    },
    sweep: (now) => store.sweep(database, table, dayOf(new Date(now.getTime() - DAYS_KEPT * DAY_MS))),
  };
}

const dayOf = (at: Date): string => at.toISOString().slice(0, 10);

const placeOf = ({ address, callerKey }: Spender, now: Date) => ({
  day: dayOf(now),
  address: address ?? null,
  caller: callerKey ?? null,
});

const usedOf = ({ tokens, usd }: Amount): store.Used => ({
  tokens: Math.ceil(tokens),
  microUsd: Math.ceil(usd * 1e6),
});

/** The first limit the request would exceed. The first request of a day of a client or address may exceed its share. */
function problemIn(
  { tokens, usd, sharePercent, account }: DayLimits & { account: Account },
  request: store.Used,
  used: store.UsedOfDay,
  now: Date,
): AtelierError | undefined {
  const bounds = { tokens, microUsd: usd === undefined ? undefined : usd * 1e6 };
  const isOver = (scope: store.Scope, of: 'total' | 'settled'): boolean =>
    (['tokens', 'microUsd'] as const).some((unit) => {
      const bound = bounds[unit];
      const before = used[scope][of][unit];
      if (bound === undefined) return false;
      if (scope === 'all') return before + request[unit] > bound;
      return before > 0 && before + request[unit] > (bound * sharePercent) / 100;
    });
  const scope = (['all', 'address', 'caller'] as const).find((each) => isOver(each, 'total'));
  return scope && spent(account, { isAll: scope === 'all', isForToday: isOver(scope, 'settled'), now });
}

interface Spent {
  /** True: budget of the server. False: share of one client. */
  readonly isAll: boolean;
  /** False if the limit is exceeded only by reservations, which may still be released. */
  readonly isForToday: boolean;
  readonly now: Date;
}

function spent({ code, name, instead }: Account, { isAll, isForToday, now }: Spent): AtelierError {
  const seconds = isForToday ? Math.ceil((DAY_MS - (now.getTime() % DAY_MS)) / 1000) : RETRY_SECONDS;
  const at = new Date(now.getTime() + seconds * 1000).toISOString().replace(/\.\d+Z$/, 'Z');
  const model = name.charAt(0).toLowerCase() + name.slice(1);
  const what = isAll
    ? `${name} has used up the daily budget of the server.`
    : `You have used up your share of the daily budget of ${model}; the rest is for other clients.`;
  return new AtelierError(code, `${what} It is available again at ${at}. You were not charged. ${instead}`, {
    retryAfterSeconds: seconds,
    members: { available_at: at },
  });
}

/** Daily budget of the vision model, as configured. Without limits, usage is only counted. */
export const openVisionBudget = (config: Config, database: Database): VisionBudget =>
  createVisionBudget(database, {
    tokens: config.VISION_TOKENS_A_DAY,
    usd: config.VISION_USD_A_DAY,
    sharePercent: config.VISION_SHARE_PERCENT,
  });

/** Daily budget of the image model, as configured. */
export const openImageBudget = (config: Config, database: Database): VisionBudget =>
  createVisionBudget(
    database,
    { usd: config.GENERATION_USD_A_DAY, sharePercent: config.GENERATION_SHARE_PERCENT },
    undefined,
    IMAGES,
  );

/** Daily budget (UTC) of a model across all servers of one database, with a share per client. */
export interface VisionBudget {
  /**
   * Reserves the maximum usage of one request; expires after `lifetimeMs` unless settled.
   * @throws AtelierError vision_budget_spent, with the time of the next budget
   */
  reserve(most: Amount, by: Spender, lifetimeMs: number): Promise<Reservation>;
  /** The error that `reserve` would throw now; undefined if there is none. */
  refusal(most: Amount, by: Spender): Promise<AtelierError | undefined>;
  /** Deletes usage beyond its retention; returns the number of rows. */
  sweep(now: Date): Promise<number>;
}

interface Reservation {
  /** Replaces the reservation by the actual usage. Only the first call counts. */
  settle(used: Amount): Promise<void>;
}

export interface Amount {
  readonly tokens: number;
  /** US dollars; 0 without prices. */
  readonly usd: number;
}

/** Network address and client, as in `CallContext`. Absent for the service itself. */
export interface Spender {
  readonly address?: string | undefined;
  readonly callerKey?: string | undefined;
}

/** Absent members are unlimited. */
export interface DayLimits {
  readonly tokens?: number | undefined;
  /** US dollars. */
  readonly usd?: number | undefined;
  /** Share of both limits per address and per client, in percent. */
  readonly sharePercent: number;
}
