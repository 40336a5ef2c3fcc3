import { WALLET_STORAGE_BYTES_MAX } from '../../config/limits.ts';
import type { Queryable } from '../../core/database/types.ts';
import { selectDamaged } from '../../core/storage/blobs/store.ts';
import { OWNER } from '../account/export/limits.ts';
import { selectFetches } from '../models/setup/fetch_store.ts';
import { selectLastBackup } from './backups/last_backup.ts';
import { WORLD_SEEN_MAX } from './limits.ts';
import type {
  AdminAction,
  AdminActionPage,
  CommunityEntry,
  OperatorToken,
  SystemStatus,
  WalletReport,
} from './types.ts';

/** Amounts are in millicredits, wallets in lower case. */

export async function insertAdminAction(
  tx: Queryable,
  { at, who, act, about, why }: Omit<AdminAction, 'number'>,
): Promise<void> {
  await tx.query('insert into operator_acts (at, who, act, about, why) values ($1, $2, $3, $4, $5)', [
    at,
    who,
    act,
    about,
    why,
  ]);
}

/** Newest first. */
export const selectAdminActions = (
  database: Queryable,
  { limit, before }: AdminActionPage,
): Promise<AdminAction[]> =>
  database.query<AdminAction>(
    `select number, at, who, act, about, why from operator_acts
     where $2::int8 is null or number < $2 order by number desc limit $1`,
    [limit, before ?? null],
  );

/** Locks the wallet until the transaction ends. Returns its balance; undefined where it is not registered. */
export async function lockWallet(tx: Queryable, wallet: string): Promise<number | undefined> {
  const [row] = await tx.query<{ balance: number }>(
    `select credit - debit as balance from accounts where id = 'wallet:' || $1 for no key update`,
    [wallet],
  );
  return row?.balance;
}

export interface Transfer {
  readonly id: string;
  readonly at: Date;
  readonly debit: string;
  readonly credit: string;
  readonly amount: number;
  readonly code: 'adjustment' | 'refund';
  readonly tool?: string | null;
}

/** Undefined where the transfer was made; otherwise the existing transfer with its id. */
export async function insertTransfer(tx: Queryable, transfer: Transfer): Promise<Transfer | undefined> {
  const { id, at, debit, credit, amount, code, tool = null } = transfer;
  const made = await tx.query(
    `insert into transfers (id, at, debit, credit, amount, phase, code, tool)
     values ($1, $2, $3, $4, $5, 'posted', $6, $7) on conflict (id) do nothing returning id`,
    [id, at, debit, credit, amount, code, tool],
  );
  if (made.length > 0) return undefined;
  const [first] = await tx.query<Transfer>(
    'select id, at, debit, credit, amount, code, tool from transfers where id = $1',
    [id],
  );
  return first;
}

export interface Charge {
  /** `post:<call>` */
  readonly id: string;
  readonly wallet: string;
  readonly income: string;
  readonly tool: string | null;
  readonly amount: number;
  readonly creditBack: number;
}

/** The charge of a call, by any public name of the call; undefined where no wallet paid for it. */
export async function selectCharge(database: Queryable, call: string): Promise<Charge | undefined> {
  const name = call.replace(/^(post:|hold:|rcpt_)/, '');
  const [row] = await database.query<Charge>(
    `select t.id, substr(t.debit, 8) as wallet, t.credit as income, t.tool, t.amount,
       coalesce((select b.amount from transfers b where b.id = 'creditback:' || substr(t.id, 6)), 0) as "creditBack"
     from transfers t where t.id = any($1::text[]) and t.phase = 'post' and t.debit like 'wallet:%'`,
    [['', 'call_', 'job_'].map((kind) => `post:${kind}${name}`)],
  );
  return row;
}

/** Blocks a wallet; one closed by its owner counts as blocked by the operator then. False where it is blocked already. */
export async function insertBlock(
  tx: Queryable,
  { wallet, at, who, why }: { wallet: string; at: Date; who: string; why: string },
): Promise<boolean> {
  const rows = await tx.query(
    `insert into blocked_wallets (wallet, at, who, why) values ($1, $2, $3, $4)
     on conflict (wallet) do update set at = excluded.at, who = excluded.who, why = excluded.why
       where blocked_wallets.who = $5 returning wallet`,
    [wallet, at, who, why, OWNER],
  );
  return rows.length > 0;
}

export async function deleteBlock(tx: Queryable, wallet: string): Promise<boolean> {
  const rows = await tx.query('delete from blocked_wallets where wallet = $1 returning wallet', [wallet]);
  return rows.length > 0;
}

type Surroundings = Omit<WalletReport, 'account' | 'recent'>;

/** Block, ownership, keys, jobs, posts, webhooks and storage of a wallet. */
export async function selectSurroundings(
  database: Queryable,
  { wallet, limit }: { wallet: string; limit: number },
): Promise<Surroundings> {
  const [row] = await database.query<
    Omit<Surroundings, 'blocked'> & { at: Date | null; who: string; why: string }
  >(
    `select b.at, b.who, b.why, o.claimed_at as "claimedAt", o.locked_at as "lockedAt",
       jsonb_build_object('assets', coalesce(s.asset_count, 0), 'usedBytes', coalesce(s.used_bytes, 0),
         'limitBytes', coalesce(s.limit_bytes, $3)) as storage,
       coalesce((select jsonb_agg(k) from (select id, name, spent from wallet_keys
         where wallet = $1 and revoked_at is null and (expires_at is null or expires_at > now())
         order by position desc limit $2) k), '[]') as keys,
       coalesce((select jsonb_agg(j) from (select id, tool, state from jobs
         where wallet = $1 and state in ('queued', 'running') order by position desc limit $2) j), '[]') as jobs,
       coalesce((select jsonb_agg(id) from ((select id from cafe_posts where lower(wallet) = $1 order by number desc limit $2)
         union all (select id from gallery_artworks where lower(wallet) = $1 order by number desc limit $2)) p), '[]') as posts,
       (select count(*) from webhook_endpoints where caller = $1) as webhooks
     from (select 1) one left join blocked_wallets b on b.wallet = $1 left join wallet_owners o on o.wallet = $1
       left join asset_storage s on s.wallet = $1`,
    [wallet, limit, WALLET_STORAGE_BYTES_MAX],
  );
  const { at, who, why, ...rest } = row!;
  return { ...rest, blocked: at && { at, who, why } };
}

