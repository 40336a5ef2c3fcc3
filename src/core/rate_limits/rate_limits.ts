import { isIPv4 } from 'node:net';
import ipaddr from 'ipaddr.js';
import { ASYNC_COMMIT } from '../database/async_commit.ts';
import { createBatchProcessor } from '../database/batch_loader.ts';
import type { Database, Queryable } from '../database/types.ts';
import { AtelierError } from '../errors/atelier_error.ts';
import {
  CALLERS_PER_STATEMENT,
  KEYS_MAX,
  LEASE_CALLS_MAX,
  LEASE_CALLS_MIN,
  LEASE_MS_MAX,
  LEASE_MS_MIN,
  LEASE_SHARE,
  LEASE_WINDOW_SHARE,
  REFUSAL_MS,
  RETURN_INTERVAL_MS,
  WINDOWS_MAX,
} from './limits.ts';
import { type Limiter, type Policy, type RateState, rateLimited } from './rate_limited.ts';

/** Counts in the database if several servers may use it, otherwise in memory; with a cleanup of old windows and a close function. */
export function openLimiter(database: Database): {
  readonly limiter: Limiter;
  sweep(): Promise<number>;
  close(): Promise<void>;
} {
  const alone = createMemoryLimiter();
  if (database.kind === 'embedded') return { limiter: alone, sweep: async () => 0, close: async () => {} };
  const limiter = createSharedLimiter({ take: (asks) => takeCalls(database, asks), alone });
  return {
    limiter,
    sweep: () => forgetWindows(database, WINDOWS_MAX),
    close: () => limiter.close(),
  };
}

interface Counted extends Window {
  current: number;
  /** A request was already refused in this window. */
  isReported?: boolean;
}

/**
 * Sliding-window counter of one process. Stores two numbers per caller, for 200,000 callers at most; the oldest are dropped first.
 * @param now monotonic milliseconds: the system clock may be set, which would release or block every caller
 */
export function createMemoryLimiter(now: () => number = () => performance.now()): Limiter {
  const windows = new Map<string, Counted>();

  function windowFor(policy: Policy, callerKey: string): Counted {
    const key = `${policy.name} ${callerKey}`;
    const window = rollWindow(windows.get(key), policy, now());
    windows.delete(key);
    windows.set(key, window);
    if (windows.size > KEYS_MAX) windows.delete(windows.keys().next().value!);
    return window;
  }

  function stateNow(policy: Policy, window: Counted): RateState {
    const state = stateOf(window, policy, now());
    if (state.remaining >= 1) return state;
    const isRepeat = window.isReported ?? false;
    window.isReported = true;
    throw rateLimited(policy, { ...state, resetSeconds: freeInSeconds(window, policy, now()) }, isRepeat);
  }

  return {
    async look(policy, callerKey) {
      const known = windows.get(`${policy.name} ${callerKey}`);
      if (known) stateNow(policy, rollWindow(known, policy, now()));
    },
    async take(policy, callerKey) {
      const window = windowFor(policy, callerKey);
      const state = stateNow(policy, window);
      window.current += 1;
      return { ...state, remaining: state.remaining - 1 };
    },
    async giveBack(policy, callerKey) {
      const window = windowFor(policy, callerKey);
      window.current = Math.max(0, window.current - 1);
    },
  };
}

/** Local state of one caller and limit. */
interface Known {
  readonly name: string;
  policy: Policy;
  /** The window of the database, by the clock of this process. */
  window: Window;
  /** Time of the last response of the database. */
  toldAt: number;
  /** Time of the last call, and whether it came soon after the previous one. */
  calledAt: number;
  isFrequent: boolean;
  /** Unused prefetched permits, and the size of the last prefetch. */
  ahead: number;
  lease: number;
  /** End of the window in which the client was already refused. */
  isRepeatUntil: number;
  readonly waiting: Waiting[];
}

interface Waiting {
  resolve(state: RateState): void;
  reject(error: unknown): void;
}

/** A caller without state. */
const newCaller = (name: string, policy: Policy): Known => ({
  name,
  policy,
  ahead: 0,
  lease: 0,
  waiting: [],
  isRepeatUntil: Number.NEGATIVE_INFINITY,
  window: { startedAt: 0, current: 0, previous: 0 },
  toldAt: Number.NEGATIVE_INFINITY,
  calledAt: Number.NEGATIVE_INFINITY,
  isFrequent: false,
});

/** Remaining permits, prefetched ones included. */
function stateNow({ window, policy, ahead }: Known, now: number): RateState {
  const state = stateOf(rollWindow(window, policy, now), policy, now);
  return { ...state, remaining: state.remaining + ahead };
}

