import { ASYNC_COMMIT } from '../../../core/database/async_commit.ts';
import type { Queryable } from '../../../core/database/types.ts';
import { insertEvents } from '../../../core/outbox/outbox.ts';
import type { HoldOutcome } from '../types.ts';
import { KEYS_SHOWN, WALLET_EVENTS_SHOWN } from './limits.ts';
import type { HoldRequest, NewKey, WalletEvent, WalletEventName, WalletKey } from './types.ts';

/** Tokens are passed as their sha256. */

export async function selectOwner(
  database: Queryable,
  wallet: string,
): Promise<{ claimedAt: Date; lockedAt: Date | null } | undefined> {
  const [row] = await database.query<{ claimedAt: Date; lockedAt: Date | null }>(
    'select claimed_at as "claimedAt", locked_at as "lockedAt" from wallet_owners where wallet = $1',
    [wallet],
  );
  return row;
}

export async function insertChallenge(
  database: Queryable,
  challenge: { nonce: string; wallet: string; chainId: number; expiresAt: Date },
): Promise<void> {
  const { nonce, wallet, chainId, expiresAt } = challenge;
  await database.query(
    'insert into wallet_challenges (nonce, wallet, chain_id, expires_at) values ($1, $2, $3, $4)',
    [nonce, wallet, chainId, expiresAt],
  );
}

/** False when the nonce is unknown, used, expired, or of another wallet or chain. */
export async function openSession(
  database: Queryable,
  session: {
    nonce: string;
    wallet: string;
    chainId: number;
    tokenSha256: string;
    at: Date;
    expiresAt: Date;
  },
): Promise<boolean> {
  const { nonce, wallet, chainId, tokenSha256, at, expiresAt } = session;
  const [row] = await database.query<{ opened: boolean }>(
    'select open_wallet_session($1, $2, $3, $4, $5, $6) as opened',
    [nonce, wallet, chainId, tokenSha256, at, expiresAt],
  );
  return row!.opened;
}

/** False when this wallet has used the nonce before. */
export async function useNonce(
  database: Queryable,
  { wallet, nonce, expiresAt }: { wallet: string; nonce: string; expiresAt: Date },
): Promise<boolean> {
  const rows = await database.query(
    `insert into signed_request_nonces (wallet, nonce, expires_at) values ($1, $2, $3)
     on conflict do nothing returning wallet`,
    [wallet, nonce, expiresAt],
  );
  return rows.length === 1;
}

export async function selectSession(
  database: Queryable,
  tokenSha256: string,
): Promise<{ wallet: string; expiresAt: Date } | undefined> {
  const [row] = await database.query<{ wallet: string; expiresAt: Date }>(
    'select wallet, expires_at as "expiresAt" from wallet_sessions where token_sha256 = $1',
    [tokenSha256],
  );
  return row;
}

const LOCKED_BECAUSE = 'the wallet was locked, and this endpoint was registered with its address alone';

/**
 * Locks a wallet, ends every other session, and disables webhooks registered with the address alone, which no longer grants access.
 * Returns when the wallet was locked.
 */
export async function lock(
  database: Queryable,
  { wallet, at, keptSha256 }: { wallet: string; at: Date; keptSha256: string | undefined },
): Promise<Date> {
  const [row] = await database.query<{ lockedAt: Date }>(
    `with ended as (
       delete from wallet_sessions where wallet = $1 and token_sha256 is distinct from $3
     ), locked as (
       insert into wallet_owners as o (wallet, claimed_at, locked_at) values ($1, $2, $2)
       on conflict (wallet) do update set locked_at = coalesce(o.locked_at, excluded.locked_at)
       returning locked_at, locked_at = $2 as is_new
     ), events as (${insertEvents(
       `select $1, 'wallet.locked', jsonb_build_object('wallet', $1::text), locked_at from locked where is_new`,
     )})
     select locked_at as "lockedAt",
       (select count(*) filter (where disable_webhook(e.id, $4, locked_at)) from webhook_endpoints e
        where is_new and e.account = $1 and e.state = 'active' and not e.is_proved) as disabled
     from locked`,
    [wallet, at, keptSha256, LOCKED_BECAUSE],
  );
  return row!.lockedAt;
}

export async function unlock(database: Queryable, wallet: string): Promise<void> {
  await database.query('update wallet_owners set locked_at = null where wallet = $1', [wallet]);
}

const KEY_COLUMNS = `id, name, scopes, tools, max_total as "maxTotal", spent, max_daily as "maxDaily",
  case when day >= timezone('UTC', $1::timestamptz)::date then spent_on_day else 0 end as "spentToday",
  created_at as "createdAt", expires_at as "expiresAt", revoked_at as "revokedAt"`;