/** Entries of all boards, newest first. */
export const selectEntries = (database: Queryable, limit: number): Promise<CommunityEntry[]> =>
  database.query<CommunityEntry>(
    `select * from (
       (select id, 'cafe' as board, name, message as text, wallet, posted_at as "postedAt", hidden_at as "hiddenAt"
         from cafe_posts order by number desc limit $1)
       union all (select id, 'gallery', name, title || ': ' || description, wallet, posted_at, hidden_at
         from gallery_artworks order by number desc limit $1)
       union all (select id, 'registry', name, message, '', posted_at, hidden_at
         from registry_entries order by number desc limit $1)
     ) entries order by "postedAt" desc limit $1`,
    [limit],
  );

/** Tokens are passed as their sha256. */

const COLUMNS = `id, name, scopes, created_at as "createdAt", created_by as "createdBy",
  expires_at as "expiresAt", revoked_at as "revokedAt"`;

export async function insertToken(
  tx: Queryable,
  { id, name, scopes, createdAt, createdBy, expiresAt }: OperatorToken,
  tokenSha256: string,
): Promise<void> {
  await tx.query(
    `insert into operator_tokens (id, token_sha256, name, scopes, created_at, created_by, expires_at)
     values ($1, $2, $3, $4, $5, $6, $7)`,
    [id, tokenSha256, name, scopes, createdAt, createdBy, expiresAt],
  );
}

/** A token has 256 random bits, so the timing of the hash lookup reveals nothing useful. */
export async function selectToken(
  database: Queryable,
  tokenSha256: string,
): Promise<OperatorToken | undefined> {
  const [row] = await database.query<OperatorToken>(
    `select ${COLUMNS} from operator_tokens where token_sha256 = $1`,
    [tokenSha256],
  );
  return row;
}

/** Newest first. */
export const selectTokens = (database: Queryable, limit: number): Promise<OperatorToken[]> =>
  database.query<OperatorToken>(
    `select ${COLUMNS} from operator_tokens order by created_at desc, id limit $1`,
    [limit],
  );

/** False where the id is unknown, or the token no longer valid. */
export async function revokeToken(tx: Queryable, id: string, at: Date): Promise<boolean> {
  const rows = await tx.query(
    'update operator_tokens set revoked_at = $2 where id = $1 and revoked_at is null returning id',
    [id, at],
  );
  return rows.length > 0;
}

/** Reads the overview of a database in a few short statements, each with its own snapshot. */
export async function selectSystemStatus(database: Queryable): Promise<SystemStatus> {
  const [servers, takers, queue, jobs, deliveries, fetches, backup, damaged, [counts]] = await Promise.all([
    database.query<SystemStatus['servers'][number]>(
      'select host, pid, seen_at as "seenAt" from servers order by seen_at desc limit $1',
      [WORLD_SEEN_MAX],
    ),
    database.query<SystemStatus['takers'][number]>(
      'select tools, lacks, places, seen_at as "seenAt" from job_takers order by seen_at desc limit $1',
      [WORLD_SEEN_MAX],
    ),
    database.query<SystemStatus['queue'][number]>(
      `select tool, count(*) filter (where state = 'queued') as queued, count(*) filter (where state = 'running') as running
       from jobs where state in ('queued', 'running') group by tool order by tool`,
    ),
    database.query<SystemStatus['jobs'][number]>(
      `select id, tool, state, wallet, created_at as "acceptedAt" from jobs where state in ('queued', 'running')
       order by position limit $1`,
      [WORLD_SEEN_MAX],
    ),
    database.query<SystemStatus['webhooks']['deliveries'][number]>(
      `select d.id, d.endpoint_id as endpoint, e.type, d.state, jsonb_array_length(d.attempts) as attempts, d.created_at as at
       from webhook_deliveries d join webhook_events e on e.id = d.event_id order by d.position desc limit $1`,
      [WORLD_SEEN_MAX],
    ),
    selectFetches(database),
    selectLastBackup(database),
    selectDamaged(database, WORLD_SEEN_MAX),
    database.query<Record<'active' | 'disabled' | 'pending' | 'hidden' | 'blocked' | 'workspaces', number>>(
      COUNTS,
    ),
  ]);
  const { hidden, blocked, workspaces, ...webhooks } = counts!;
  return {
    servers,
    takers,
    queue,
    jobs,
    fetches,
    damaged,
    ...(backup && { backup }),
    webhooks: { ...webhooks, deliveries },
    hidden,
    blockedWallets: blocked,
    workspaces,
  };
}

const COUNTS = `select
  (select count(*) from webhook_endpoints where disabled_at is null) as active,
  (select count(*) from webhook_endpoints where disabled_at is not null) as disabled,
  (select count(*) from webhook_deliveries where state = 'pending') as pending,
  (select count(*) from cafe_posts where hidden_at is not null)
    + (select count(*) from gallery_artworks where hidden_at is not null)
    + (select count(*) from registry_entries where hidden_at is not null) as hidden,
  (select count(*) from workspaces) as workspaces,
  (select count(*) from blocked_wallets) as blocked`;
