import type { Config } from '../../../config/config.ts';
import type { Database } from '../../../core/database/types.ts';
import { AtelierError } from '../../../core/errors/atelier_error.ts';
import * as store from './store.ts';
import type { Amount, DayLimits, Spender, VisionBudget } from './types.ts';

/** So long it is known what was used on a day. */
const DAYS_KEPT = 35;
const DAY_MS = 86_400_000;
/** When to come again where the rest of the day is only set aside for requests that run. */
const RETRY_SECONDS = 30;

/** Counts in the database, where all servers meet. @param clock for tests */
export function createVisionBudget(
  database: Database,
  limits: DayLimits,
  clock: () => Date = () => new Date(),
): VisionBudget {
  return {
    async reserve(most, by, lifetimeMs) {
      const now = clock();
      const request = { ...placeOf(by, now), ...usedOf(most) };
      const reservedUntil = new Date(now.getTime() + lifetimeMs);
      const id = await database.transaction(async (tx) => {
        await store.lock(tx);
        const problem = problemIn(limits, request, await store.usedOn(tx, request, now), now);
        if (problem) throw problem;
        return store.insertRequest(tx, { ...request, reservedUntil });
      });
      return { settle: (used) => store.settleRequest(database, id, usedOf(used)) };
    },
    async refusal(most, by) {
      const now = clock();
      const request = { ...placeOf(by, now), ...usedOf(most) };
      return problemIn(limits, request, await store.usedOn(database, request, now), now);
    },
    sweep: (now) => store.sweep(database, dayOf(new Date(now.getTime() - DAYS_KEPT * DAY_MS))),
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
  { tokens, usd, sharePercent }: DayLimits,
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
  return scope && spent(scope === 'all' ? EVERYBODY : ONE, isOver(scope, 'settled'), now);
}

const EVERYBODY = "The vision model has used up this day's budget of the server.";
const ONE =
  "You have used up your share of the vision model's budget for this day; the rest is for other callers.";

/** @param isForToday false where what is set aside for requests that run may be given back */
function spent(what: string, isForToday: boolean, now: Date): AtelierError {
  const seconds = isForToday ? Math.ceil((DAY_MS - (now.getTime() % DAY_MS)) / 1000) : RETRY_SECONDS;
  const at = new Date(now.getTime() + seconds * 1000).toISOString().replace(/\.\d+Z$/, 'Z');
  return new AtelierError(
    'vision_budget_spent',
    `${what} It can be asked again at ${at}. Nothing was charged. enrich_metadata with engine "built_in" works now: it describes a picture by measurement alone.`,
    { retryAfterSeconds: seconds, members: { available_at: at } },
  );
}

/** The budget of the settings; without a bound everything fits, and is counted all the same. */
export const openVisionBudget = (config: Config, database: Database): VisionBudget =>
  createVisionBudget(database, {
    tokens: config.VISION_TOKENS_A_DAY,
    usd: config.VISION_USD_A_DAY,
    sharePercent: config.VISION_SHARE_PERCENT,
  });
