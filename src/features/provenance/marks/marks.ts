import { createHash } from 'node:crypto';
import type { Database } from '../../../core/database/types.ts';
import type { Signer } from '../../../core/keys/signer.ts';
import type { Receipts } from '../../billing/receipts/types.ts';
import { ANONYMOUS_MARK_LIFETIME_MS } from '../limits.ts';
import { judgeMark } from './judge_mark.ts';
import { signBinding } from './signed_binding.ts';
import * as store from './store.ts';
import type { Marks } from './types.ts';

interface Parts {
  readonly database: Database;
  readonly signer: Signer;
  readonly receipts: Pick<Receipts, 'keys'>;
  readonly publicUrl: string;
}

/** `now` and `idOf` are there for tests. */
export function createMarks(
  { database, signer, receipts, publicUrl }: Parts,
  { now = () => new Date(), idOf = digestId } = {},
): Marks {
  return {
    async register(payload, wallet, picture) {
      const bytes = Buffer.from(payload);
      for (let attempt = 0; ; attempt++) {
        const id = idOf(bytes, { wallet, attempt, picture });
        await store.insertMark(database, { id, payload: bytes, wallet: wallet ?? null, createdAt: now() });
        const kept = await store.findMark(database, id);
        if (kept && bytes.equals(kept.payload) && kept.wallet === (wallet ?? null)) return id;
      }
    },
    async bind(id, binding) {
      const jws = signBinding(signer, { id, binding, publicUrl, at: now() });
      return store.insertBinding(database, id, { ...binding, jws, createdAt: now() });
    },
    async judge(reading) {
      const { id } = reading;
      const mark = id === undefined ? undefined : await store.findMark(database, id);
      const bindings = id === undefined ? [] : await store.selectBindings(database, id);
      const known = bindings.length > 0 ? (await receipts.keys()).map(({ kid }) => kid) : [];
      return judgeMark(reading, { payload: mark?.payload, bindings, known });
    },
    until: (wallet) =>
      wallet === undefined ? new Date(now().getTime() + ANONYMOUS_MARK_LIFETIME_MS) : undefined,
    sweep: (at) => store.deleteAnonymousMarks(database, new Date(at.getTime() - ANONYMOUS_MARK_LIFETIME_MS)),
    async find(id) {
      const kept = await store.findMark(database, id);
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

interface Asked {
  readonly wallet: string | undefined;
  /** Another one is only needed where two payloads fall on one of the 2^48 ids. */
  readonly attempt: number;
  readonly picture: string | undefined;
}

function digestId(payload: Uint8Array, { wallet, attempt, picture }: Asked): string {
  return createHash('sha256')
    .update(`watermark ${wallet ?? ''} ${attempt}${picture === undefined ? '' : ` ${picture}`}\0`)
    .update(payload)
    .digest('hex')
    .slice(0, 12);
}
