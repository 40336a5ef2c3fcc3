import { AtelierError } from '../../errors/atelier_error.ts';
import type { Disk } from '../disk/contract.ts';
import type { Visits } from '../visits/contract.ts';

/** What each caller keeps of one kind of files, and whether more of them may be kept. */
export interface Shares {
  /**
   * Counts bytes that are about to be kept for whoever is here. Answers how to say what they have really become; 0 for none.
   * @throws AtelierError too_much_kept, storage_full
   */
  take(bytes: number): Promise<(keptBytes: number) => void>;
}

export interface SharesOptions {
  /** Such as "results", for messages. */
  readonly what: string;
  /** The most bytes one address may keep, and one wallet. */
  readonly callerBytesMax: number;
  /** The most bytes all callers together may keep; absent where that is counted elsewhere. */
  readonly bytesMax?: number;
  /** How long they are kept, and counted. */
  readonly lifetimeMs: number;
  readonly visits: Pick<Visits, 'current'>;
  readonly disk: Pick<Disk, 'requireRoom'>;
  readonly now?: () => number;
}

/** Counted parts of a lifetime. */
const PARTS = 24;
const EVERYBODY = '';

/** Kept in memory, by this process: a start forgets who kept what, but not what is kept in all. */
export function createShares(options: SharesOptions): Shares {
  const { what, callerBytesMax, bytesMax, lifetimeMs, visits, disk, now = Date.now } = options;
  const counts = createCounts(Math.ceil(lifetimeMs / PARTS), now);
  return {
    async take(bytes) {
      await disk.requireRoom(bytes);
      const { address, wallet } = visits.current() ?? {};
      const callers = [address && `ip:${address}`, wallet].filter((caller) => caller !== undefined);
      for (const caller of callers)
        if (counts.sum(caller) + bytes > callerBytesMax) throw tooMuch(what, callerBytesMax);
      if (bytesMax !== undefined && counts.sum(EVERYBODY) + bytes > bytesMax) throw allFull(what);
      const add = [EVERYBODY, ...callers].map((caller) => counts.add(caller, bytes));
      return (keptBytes) => {
        for (const correct of add) correct(keptBytes - bytes);
      };
    },
  };
}

/** Sums of the last lifetime, by the part of it in which bytes were added. */
function createCounts(partMs: number, now: () => number) {
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
  return {
    sum(caller: string): number {
      forget();
      return [...(sums.get(caller)?.values() ?? [])].reduce((sum, bytes) => sum + bytes, 0);
    },
    /** Answers how to add more to the same part. */
    add(caller: string, bytes: number): (more: number) => void {
      const at = part();
      const more = (added: number) => {
        const parts = sums.get(caller) ?? new Map<number, number>();
        sums.set(caller, parts.set(at, (parts.get(at) ?? 0) + added));
      };
      more(bytes);
      return more;
    },
  };
}

const sizeText = (bytes: number): string => `${Math.floor(bytes / 2 ** 20)} MiB`;

const tooMuch = (what: string, bytesMax: number): AtelierError =>
  new AtelierError(
    'too_much_kept',
    `This server keeps at most ${sizeText(bytesMax)} of ${what} for one caller at a time, and yours have as much. Try again when older ones have expired.`,
    { retryAfterSeconds: 600 },
  );

const allFull = (what: string): AtelierError =>
  new AtelierError(
    'storage_full',
    `The space for ${what} is used up, so nothing was kept. Try again later.`,
    {
      retryAfterSeconds: 600,
    },
  );
