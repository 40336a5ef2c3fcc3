import { createBatchProcessor, mayHaveExecuted } from '../database/batch_loader.ts';
import { sqlErrorOf } from '../database/sql_error.ts';
import type { Database } from '../database/types.ts';
import { AtelierError } from '../errors/atelier_error.ts';
import type { RequestScopes } from '../request_scope/request_scope.ts';
import type { Disk } from '../storage/blobs/disk.ts';
import {
  AHEAD_MS,
  AHEAD_SHARE,
  CALLER_ROWS_MAX,
  CALLERS_PER_STATEMENT,
  COUNT_RETRY_MS,
  PARTS,
} from './limits.ts';
import { type Ask, type Caller, countBytes, forgetKept, type Grant } from './store.ts';

/**
 * Whether an error means that the database is unavailable, and not that the statement is wrong: unreachable, stopping, or out of
 * resources or time.
 */
function isAway(error: unknown): boolean {
  return error instanceof AtelierError || PASSING.test(sqlErrorOf(error)?.code ?? '');
}

/** SQLSTATE: transaction rollback, insufficient resources, operator intervention or timeout, and system error. */
const PASSING = /^(40|53|57|58)/;

interface StorageQuotaOptions {
  /** Such as "results", for messages. */
  readonly what: string;
  /** Quota of one address, and of one wallet. */
  readonly callerBytesMax: number;
  /** Quota of all callers in this process; absent if it is counted elsewhere. */
  readonly bytesMax?: number;
  readonly requestScopes: Pick<RequestScopes, 'current'>;
  readonly disk: Pick<Disk, 'requireRoom'>;
  /** Usage per caller, shared between servers. */
  readonly counts: Counts;
  /** Usage of all callers in this process. The total is measured on the disk by each server. */
  readonly everybody: Counts;
}

const ALL_CALLERS = '';

export function createStorageQuota(options: StorageQuotaOptions): StorageQuota {
  const { what, callerBytesMax, bytesMax = Number.POSITIVE_INFINITY, requestScopes, disk } = options;
  const { counts, everybody } = options;
  return {
    async take(bytes) {
      await disk.requireRoom(bytes);
      const { address, wallet } = requestScopes.current() ?? {};
      const callers = [address && `ip:${address}`, wallet].filter((caller) => caller !== undefined);
      const addToCallers = await counts.take(callers, bytes, callerBytesMax);
      if (!addToCallers) throw tooMuch(what, callerBytesMax);
      const addToAll = await everybody.take([ALL_CALLERS], bytes, bytesMax);
      if (!addToAll) {
        addToCallers(-bytes);
        throw allFull(what);
      }
      return (keptBytes) => {
        for (const add of [addToCallers, addToAll]) add(keptBytes - bytes);
      };
    },
  };
}

const sizeText = (bytes: number): string => `${Math.floor(bytes / 2 ** 20)} MiB`;

const tooMuch = (what: string, bytesMax: number): AtelierError =>
  new AtelierError(
    'too_much_kept',
    `Your ${what} have reached the limit of ${sizeText(bytesMax)} per client. Try again when older files have expired.`,
    { retryAfterSeconds: 600 },
  );

const allFull = (what: string): AtelierError =>
  new AtelierError(
    'storage_full',
    `The storage for ${what} is full, so nothing was saved. Try again later.`,
    {
      retryAfterSeconds: 600,
    },
  );

interface SharedCountsOptions {
  /** The kind of files. */
  readonly what: string;
  readonly lifetimeMs: number;
  readonly asking: Asking;
  /** Local usage, which decides while the database is unavailable. */
  readonly alone: MemoryCounts;
}

/**
 * Quota for all servers of a database: together they never exceed it. While the database is unavailable, each server applies the
 * quota alone and reports its usage afterwards. See docs/decisions/0016-stored-bytes.md.
 */
function createSharedCounts({ what, lifetimeMs, asking, alone }: SharedCountsOptions): Counts {
  const partSeconds = Math.ceil(lifetimeMs / PARTS) / 1000;

  return {
    async take(callers, bytes, bytesMax) {
      const rows = callers.map((caller): Caller => ({ name: `${what} ${caller}`, bytesMax, partSeconds }));
      const answers = await Promise.allSettled(rows.map((row) => asking.take(row, bytes)));
      const parts = answers.map((answer) => (answer.status === 'fulfilled' ? answer.value : undefined));
      const tell = (more: number) => {
        for (const [at, row] of rows.entries()) asking.tell(row, more, parts[at]);
      };
      if (parts.every((part) => part !== undefined)) return both(alone.add(callers, bytes), tell);
      for (const [at, row] of rows.entries())
        if (parts[at] !== undefined) asking.tell(row, -bytes, parts[at]);

      const failure = answers.find((answer) => answer.status === 'rejected');
      if (!failure) return undefined;
      if (!isAway(failure.reason)) throw failure.reason;
      parts.fill(undefined);
      const addHere = await alone.take(callers, bytes, bytesMax);
      if (!addHere) return undefined;
      tell(bytes);
      return both(addHere, tell);
    },
  };
}

