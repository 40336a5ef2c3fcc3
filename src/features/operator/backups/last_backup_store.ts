import type { Queryable } from '../../../core/database/types.ts';
import type { LastBackup } from './types.ts';

export async function saveLastBackup(database: Queryable, backup: LastBackup): Promise<void> {
  const { name, madeAt, folder, bytes, addedBytes, damaged } = backup;
  await database.query(
    `insert into last_backup (name, made_at, folder, bytes, added_bytes, damaged) values ($1, $2, $3, $4, $5, $6)
     on conflict (only_row) do update set name = excluded.name, made_at = excluded.made_at, folder = excluded.folder,
       bytes = excluded.bytes, added_bytes = excluded.added_bytes, damaged = excluded.damaged`,
    [name, madeAt, folder, bytes, addedBytes, damaged],
  );
}

export async function selectLastBackup(database: Queryable): Promise<LastBackup | undefined> {
  const [row] = await database.query<LastBackup>(
    `select name, made_at as "madeAt", folder, bytes, added_bytes as "addedBytes", damaged from last_backup`,
  );
  return row;
}
