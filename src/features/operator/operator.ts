import { MILLICREDITS_PER_CREDIT } from '../../config/limits.ts';
import type { Database, Queryable } from '../../core/database/types.ts';
import { invalidField } from '../../core/errors/atelier_error.ts';
import type { RevocationReason } from '../billing/receipts/types.ts';
import type { Community } from '../community/types.ts';
import { insertFetch, selectFetches } from '../models/setup/fetch_store.ts';
import type { Wallets } from '../wallets/types.ts';
import { SEEN_MAX } from './limits.ts';
import { grantCredits, refundCall } from './move_credits.ts';
import * as store from './store.ts';
import type { Act, By, Moved, Operator, RevokedKind } from './types.ts';
import { selectWorld } from './world_store.ts';

/** Does one thing to what has an id, in the transaction that writes it down. False where there is nothing of that id to do it to. */
type ById = (tx: Queryable, id: string) => Promise<boolean>;

interface Parts {
  readonly database: Database;
  readonly community: Pick<Community, 'hide' | 'unhide'>;
  readonly wallets: Pick<Wallets, 'find' | 'history'>;
  /** What can be ended and what can be revoked, by what its ids begin with. */
  readonly endings: Readonly<Record<string, ById>>;
  readonly keys: Readonly<Record<string, readonly [RevokedKind, ById]>>;
  readonly revokeSigner: (tx: Queryable, kid: string, reason: RevocationReason) => Promise<boolean>;
  /** @throws AtelierError invalid_input for what cannot be fetched, or is here */
  readonly requireFetchable: (name: string) => Promise<void>;
  readonly clock?: () => Date;
}

export function createOperator(parts: Parts): Operator {
  const { database, community, endings, clock = () => new Date() } = parts;

  /** Only what has happened is written down. */
  async function done<T>(
    { who, why }: By,
    [act, about]: readonly [Act['act'], string],
    work: (tx: Queryable, at: Date) => Promise<T>,
    { hasHappened = Boolean, what = () => '' }: Telling<T> = {},
  ): Promise<T> {
    const at = clock();
    return database.transaction(async (tx) => {
      const outcome = await work(tx, at);
      if (hasHappened(outcome))
        await store.insertAct(tx, { at, who, act, about, why: `${what(outcome)}${why}` });
      return outcome;
    });
  }
  return {
    grant: (by, grant) => done(by, ['grant', grant.wallet], (tx, at) => grantCredits(tx, grant, at), MONEY),
    refund: (by, refund) => done(by, ['refund', refund.call], (tx, at) => refundCall(tx, refund, at), MONEY),
    block: (by, wallet) =>
      done(by, ['block', wallet], (tx, at) => store.insertBlock(tx, { wallet, at, ...by })),
    unblock: (by, wallet) => done(by, ['unblock', wallet], (tx) => store.deleteBlock(tx, wallet)),
    hide: (by, id) => done(by, ['hide', id], (tx) => community.hide(id, tx)),
    unhide: (by, id) => done(by, ['unhide', id], (tx) => community.unhide(id, tx)),
    async end(by, id) {
      const end = ofKind(endings, id);
      return end ? done(by, ['end', id], (tx) => end(tx, id)) : false;
    },
    async revoke(by, key, reason) {
      const [kind, revoke] = ofKind(parts.keys, key) ?? [
        'signing key' as const,
        (tx: Queryable) => parts.revokeSigner(tx, key, reason),
      ];
      const what = () => `${reason}: `;
      return (await done(by, ['revoke', key], (tx) => revoke(tx, key), { what })) ? kind : undefined;
    },
    async fetch(by, name) {
      await parts.requireFetchable(name);
      const begin = (tx: Queryable, at: Date) => insertFetch(tx, { name, at, who: by.who });
      if (!(await done(by, ['fetch', name], begin))) throw fetchingAnother();
    },
    fetches: () => selectFetches(database),
    acts: (page) => store.selectActs(database, page),
    async wallet(wallet) {
      const [account, recent, around] = await Promise.all([
        parts.wallets.find(wallet),
        parts.wallets.history(wallet, SEEN_MAX),
        store.selectSurroundings(database, { wallet, limit: SEEN_MAX }),
      ]);
      return { ...(account && { account }), recent, ...around };
    },
    world: () => selectWorld(database),
    entries: (limit) => store.selectEntries(database, limit),
  };
}

const fetchingAnother = () =>
  invalidField(
    'name',
    'Something is being fetched, and that is done one at a time. Wait until it has ended, or end it: the list of fetches names it.',
  );

/** How an outcome is written down. */
interface Telling<T> {
  /** Absent: where it is true. */
  hasHappened?(outcome: T): boolean;
  /** Before the reason. */
  what?(outcome: T): string;
}

const MONEY: Telling<Moved> = {
  hasHappened: ({ isRepeat }) => !isRepeat,
  what: ({ amount }) => `${amount / MILLICREDITS_PER_CREDIT} credits: `,
};

/** By what an id begins with, up to its first underscore. */
function ofKind<T>(kinds: Readonly<Record<string, T>>, id: string): T | undefined {
  const [, kind = ''] = /^([a-z]+)_/.exec(id) ?? [];
  return Object.hasOwn(kinds, kind) ? kinds[kind] : undefined;
}