const both = (one: (bytes: number) => void, other: (bytes: number) => void) => (bytes: number) => {
  one(bytes);
  other(bytes);
};

interface Kind extends Omit<StorageQuotaOptions, 'counts' | 'everybody'> {
  /** Lifetime of the files, and of their count. */
  readonly lifetimeMs: number;
}

export interface StorageQuotas {
  /** The quota of one kind of files. */
  of(kind: Kind): StorageQuota;
  sweep(): Promise<number>;
  close(): Promise<void>;
}

/** Counts in the database if several servers may use it, otherwise in memory; with a cleanup of old counts and a close function. */
export function openStorageQuotas(database: Database): StorageQuotas {
  const withCounts = (countsOf: (kind: Kind) => Counts) => (kind: Kind) =>
    createStorageQuota({ ...kind, counts: countsOf(kind), everybody: createMemoryCounts(kind) });
  if (database.kind === 'embedded')
    return { of: withCounts(createMemoryCounts), sweep: async () => 0, close: async () => {} };
  const asking = createAsking((asks) => countBytes(database, asks));
  return {
    of: withCounts((kind) => createSharedCounts({ ...kind, asking, alone: createMemoryCounts(kind) })),
    sweep: () => forgetKept(database, CALLER_ROWS_MAX),
    close: () => asking.close(),
  };
}

interface MemoryCounts extends Counts {
  /** Adds bytes without a limit. */
  add(callers: readonly string[], bytes: number): AddMore;
}

interface MemoryCountsOptions {
  readonly lifetimeMs: number;
  readonly now?: (() => number) | undefined;
}

/**
 * Usage over the last lifetime, by time slice. A restart resets it.
 * @param options.now monotonic milliseconds: with a system clock that is set back, a full quota would stay full until the clock
 * caught up
 */
export function createMemoryCounts({
  lifetimeMs,
  now = () => performance.now(),
}: MemoryCountsOptions): MemoryCounts {
  const partMs = Math.ceil(lifetimeMs / PARTS);
  const sums = new Map<string, Map<number, number>>();
  let sweptAt = 0;
  const part = () => Math.floor(now() / partMs);

  const forget = () => {
    if (sweptAt === part()) return;
    sweptAt = part();
    for (const [caller, parts] of sums) {
      for (const at of parts.keys()) if (at < sweptAt - PARTS) parts.delete(at);
      if (parts.size === 0) sums.delete(caller);
    }
  };
  const sum = (caller: string): number =>
    [...(sums.get(caller)?.values() ?? [])].reduce((all, bytes) => all + bytes, 0);

  function add(callers: readonly string[], bytes: number): AddMore {
    const at = part();
    const more = (added: number) => {
      for (const caller of callers) {
        const parts = sums.get(caller) ?? new Map<number, number>();
        sums.set(caller, parts.set(at, (parts.get(at) ?? 0) + added));
      }
    };
    more(bytes);
    return more;
  }

  return {
    async take(callers, bytes, bytesMax) {
      forget();
      return callers.some((caller) => sum(caller) + bytes > bytesMax) ? undefined : add(callers, bytes);
    },
    add(callers, bytes) {
      forget();
      return add(callers, bytes);
    },
  };
}

interface Asking {
  /** Reserves bytes if they fit; returns their time slice, or undefined. @throws errors of the database */
  take(caller: Caller, bytes: number): Promise<number | undefined>;
  /** Adds bytes that are stored already, or subtracts with a negative number: soon, or when the database is back. */
  tell(caller: Caller, bytes: number, part?: number): void;
  /** Sends pending changes, if the database is available. */
  close(): Promise<void>;
}

/** Counts in the database, for all servers. */
type Count = (asks: readonly Ask[]) => Promise<Grant[]>;

/** Pending requests and changes of one caller. */
interface Row {
  readonly caller: Caller;
  readonly waiting: Waiting[];
  /** By time slice; undefined: the newest one at that time. */
  readonly owed: Map<number | undefined, number>;
  /** Bytes that are counted in the database and not used yet. */
  ahead: { bytes: number; part: number };
  /** Monotonic milliseconds. */
  lastAskedAt: number;
}

const newRow = (caller: Caller): Row => ({
  caller,
  waiting: [],
  owed: new Map(),
  ahead: { bytes: 0, part: 0 },
  lastAskedAt: Number.NEGATIVE_INFINITY,
});

interface Waiting extends PromiseWithResolvers<number | undefined> {
  readonly bytes: number;
}

