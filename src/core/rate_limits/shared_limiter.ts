import { workInLots } from '../database/work_in_lots.ts';
import { AtelierError } from '../errors/atelier_error.ts';
import { ASKED_AT_ONCE_MAX, KEYS_MAX, LEASE_CALLS_MAX, LEASE_MS } from './limits.ts';
import { rateLimited } from './rate_limited.ts';
import type { Ask, Grant } from './store.ts';
import type { Limiter, Policy, RateState } from './types.ts';

/** What this process knows of one caller and one limit. */
interface Known {
  readonly name: string;
  policy: Policy;
  /** As the database told it, by the clock of this process. */
  window: Window;
  /** When it did. */
  toldAt: number;
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

/** One of whom nothing is known yet. */
const newCaller = (name: string, policy: Policy): Known => ({
  name,
  policy,
  ahead: 0,
  lease: 0,
  waiting: [],
  isRepeatUntil: Number.NEGATIVE_INFINITY,
  window: { startedAt: 0, current: 0, previous: 0 },
  toldAt: Number.NEGATIVE_INFINITY,
});

/** What is left, with what was taken ahead. */
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
  /** Soon asks the database about a client with waiting calls. */
  add(known: Known): void;
  /** Gives back in a while what was not used by then. */
  giveBackLater(known: Known): void;
  /** Gives back everything at once. */
  close(): Promise<void>;
}

interface AskingOptions {
  /** Asks the database, where all servers count. */
  take(asks: readonly Ask[]): Promise<Grant[]>;
  /** Milliseconds that only ever grow. */
  now(): number;
}

/**
 * Asks the database one statement at a time, and in it about everybody who has come since the last: the more there is to ask, the less a
 * call costs.
 */
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
      if (now() - known.toldAt < LEASE_MS) continue;
      holding.delete(known);
      if (known.ahead > 0) lots.add(known);
    }
  };
  const timer = setInterval(giveBackIdle, LEASE_MS / 2).unref();

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

/** Twice as many calls ahead as the last time where those were used within their second; where no call waits, those left are returned. */
function questionOf(known: Known, now: number): Question {
  const { name, policy, toldAt, lease } = known;
  const waiting = known.waiting.splice(0);
  const needed = waiting.length;
  if (needed === 0) {
    const wanted = isSameWindow(known, now) ? -known.ahead : 0;
    known.ahead = 0;
    return { known, waiting, ask: { name, policy, needed, wanted } };
  }
  const more = now - toldAt < LEASE_MS ? Math.min(LEASE_CALLS_MAX, Math.max(1, 2 * lease)) : 0;
  return { known, waiting, ask: { name, policy, needed, wanted: needed + more } };
}

/** Calls of a window that has passed are not given back to the next one. */
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
  /** Counts for this process alone while the database cannot. */
  readonly alone: Limiter;
  readonly now?: () => number;
}

export interface SharedLimiter extends Limiter {
  /** Gives back what was taken ahead. */
  close(): Promise<void>;
}

/**
 * Counts for all servers of one database: together they let through what the limit says, never more. Frequent clients are asked about
 * seldom: a process takes some calls ahead, and gives back those it did not use within a second. See docs/decisions/0109-replicas.md.
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

  /** @throws AtelierError where the database said within the last second that nothing is left */
  function refuseFull(known: Known): void {
    if (known.ahead === 0 && now() - known.toldAt < LEASE_MS && stateNow(known, now()).remaining < 1)
      throw refusal(known, now());
  }

  async function ask(known: Known, policy: Policy, callerKey: string): Promise<RateState> {
    const answer = Promise.withResolvers<RateState>();
    known.waiting.push(answer);
    asking.add(known);
    try {
      return await answer.promise;
    } catch (error) {
      // Away, or without room to write: what needs no database is answered all the same.
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

/** Calls of one caller: those since `startedAt`, in ms of a clock that only grows, and those of the window before. */
export interface Window {
  readonly startedAt: number;
  readonly current: number;
  readonly previous: number;
}

/** The window as it is now: the same, the next, or a new one where nothing of it still counts. */
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

/** What is left: the window before counts by the share of it that still lies within reach. */
export function stateOf({ startedAt, current, previous }: Window, policy: Policy, now: number): RateState {
  const lengthMs = policy.perSeconds * 1000;
  const used = current + previous * (1 - (now - startedAt) / lengthMs);
  const resetSeconds = Math.max(1, Math.ceil((lengthMs - (now - startedAt)) / 1000));
  return { remaining: Math.max(0, Math.floor(policy.calls - used)), resetSeconds };
}

/**
 * In how many seconds one more call fits into a full window: calls of the window before fade while this one passes, then those of this
 * one in the next. A whole second more than computed at most, for rounding must not send anybody back too early.
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
