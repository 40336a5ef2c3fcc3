import type { Queryable } from '../../../core/database/types.ts';
import { TRASH_LIFETIME_MS } from '../../assets/limits.ts';
import type { Parts } from './deps.ts';
import { LIVE_JOBS_ENDED_MAX, OWNER } from './limits.ts';
import { trashAllAssets } from './store.ts';
import type { Closed } from './types.ts';

/**
 * Closes an account in one transaction. A dry run does all of it and takes it back, so that what it tells is what would happen.
 * @see Leaving.close
 */
export async function closeWallet(
  parts: Parts,
  wallet: string,
  { isDry }: { readonly isDry: boolean },
): Promise<Closed> {
  const now = parts.clock();
  let closed: Closed | undefined;
  const closing = parts.database.transaction(async (tx) => {
    closed = await closeAll(parts, tx, { wallet, now });
    if (isDry) throw new DryRun();
  });
  await closing.catch((error: unknown) => {
    if (!(error instanceof DryRun)) throw error;
  });
  return closed!;
}

class DryRun extends Error {}

async function closeAll(
  { endJob }: Parts,
  tx: Queryable,
  { wallet, now }: { wallet: string; now: Date },
): Promise<Closed> {
  const purgeAt = new Date(now.getTime() + TRASH_LIFETIME_MS);
  const count = async (sql: string, ...more: unknown[]): Promise<number> =>
    (await tx.query<{ count: number }>(sql, [wallet, ...more]))[0]!.count;
  const all = (change: string) => `with gone as (${change} returning 1) select count(*) as count from gone`;
  // The wallet is locked before all else, as by every movement of credits.
  const [account] = await tx.query<{ balance: number }>(
    `select credit - debit as balance from accounts where id = 'wallet:' || $1 for no key update`,
    [wallet],
  );
  await tx.query(
    `insert into blocked_wallets (wallet, at, who, why) values ($1, $2, $3, 'closed by its owner') on conflict do nothing`,
    [wallet, now, OWNER],
  );
  const jobs = await tx.query<{ id: string }>(
    `select id from jobs where wallet = $1 and state in ('queued', 'running') order by position limit $2`,
    [wallet, LIVE_JOBS_ENDED_MAX],
  );
  for (const { id } of jobs) await endJob(tx, id);
  return {
    balance: account?.balance ?? 0,
    counts: {
      keys: await count(
        all('update wallet_keys set revoked_at = $2 where wallet = $1 and revoked_at is null'),
        now,
      ),
      sessions: await count(all('delete from wallet_sessions where wallet = $1')),
      assets: await trashAllAssets(tx, { wallet, purgeAt }),
      webhooks: await count(all('delete from webhook_endpoints where caller = $1')),
      jobs: jobs.length,
      posts: (await count(all(hide('cafe_posts')), now)) + (await count(all(hide('gallery_artworks')), now)),
      recipes: await count(all('delete from recipes where wallet = $1')),
    },
    purgeAt,
  };
}

const hide = (board: string): string =>
  `update ${board} set hidden_at = $2 where lower(wallet) = $1 and hidden_at is null`;
