import { workInLots } from '../database/work_in_lots.ts';
import { type Known, refusal, stateNow } from './known.ts';
import { ASKED_AT_ONCE_MAX, LEASE_CALLS_MAX, LEASE_MS } from './limits.ts';
import type { Ask, Grant } from './store.ts';

export interface Asking {
  /** Asks soon about a caller somebody waits for. */
  add(known: Known): void;
  /** Gives back in a while what was not used by then. */
  giveBackLater(known: Known): void;
  /** Gives back everything at once. */
  close(): Promise<void>;
}

export interface AskingOptions {
  /** Asks the database, where all servers count. */
  take(asks: readonly Ask[]): Promise<Grant[]>;
  /** Milliseconds that only ever grow. */
  now(): number;
}

/**
 * Asks the database one statement at a time, and in it about everybody who has come since the last: the more there is to ask, the less a
 * call costs.
 */
export function createAsking({ take, now }: AskingOptions): Asking {
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

/** Twice as many calls ahead as the last time where those were used within their second; where nobody waits, those that are left go back. */
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
