import { workInLots } from '../database/work_in_lots.ts';
import { AtelierError } from '../errors/atelier_error.ts';
import {
  ASKED_AT_ONCE_MAX,
  GIVE_BACK_MS,
  KEYS_MAX,
  LEASE_CALLS_MAX,
  LEASE_CALLS_MIN,
  LEASE_MS_MAX,
  LEASE_MS_MIN,
  LEASE_WINDOW_SHARE,
  REFUSAL_MS,
} from './limits.ts';
import { rateLimited } from './rate_limited.ts';
import type { Ask, Grant } from './store.ts';
import type { Limiter, Policy, RateState } from './types.ts';

/** Local state of one caller and limit. */
interface Known {
  readonly name: string;
  policy: Policy;
  /** The window of the database, by the clock of this process. */
  window: Window;
  /** Time of the last response of the database. */
  toldAt: number;
  /** Time of the last call, and whether it came soon after the one before. */
  calledAt: number;
  isFrequent: boolean;
  /** Prefetched permits that are unused, and how many were prefetched last time. */
  ahead: number;
  lease: number;
  /** Until when a client was already refused in this window. */
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
  const lots = workInLots<Known>(ASKED_AT_ONCE_MAX, async (callers) => {
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
  const timer = setInterval(giveBackIdle, GIVE_BACK_MS).unref();

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

/** How long a caller is expected to come again: calls within it are counted by one statement. */
const leaseMsOf = ({ perSeconds }: Policy): number =>
  Math.min(LEASE_MS_MAX, Math.max(LEASE_MS_MIN, perSeconds * 1000 * LEASE_WINDOW_SHARE));

/** Doubles the prefetch where the last one was used in time; returns unused permits, and prefetches fewer, where no call waits. */
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

export interface SharedLimiterOptions extends Pick<AskingOptions, 'take'> {
  /** Local limiter, used while the database is unavailable. */
  readonly alone: Limiter;
  readonly now?: () => number;
}

export interface SharedLimiter extends Limiter {
  /** Returns prefetched permits. */
  close(): Promise<void>;
}

/**
 * Rate limiter for all servers of a database: together they never exceed the limit. For frequent callers a process prefetches
 * permits and returns those that stay unused for a twelfth of the window, 5 s at most. See docs/decisions/0015-several-servers.md.
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

  /** @throws AtelierError where the database reported an exhausted limit within the last second */
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
      // Unavailable, or without space to write: calls that need no database are answered all the same.
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
export interface Window {
  readonly startedAt: number;
  readonly current: number;
  readonly previous: number;
}

/** The current window: the same, the next, or a new one where the previous calls no longer count. */
export function rollWindow<W extends Window>(
  window: W | undefined,
  { perSeconds }: Policy,
  now: number,
): W | Window {
  const lengthMs = perSeconds * 1000;
  if (!window || now - window.startedAt >= 2 * lengthMs) return { startedAt: now, current: 0, previous: 0 };
  if (now - window.startedAt < lengthMs) return window;
  return { startedAt: window.startedAt + lengthMs, current: 0, previous: window.current };
}

/** Remaining permits: the previous window counts by the share of it that is still in range. */
export function stateOf({ startedAt, current, previous }: Window, policy: Policy, now: number): RateState {
  const lengthMs = policy.perSeconds * 1000;
  const used = current + previous * (1 - (now - startedAt) / lengthMs);
  const resetSeconds = Math.max(1, Math.ceil((lengthMs - (now - startedAt)) / 1000));
  return { remaining: Math.max(0, Math.floor(policy.calls - used)), resetSeconds };
}

/**
 * Seconds until one more call fits into a full window: calls of the previous window fade during this one, then those of this one
 * during the next. Rounded up, so that a client does not return too early.
 */
export function freeInSeconds(
  { startedAt, current, previous }: Window,
  { calls, perSeconds }: Policy,
  now: number,
): number {
  const room = calls - 1 - current;
  const windows = room >= 0 ? 1 - room / previous : 2 - (calls - 1) / current;
  return Math.floor(windows * perSeconds - (now - startedAt) / 1000) + 1;
}