/** The refusal of a client whose window is full. */
function refusal(known: Known, now: number): AtelierError {
  const { window, policy } = known;
  const rolled = rollWindow(window, policy, now);
  const isRepeat = now < known.isRepeatUntil;
  known.isRepeatUntil = rolled.startedAt + policy.perSeconds * 1000;
  const state = { remaining: 0, resetSeconds: Math.max(1, freeInSeconds(rolled, policy, now)) };
  return rateLimited(policy, state, isRepeat);
}

interface Asking {
  /** Queues a caller with waiting calls for the next statement. */
  add(known: Known): void;
  /** Returns permits that stay unused. */
  giveBackLater(known: Known): void;
  /** Returns all unused permits now. */
  close(): Promise<void>;
}

interface AskingOptions {
  /** Counts in the database, for all servers. */
  take(asks: readonly Ask[]): Promise<Grant[]>;
  /** Monotonic milliseconds. */
  now(): number;
}

/** Batch loader: one statement at a time for all callers since the last one, so the cost per call falls with the load. */
function createAsking({ take, now }: AskingOptions): Asking {
  const holding = new Set<Known>();
  const lots = createBatchProcessor<Known>(CALLERS_PER_STATEMENT, async (callers) => {
    await askAbout(
      callers.map((known) => questionOf(known, now())),
      { take, now },
    );
    for (const known of callers) if (known.ahead > 0) holding.add(known);
  });

  const giveBackIdle = () => {
    for (const known of holding) {
      if (now() - known.toldAt < leaseMsOf(known.policy)) continue;
      holding.delete(known);
      if (known.ahead > 0) lots.add(known);
    }
  };
  const timer = setInterval(giveBackIdle, RETURN_INTERVAL_MS).unref();

  return {
    add: lots.add,
    giveBackLater: (known) => void holding.add(known),
    async close() {
      clearInterval(timer);
      for (const known of holding) lots.add(known);
      await lots.idle();
    },
  };
}

async function askAbout(questions: readonly Question[], { take, now }: AskingOptions): Promise<void> {
  const asks = questions.map(({ ask }) => ask).filter(({ wanted }) => wanted !== 0);
  if (asks.length === 0) return;
  try {
    const granted = new Map((await take(asks)).map((grant) => [grant.name, grant]));
    for (const question of questions) {
      const grant = granted.get(question.ask.name);
      if (grant) settle(question, grant, now());
    }
  } catch (error) {
    for (const { waiting } of questions) for (const each of waiting) each.reject(error);
  }
}

interface Question {
  readonly known: Known;
  readonly ask: Ask;
  readonly waiting: Known['waiting'];
}

/** How long a caller is expected to call again: calls within it are counted by one statement. */
const leaseMsOf = ({ perSeconds }: Policy): number =>
  Math.min(LEASE_MS_MAX, Math.max(LEASE_MS_MIN, perSeconds * 1000 * LEASE_WINDOW_SHARE));

/** Doubles the prefetch if the last one was used in time; returns unused permits, and prefetches fewer, if no call waits. */
function questionOf(known: Known, now: number): Question {
  const { name, policy, toldAt, lease } = known;
  const waiting = known.waiting.splice(0);
  const needed = waiting.length;
  if (needed === 0) {
    const wanted = isSameWindow(known, now) ? -known.ahead : 0;
    known.lease = Math.max(0, lease - known.ahead);
    known.ahead = 0;
    return { known, waiting, ask: { name, policy, needed, wanted } };
  }
  const next = now - toldAt < leaseMsOf(policy) ? 2 * lease : lease;
  const more = known.isFrequent ? Math.min(LEASE_CALLS_MAX, Math.max(LEASE_CALLS_MIN, next)) : 0;
  return { known, waiting, ask: { name, policy, needed, wanted: needed + more } };
}

/** Permits of a past window are not returned to the next one. */
const isSameWindow = ({ window, policy }: Known, now: number): boolean =>
  now - window.startedAt < policy.perSeconds * 1000;

function settle({ known, waiting }: Question, grant: Grant, now: number): void {
  known.window = { startedAt: now - grant.ageMs, current: grant.current, previous: grant.previous };
  known.toldAt = now;
  const served = Math.min(waiting.length, Math.max(0, grant.granted));
  known.lease = Math.max(0, grant.granted - served);
  known.ahead += known.lease;
  for (const each of waiting.slice(0, served)) each.resolve(stateNow(known, now));
  for (const each of waiting.slice(served)) each.reject(refusal(known, now));
}

