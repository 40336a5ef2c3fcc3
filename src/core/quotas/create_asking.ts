import { mayBeDone } from '../database/may_be_done.ts';
import { workInLots } from '../database/work_in_lots.ts';
import { isAway } from './is_away.ts';
import { ASKED_AT_ONCE_MAX, TELL_AGAIN_MS } from './limits.ts';
import type { Ask, Caller, Grant } from './store.ts';

export interface Asking {
  /** Counts bytes where they fit; answers in which part of the lifetime, undefined where they do not. @throws whatever the database says */
  take(caller: Caller, bytes: number): Promise<number | undefined>;
  /** Has bytes counted that are there already, or below zero no more: soon, or when the database is back. */
  tell(caller: Caller, bytes: number, part?: number): void;
  /** Tells what is left to tell, if the database can be told. */
  close(): Promise<void>;
}

/** Asks the database, where all servers count. */
type Count = (asks: readonly Ask[]) => Promise<Grant[]>;

/** What this process has to say of one caller. */
interface Row {
  readonly caller: Caller;
  readonly waiting: Waiting[];
  /** By the part of the lifetime; undefined: whichever is the newest then. */
  readonly owed: Map<number | undefined, number>;
}

interface Waiting extends PromiseWithResolvers<number | undefined> {
  readonly bytes: number;
}

/** Asks one statement at a time, and in it about everybody who has come since the last: the more is kept at once, the less a file costs. */
export function createAsking(count: Count): Asking {
  const rows = new Map<string, Row>();
  const lots = workInLots<Row>(ASKED_AT_ONCE_MAX, async (some) => {
    const isThere = await askAbout(some, count);
    for (const row of some) {
      if (row.owed.size === 0 && row.waiting.length === 0) rows.delete(row.caller.name);
      if (row.owed.size > 0 && isThere) lots.add(row);
    }
  });

  function queue(row: Row): void {
    rows.set(row.caller.name, row);
    lots.add(row);
  }
  const rowOf = (caller: Caller): Row => rows.get(caller.name) ?? { caller, waiting: [], owed: new Map() };
  const tellAgain = () => {
    for (const row of rows.values()) if (row.owed.size > 0) queue(row);
  };
  const timer = setInterval(tellAgain, TELL_AGAIN_MS).unref();

  return {
    take(caller, bytes) {
      const row = rowOf(caller);
      const own = { bytes, ...Promise.withResolvers<number | undefined>() };
      row.waiting.push(own);
      queue(row);
      return own.promise;
    },
    tell(caller, bytes, part) {
      if (bytes === 0) return;
      const row = rowOf(caller);
      owe(row, bytes, part);
      queue(row);
    },
    async close() {
      clearInterval(timer);
      tellAgain();
      await lots.idle();
    },
  };
}

/** False where the database did not answer; then it is told again later. */
async function askAbout(some: readonly Row[], count: Count): Promise<boolean> {
  const questions = some.map(questionOf);
  try {
    const grants = new Map(
      (await count(questions.map(({ ask }) => ask))).map((grant) => [grant.name, grant]),
    );
    for (const question of questions) settle(question, grants.get(question.ask.name)!);
    return true;
  } catch (error) {
    for (const question of questions) fail(question, error);
    return false;
  }
}

interface Question {
  readonly row: Row;
  readonly waiting: readonly Waiting[];
  readonly ask: Ask;
}

/** What waits and what is owed to one part; other parts have their turn in the next statement. */
function questionOf(row: Row): Question {
  const waiting = row.waiting.splice(0);
  const [[owedPart, owed] = [undefined, 0]] = row.owed;
  row.owed.delete(owedPart);
  const sizes = waiting.map(({ bytes }) => bytes);
  const wanted = sizes.reduce((sum, bytes) => sum + bytes, 0);
  const smallest = Math.min(...sizes, wanted);
  return { row, waiting, ask: { ...row.caller, wanted, smallest, owed, owedPart } };
}

/** Lets files through in the order in which they came, as far as they fit, and gives back what none of them fills. */
function settle({ row, waiting }: Question, { granted, room, part }: Grant): void {
  let left = room < 0 ? -1 : granted;
  for (const { bytes, resolve } of waiting) {
    const fits = bytes <= left;
    if (fits) left -= bytes;
    resolve(fits ? part : undefined);
  }
  owe(row, -Math.max(0, left), part);
}

/** What took bytes away and may have been done is not told again: nobody gets them twice, they stay counted until they expire. */
function fail({ row, waiting, ask: { owed, owedPart } }: Question, error: unknown): void {
  for (const { reject } of waiting) reject(error);
  if (isAway(error) && (owed > 0 || !mayBeDone(error))) owe(row, owed, owedPart);
}

function owe({ owed }: Row, bytes: number, part: number | undefined): void {
  const sum = (owed.get(part) ?? 0) + bytes;
  if (sum === 0) owed.delete(part);
  else owed.set(part, sum);
}
