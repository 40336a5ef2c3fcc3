import { createHash } from 'node:crypto';
import type { Database } from '../../database/index.ts';
import { ANONYMOUS_MARK_LIFETIME_MS } from '../../limits.ts';
import { deleteAnonymousMarks, findMark, insertMark } from './store.ts';

/** Payloads of watermarks by the short id that rides along in the picture and survives longer than a long text. */
export interface Marks {
  /** Keeps a payload and answers its id: 12 hex digits, the same for the same payload of the same wallet. */
  register(payload: string, wallet?: string): Promise<string>;
  /** Until when a mark that is registered now is found; undefined: for good. */
  until(wallet: string | undefined): Date | undefined;
  /** Forgets marks without a wallet whose time is over; answers how many. */
  sweep(now: Date): Promise<number>;
  find(id: string): Promise<Mark | undefined>;
}

export interface Mark {
  readonly id: string;
  readonly payload: string;
  readonly wallet?: string;
  readonly createdAt: Date;
}

/** `now` is there for tests. */
export function createMarks(database: Database, { now = () => new Date(), idOf = digestId } = {}): Marks {
  return {
    async register(payload, wallet) {
      const bytes = Buffer.from(payload);
      for (let attempt = 0; ; attempt++) {
        const id = idOf(bytes, wallet, attempt);
        await insertMark(database, { id, payload: bytes, wallet: wallet ?? null, createdAt: now() });
        const kept = await findMark(database, id);
        if (kept && bytes.equals(kept.payload) && kept.wallet === (wallet ?? null)) return id;
      }
    },
    until: (wallet) =>
      wallet === undefined ? new Date(now().getTime() + ANONYMOUS_MARK_LIFETIME_MS) : undefined,
    sweep: (at) => deleteAnonymousMarks(database, new Date(at.getTime() - ANONYMOUS_MARK_LIFETIME_MS)),
    async find(id) {
      const kept = await findMark(database, id);
      return (
        kept && {
          id,
          payload: Buffer.from(kept.payload).toString(),
          ...(kept.wallet !== null && { wallet: kept.wallet }),
          createdAt: kept.createdAt,
        }
      );
    },
  };
}

/** Another attempt is only needed where two payloads fall on one of the 2^48 ids. */
function digestId(payload: Uint8Array, wallet: string | undefined, attempt: number): string {
  return createHash('sha256')
    .update(`watermark ${wallet ?? ''} ${attempt}\0`)
    .update(payload)
    .digest('hex')
    .slice(0, 12);
}
