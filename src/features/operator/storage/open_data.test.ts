import { mkdir, mkdtemp, open, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readConfig } from '../../../config/config.ts';
import { asAtelierError } from '../../../pipeline/errors.ts';
import { keepLastBackupNote } from '../backups/last_backup.ts';
import { openData } from './open_data.ts';

const BACKUP = '2026-11-25T01-00-00-000Z';
const SNAPSHOT = '2026-11-24T01-00-00-000Z';

/** A data folder with a used and closed database, and records of a backup and a snapshot that do not exist. */
async function usedFolder() {
  const folder = await mkdtemp(join(tmpdir(), 'atelier-damage-'));
  const config = readConfig({ DATA_DIR: folder });
  const database = await openData(config);
  const [files] = await database.query<{ heap: string }>(
    `select pg_relation_filepath('schema_migrations') as heap`,
  );
  await database.close();
  await keepLastBackupNote(folder, { name: BACKUP, made_at: '2026-11-25T01:00:00.000Z', place: '/backups' });
  await mkdir(join(folder, 'before_migrations', 'backups'), { recursive: true });
  await writeFile(join(folder, 'before_migrations', 'backups', `${SNAPSHOT}.json`), '');
  return { config, inDatabase: (name: string) => join(folder, 'database', name), heap: files!.heap };
}

/** Overwrites bytes of a file without changing its length. */
async function overwrite(path: string, at: number): Promise<void> {
  const file = await open(path, 'r+');
  await file.write(Buffer.alloc(400, 0xa5), 0, 400, at);
  await file.close();
}

test.each([
  ['an overwritten pg_control', (path: (name: string) => string) => overwrite(path('global/pg_control'), 0)],
  ['no PG_VERSION', (path: (name: string) => string) => rm(path('PG_VERSION'))],
])('given %s, startup names the backup and snapshot to restore and the command', async (_, damage) => {
  const { config, inDatabase } = await usedFolder();
  await damage(inDatabase);
  const failure = await openData(config).catch((error: Error) => error.message);
  expect(failure).toContain('cannot be opened');
  expect(failure).toContain(
    `npx atelier restore /backups --at ${BACKUP} --replace --data-dir ${config.DATA_DIR}`,
  );
  expect(failure).toContain(`npx atelier rollback --at ${SNAPSHOT} --yes --data-dir ${config.DATA_DIR}`);
});

test('a query that reads a corrupt page fails with database_damaged', async () => {
  const { config, inDatabase, heap } = await usedFolder();
  const database = await openData(config);
  await database.query('checkpoint');
  await database.close();
  await overwrite(inDatabase(heap), 4000);
  const failure: unknown = await openData(config)
    .then((opened) => opened.query('select * from schema_migrations'))
    .catch((error: unknown) => error);
  expect(asAtelierError((failure as Error).cause ?? failure).code).toBe('database_damaged');
});