/**
 * Batch loader: one statement at a time for all requests since the last one, so the cost per file falls with the load. For callers who
 * store files often, bytes are reserved ahead, and returned if they stay unused.
 */
function createAsking(count: Count): Asking {
  const rows = new Map<string, Row>();
  const lots = createBatchProcessor<Row>(CALLERS_PER_STATEMENT, async (some) => {
    const isThere = await askAbout(some, count);
    for (const row of some) if (row.owed.size > 0 && isThere) lots.add(row);
  });

  function queue(row: Row): void {
    rows.set(row.caller.name, row);
    lots.add(row);
  }
  const rowOf = (caller: Caller): Row => rows.get(caller.name) ?? newRow(caller);
  const tidy = (idleMs: number) => {
    for (const [name, row] of rows) {
      if (performance.now() - row.lastAskedAt >= idleMs) returnReserved(row);
      if (row.owed.size > 0) queue(row);
      else if (row.waiting.length === 0 && row.ahead.bytes === 0 && isIdle(row)) rows.delete(name);
    }
  };
  const timer = setInterval(() => tidy(AHEAD_MS), COUNT_RETRY_MS).unref();

  return {
    async take(caller, bytes) {
      const row = rowOf(caller);
      if (bytes > 0 && bytes <= row.ahead.bytes) {
        row.ahead.bytes -= bytes;
        row.lastAskedAt = performance.now();
        return row.ahead.part;
      }
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
      tidy(0);
      await lots.idle();
    },
  };
}

/** False if the database did not respond; the change is sent again later. */
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

const isIdle = ({ lastAskedAt }: Row): boolean => performance.now() - lastAskedAt >= AHEAD_MS;

interface Question {
  readonly row: Row;
  readonly waiting: readonly Waiting[];
  readonly ask: Ask;
}

/** Waiting requests and the pending change of one slice; other slices follow in the next statement. */
function questionOf(row: Row): Question {
  const waiting = row.waiting.splice(0);
  const [[owedPart, owed] = [undefined, 0]] = row.owed;
  row.owed.delete(owedPart);
  const sizes = waiting.map(({ bytes }) => bytes);
  const needed = sizes.reduce((sum, bytes) => sum + bytes, 0);
  const smallest = Math.min(...sizes, needed);
  const aheadMax = needed > 0 && !isIdle(row) ? Math.floor(row.caller.bytesMax * AHEAD_SHARE) : 0;
  const more = Math.max(0, aheadMax - row.ahead.bytes);
  if (needed > 0) row.lastAskedAt = performance.now();
  return { row, waiting, ask: { ...row.caller, wanted: needed + more, smallest, owed, owedPart } };
}

/** Admits files in order of arrival as far as they fit. The rest is kept for the next files, or returned if a file was refused. */
function settle({ row, waiting }: Question, { granted, room, part }: Grant): void {
  let left = room < 0 ? -1 : granted;
  let isFull = false;
  for (const { bytes, resolve } of waiting) {
    const fits = bytes <= left;
    if (fits) left -= bytes;
    else isFull = true;
    resolve(fits ? part : undefined);
  }
  if (isFull || row.ahead.part !== part) returnReserved(row);
  if (isFull) owe(row, -Math.max(0, left), part);
  else row.ahead = { bytes: row.ahead.bytes + Math.max(0, left), part };
}

function returnReserved(row: Row): void {
  const { bytes, part } = row.ahead;
  row.ahead = { bytes: 0, part };
  owe(row, -bytes, part);
}

/** A release that may have been applied is not repeated, so that bytes are not released twice; they count until they expire. */
function fail({ row, waiting, ask: { owed, owedPart } }: Question, error: unknown): void {
  for (const { reject } of waiting) reject(error);
  if (isAway(error) && (owed > 0 || !mayHaveExecuted(error))) owe(row, owed, owedPart);
}

function owe({ owed }: Row, bytes: number, part: number | undefined): void {
  const sum = (owed.get(part) ?? 0) + bytes;
  if (sum === 0) owed.delete(part);
  else owed.set(part, sum);
}

/** Storage quota per caller for one kind of files. */
export interface StorageQuota {
  /**
   * Reserves storage quota for bytes of this principal. Returns a function that corrects the reservation to the final size; 0 for
   * none.
   * @throws AtelierError too_much_kept, storage_full
   */
  take(bytes: number): Promise<(keptBytes: number) => void>;
}

/** Bytes stored per caller, for one kind of files. */
interface Counts {
  /** Adds bytes to all these callers if they fit for each; otherwise undefined. */
  take(callers: readonly string[], bytes: number, bytesMax: number): Promise<AddMore | undefined>;
}

/** Adds to an earlier count, or subtracts with a negative number. Never throws. */
type AddMore = (bytes: number) => void;
