import type { Queryable } from '../../core/database/types.ts';
import { selectDamaged } from '../../core/storage/blobs/store.ts';
import { selectFetches } from '../models/setup/fetch_store.ts';
import { selectLastBackup } from './backups/last_backup_store.ts';
import { WORLD_SEEN_MAX } from './limits.ts';
import type { WorldSeen } from './types.ts';

/** Reads the overview of a database in a few short statements, each with its own snapshot. */
export async function selectWorld(database: Queryable): Promise<WorldSeen> {
  const [servers, takers, queue, jobs, deliveries, fetches, backup, damaged, [counts]] = await Promise.all([
    database.query<WorldSeen['servers'][number]>(
      'select host, pid, seen_at as "seenAt" from servers order by seen_at desc limit $1',
      [WORLD_SEEN_MAX],
    ),
    database.query<WorldSeen['takers'][number]>(
      'select tools, lacks, places, seen_at as "seenAt" from job_takers order by seen_at desc limit $1',
      [WORLD_SEEN_MAX],
    ),
    database.query<WorldSeen['queue'][number]>(
      `select tool, count(*) filter (where state = 'queued') as queued, count(*) filter (where state = 'running') as running
       from jobs where state in ('queued', 'running') group by tool order by tool`,
    ),
    database.query<WorldSeen['jobs'][number]>(
      `select id, tool, state, wallet, created_at as "acceptedAt" from jobs where state in ('queued', 'running')
       order by position limit $1`,
      [WORLD_SEEN_MAX],
    ),
    database.query<WorldSeen['webhooks']['deliveries'][number]>(
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