export async function insertKey(
  database: Queryable,
  key: NewKey & { id: string; tokenSha256: string; wallet: string; at: Date; activeMax: number },
): Promise<boolean> {
  const { id, tokenSha256, wallet, name, scopes, tools, maxTotal, maxDaily, at, expiresAt, activeMax } = key;
  const [row] = await database.query<{ added: boolean }>(
    'select add_wallet_key($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11) as added',
    [id, tokenSha256, wallet, name, scopes, tools, maxTotal, maxDaily, at, expiresAt, activeMax],
  );
  return row!.added;
}

export async function selectKeyByToken(
  database: Queryable,
  tokenSha256: string,
  at: Date,
): Promise<(WalletKey & { wallet: string }) | undefined> {
  const [row] = await database.query<WalletKey & { wallet: string }>(
    `select wallet, ${KEY_COLUMNS} from wallet_keys where token_sha256 = $2`,
    [at, tokenSha256],
  );
  return row;
}

export function selectKeys(database: Queryable, wallet: string, at: Date): Promise<WalletKey[]> {
  return database.query<WalletKey>(
    `select ${KEY_COLUMNS} from wallet_keys where wallet = $2 order by position desc limit ${KEYS_SHOWN}`,
    [at, wallet],
  );
}

export async function isKeyInForce(
  database: Queryable,
  { wallet, id, at }: { wallet: string; id: string; at: Date },
): Promise<boolean> {
  const rows = await database.query(
    `select from wallet_keys where wallet = $1 and id = $2 and revoked_at is null
       and (expires_at is null or expires_at > $3)`,
    [wallet, id, at],
  );
  return rows.length > 0;
}

/** The wallet of the revoked key; undefined where the id is unknown, or was revoked before. */
export async function revokeAnyKey(
  database: Queryable,
  { id, at }: { id: string; at: Date },
): Promise<string | undefined> {
  const [row] = await database.query<{ wallet: string }>(
    'update wallet_keys set revoked_at = $1 where id = $2 and revoked_at is null returning wallet',
    [at, id],
  );
  return row?.wallet;
}

export async function revokeKey(
  database: Queryable,
  { wallet, id, at }: { wallet: string; id: string; at: Date },
): Promise<WalletKey | undefined> {
  const [row] = await database.query<WalletKey>(
    `update wallet_keys set revoked_at = coalesce(revoked_at, $1) where wallet = $2 and id = $3
     returning ${KEY_COLUMNS}`,
    [at, wallet, id],
  );
  return row;
}

export interface KeyHoldOutcome {
  readonly outcome: HoldOutcome | 'key_ended' | 'over_total' | 'over_day';
  readonly maxTotal: number | null;
  readonly spent: number;
  readonly maxDaily: number | null;
  readonly spentToday: number;
}

export async function hold(
  database: Queryable,
  { keyId, id, wallet, amount, tool, at, expiresAt, consent }: HoldRequest & { keyId: string; at: Date },
): Promise<KeyHoldOutcome> {
  const [row] = await database.query<KeyHoldOutcome>(
    `select outcome, max_total as "maxTotal", spent, max_daily as "maxDaily", spent_on_day as "spentToday"
     from ${ASYNC_COMMIT}, hold_credits_of_key($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
    [keyId, id, wallet, amount, tool, at, expiresAt, consent?.approval, consent?.paramsSha256],
  );
  return row!;
}

export async function insertEvent(
  database: Queryable,
  { wallet, event, about, at }: { wallet: string; event: WalletEventName; about: string; at: Date },
): Promise<void> {
  await database.query(
    `insert into wallet_events as e (wallet, event, about, hour, at)
     values ($1, $2, $3, date_trunc('hour', $4::timestamptz, 'UTC'), $4)
     on conflict (wallet, event, about, hour) where event like 'refused_%'
       do update set times = e.times + 1, at = excluded.at`,
    [wallet, event, about, at],
  );
}

export function selectEvents(database: Queryable, wallet: string): Promise<WalletEvent[]> {
  return database.query<WalletEvent>(
    `select at, event, about, times from wallet_events where wallet = $1
     order by position desc limit ${WALLET_EVENTS_SHOWN}`,
    [wallet],
  );
}

export async function sweep(database: Queryable, now: Date, eventsBefore: Date): Promise<number> {
  const [row] = await database.query<{ count: number }>(
    `with challenges as (delete from wallet_challenges where expires_at <= $1 returning 1),
       nonces as (delete from signed_request_nonces where expires_at <= $1 returning 1),
       sessions as (delete from wallet_sessions where expires_at <= $1 returning 1),
       events as (delete from wallet_events where at <= $2 returning 1)
     select (select count(*) from challenges) + (select count(*) from nonces) + (select count(*) from sessions)
       + (select count(*) from events) as count`,
    [now, eventsBefore],
  );
  return row!.count;
}
