import { SERVER_SILENCE_MS } from '../../../core/cluster/members/limits.ts';
import { selectServers } from '../../../core/cluster/members/store.ts';
import { lockFolder } from '../../../core/database/folder_lock.ts';
import { livesHere } from '../../../core/database/process_identity.ts';
import type { Queryable } from '../../../core/database/types.ts';
import { refuseRunning } from '../../../core/storage/binding/refuse_running.ts';

/**
 * Keeps servers from opening the embedded database of a folder, until the returned function is called.
 * @throws Error where one runs
 */
export async function keepServersOut(dataDir: string): Promise<() => void> {
  await refuseRunning(dataDir);
  return lockFolder(dataDir);
}

/** @throws Error where servers or workers run on a PostgreSQL database */
export async function refuseServing(database: Queryable): Promise<void> {
  const [found] = await database.query<{ there: boolean }>(
    `select to_regclass('servers') is not null as there`,
  );
  if (!found!.there) return;
  const servers = await selectServers(database, SERVER_SILENCE_MS);
  const running = servers.filter((server) => livesHere(server) !== false);
  if (running.length > 0)
    throw new Error(
      `${running.length} servers or workers run on this database (${running.map(({ host, pid }) => `process ${pid} on ${host.split(' ')[0]}`).join(', ')}). Stop them first; one that was killed on another machine counts for ${SERVER_SILENCE_MS / 1000} s more.`,
    );
}
