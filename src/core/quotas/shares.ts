import { AtelierError } from '../errors/atelier_error.ts';
import type { Visits } from '../request_scope/types.ts';
import type { Disk } from '../storage/disk/types.ts';
import type { Counts, Shares } from './types.ts';

export interface SharesOptions {
  /** Such as "results", for messages. */
  readonly what: string;
  /** The most bytes one address may keep, and one wallet. */
  readonly callerBytesMax: number;
  /** The most bytes all callers together may keep by this process; absent where that is counted elsewhere. */
  readonly bytesMax?: number;
  readonly visits: Pick<Visits, 'current'>;
  readonly disk: Pick<Disk, 'requireRoom'>;
  /** What callers keep: in all, where several servers share them. */
  readonly counts: Counts;
  /** What all of them keep by this process. What there is in all is counted on the disk, by each server. */
  readonly everybody: Counts;
}

const EVERYBODY = '';

export function createShares(options: SharesOptions): Shares {
  const { what, callerBytesMax, bytesMax = Number.POSITIVE_INFINITY, visits, disk } = options;
  const { counts, everybody } = options;
  return {
    async take(bytes) {
      await disk.requireRoom(bytes);
      const { address, wallet } = visits.current() ?? {};
      const callers = [address && `ip:${address}`, wallet].filter((caller) => caller !== undefined);
      const addToCallers = await counts.take(callers, bytes, callerBytesMax);
      if (!addToCallers) throw tooMuch(what, callerBytesMax);
      const addToAll = await everybody.take([EVERYBODY], bytes, bytesMax);
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