interface SharedLimiterOptions extends Pick<AskingOptions, 'take'> {
  /** Local limiter, used while the database is unavailable. */
  readonly alone: Limiter;
  readonly now?: () => number;
}

export interface SharedLimiter extends Limiter {
  /** Returns prefetched permits. */
  close(): Promise<void>;
}

/**
 * Rate limiter for all servers of a database: together they never exceed the limit. For frequent callers a process prefetches permits and
 * returns those that stay unused for a twelfth of the window, 5 s at most. See docs/decisions/0015-several-servers.md.
 */
export function createSharedLimiter({
  take,
  alone,
  now = () => performance.now(),
}: SharedLimiterOptions): SharedLimiter {
  const callers = new Map<string, Known>();
  const asking = createAsking({ take, now });

  function callerOf(policy: Policy, callerKey: string): Known {
    const name = `${policy.name} ${callerKey}`;
    const known = callers.get(name) ?? newCaller(name, policy);
    known.policy = policy;
    callers.delete(name);
    callers.set(name, known);
    if (callers.size > KEYS_MAX) callers.delete(callers.keys().next().value!);
    return known;
  }

  /** @throws AtelierError if the database reported an exhausted limit within the last second */
  function refuseFull(known: Known): void {
    if (known.ahead === 0 && now() - known.toldAt < REFUSAL_MS && stateNow(known, now()).remaining < 1)
      throw refusal(known, now());
  }

  async function ask(known: Known, policy: Policy, callerKey: string): Promise<RateState> {
    const answer = Promise.withResolvers<RateState>();
    known.waiting.push(answer);
    asking.add(known);
    try {
      return await answer.promise;
    } catch (error) {
      // Unavailable, or without space to write: calls that need no database are still served.
      const isAway = error instanceof AtelierError && error.code !== 'rate_limited';
      if (!isAway) throw error;
      return alone.take(policy, callerKey);
    }
  }

  return {
    async look(policy, callerKey) {
      const known = callers.get(`${policy.name} ${callerKey}`);
      if (known) refuseFull(known);
    },
    async take(policy, callerKey) {
      const known = callerOf(policy, callerKey);
      known.isFrequent = now() - known.calledAt < leaseMsOf(policy);
      known.calledAt = now();
      refuseFull(known);
      if (known.ahead === 0) return ask(known, policy, callerKey);
      known.ahead -= 1;
      return stateNow(known, now());
    },
    async giveBack(policy, callerKey) {
      const known = callerOf(policy, callerKey);
      known.ahead += 1;
      asking.giveBackLater(known);
    },
    close: () => asking.close(),
  };
}

/** Calls of one caller: those since `startedAt`, in monotonic ms, and those of the previous window. */
interface Window {
  readonly startedAt: number;
  readonly current: number;
  readonly previous: number;
}

/** The current window: the same, the next, or a new one if the previous calls no longer count. */
function rollWindow<W extends Window>(
  window: W | undefined,
  { perSeconds }: Policy,
  now: number,
): W | Window {
  const lengthMs = perSeconds * 1000;
  if (!window || now - window.startedAt >= 2 * lengthMs) return { startedAt: now, current: 0, previous: 0 };
  if (now - window.startedAt < lengthMs) return window;
  return { startedAt: window.startedAt + lengthMs, current: 0, previous: window.current };
}

/** Remaining permits: the previous window counts by the fraction of it that is still in range. */
function stateOf({ startedAt, current, previous }: Window, policy: Policy, now: number): RateState {
  const lengthMs = policy.perSeconds * 1000;
  const used = current + previous * (1 - (now - startedAt) / lengthMs);
  const resetSeconds = Math.max(1, Math.ceil((lengthMs - (now - startedAt)) / 1000));
  return { remaining: Math.max(0, Math.floor(policy.calls - used)), resetSeconds };
}

/**
 * Seconds until one more call fits into a full window: calls of the previous window fade during this one, then those of this one
 * during the next. Rounded up, so that a client does not return too early.
 */
function freeInSeconds(
  { startedAt, current, previous }: Window,
  { calls, perSeconds }: Policy,
  now: number,
): number {
  const room = calls - 1 - current;
  const windows = room >= 0 ? 1 - room / previous : 2 - (calls - 1) / current;
  return Math.floor(windows * perSeconds - (now - startedAt) / 1000) + 1;
}

/** Prefix lengths of IPv6 networks, smallest network first: a link, a home, a site (RFC 6177). */
const IPV6_PREFIX_BITS = [64, 56, 48] as const;

