import { createHash } from 'node:crypto';
import type { Database } from '../../database/contract.ts';
import { ANONYMOUS_MARK_LIFETIME_MS } from '../../limits.ts';
import type { Marks } from './contract.ts';
import { deleteAnonymousMarks, findMark, insertMark } from './store.ts';

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