/**
 * The address in canonical text and, for IPv6, the networks /64, /56 and /48 that contain it, in CIDR text: a customer holds at least
 * a /64, so an IPv6 address alone identifies no client. IPv4 and loopback have no prefixes, because a NAT puts unrelated customers behind
 * one IPv4 address already and a /24 holds unrelated customers. IPv4-mapped IPv6 (`::ffff:203.0.113.5`) counts as IPv4. Text that is not
 * an address is returned unchanged.
 */
export function addressPrefixes(address: string): string[] {
  if (isIPv4(address) || !ipaddr.isValid(address)) return [address];
  const parsed = ipaddr.process(address);
  if (parsed.kind() === 'ipv4' || parsed.range() === 'loopback') return [parsed.toString()];
  const bytes = parsed.toByteArray();
  const networks = IPV6_PREFIX_BITS.map((bits) => `${networkOf(bytes, bits)}/${bits}`);
  return [new ipaddr.IPv6(bytes).toString(), ...networks];
}

const networkOf = (bytes: readonly number[], bits: number): string =>
  new ipaddr.IPv6(bytes.map((byte, index) => (index < bits / 8 ? byte : 0))).toString();

export interface Ask {
  /** Limit and caller. */
  readonly name: string;
  readonly policy: Policy;
  /** Permits for calls that are waiting. */
  readonly needed: number;
  /** Including prefetched permits; negative to return some. */
  readonly wanted: number;
}

export interface Grant {
  readonly name: string;
  /** Granted permits; as many as fit, perhaps fewer than needed. */
  readonly granted: number;
  /** Age of the window in milliseconds, by the clock of the database. */
  readonly ageMs: number;
  readonly current: number;
  readonly previous: number;
}

/**
 * Takes or returns permits of several distinct callers in one statement. Needed permits are granted as far as they fit; of the rest a small
 * fraction, so that some are left for other servers. Callers are locked in order of their names, to prevent deadlocks. Windows as in the process
 * (`rollWindow`); if the clock is set back, they restart with their calls. A database crash loses the latest counts.
 */
export function takeCalls(database: Queryable, asks: readonly Ask[]): Promise<Grant[]> {
  const column = (of: (ask: Ask) => string | number) => asks.map(of);
  return database.query<Grant>(
    `insert into call_windows as w (name, started, calls, calls_before, needed, granted, calls_max, seconds)
     select name, extract(epoch from now()), greatest(0, least(wanted, calls_max)), 0, needed, least(wanted, calls_max), calls_max, seconds
     from ${ASYNC_COMMIT}, unnest($1::text[], $2::float8[], $3::float8[], $4::float8[], $5::float8[])
       as asked (name, calls_max, seconds, needed, wanted)
     order by name
     on conflict (name) do update set (started, calls, calls_before, needed, granted, calls_max, seconds) = (
       select rolled.started, greatest(0, rolled.calls + given.granted), rolled.calls_before, excluded.needed, given.granted,
         excluded.calls_max, excluded.seconds
       from (select least(w.started, excluded.started) as started) as since
       cross join lateral (select (excluded.started - since.started) / excluded.seconds as age) as passed
       cross join lateral (select
         case when age >= 2 then excluded.started when age >= 1 then since.started + excluded.seconds else since.started end as started,
         case when age >= 1 then 0 else w.calls end as calls,
         case when age >= 2 then 0 when age >= 1 then w.calls else w.calls_before end as calls_before) as rolled
       cross join lateral (select floor(excluded.calls_max - rolled.calls
         - rolled.calls_before * (1 - (excluded.started - rolled.started) / excluded.seconds)) as calls) as room
       cross join lateral (select case when excluded.granted < 0 then excluded.granted else greatest(0, least(excluded.granted,
         room.calls, greatest(excluded.needed, floor(room.calls * ${LEASE_SHARE})))) end as granted) as given)
     returning name, granted, (extract(epoch from now()) - started) * 1000 as "ageMs", calls as current, calls_before as previous`,
    [
      column(({ name }) => name),
      column(({ policy }) => policy.calls),
      column(({ policy }) => policy.perSeconds),
      column(({ needed }) => needed),
      column(({ wanted }) => wanted),
    ],
  );
}

/** Deletes expired windows, and the oldest ones beyond the maximum; returns their number. */
export async function forgetWindows(database: Queryable, rowsMax: number): Promise<number> {
  const [row] = await database.query<{ count: number }>(
    `with kept as (
       select started as oldest from call_windows order by started desc offset $1 limit 1
     ), gone as (
       delete from call_windows
       where started + 2 * seconds < extract(epoch from now()) or started <= (select oldest from kept)
       returning 1
     )
     select count(*) from gone`,
    [rowsMax],
  );
  return row!.count;
}
