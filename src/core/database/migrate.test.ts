import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { forEachDatabase, type Open } from '../../../tests/support/for_each_database.ts';
import { migrate, UnreleasedDatabase } from './migrate.ts';
import type { SchemaFiles } from './schema_files.ts';
import type { ScriptableDatabase } from './types.ts';

let folder = '';
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'atelier-migrations-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const write = (name: string, text: string) => writeFile(join(folder, name), text);
const files = (): SchemaFiles => ({ schema: [], migrations: pathToFileURL(`${folder}/`) });

/** A database without migrations. */
async function empty(open: Open): Promise<ScriptableDatabase> {
  const database = (await open()) as ScriptableDatabase;
  await database.query('truncate schema_migrations');
  return database;
}

forEachDatabase((_name, open) => {
  test('files are applied once, in name order', async () => {
    const database = await empty(open);
    await write('0002_more.sql', 'insert into pots values (2); insert into pots values (3);');
    await write('0001_pots.sql', 'create table pots (size int);');
    await write('notes.txt', 'not SQL');
    await migrate(database, files());
    await migrate(database, files());
    expect(await database.query('select size from pots')).toEqual([{ size: 2 }, { size: 3 }]);
  });

  test('a changed migration that was already applied is refused by name', async () => {
    const database = await empty(open);
    await write('0001_pots.sql', 'create table pots (size int);');
    await migrate(database, files());
    await write('0001_pots.sql', 'create table pots (size bigint);');
    await expect(migrate(database, files())).rejects.toThrow(
      '0001_pots.sql has changed since it was applied',
    );
  });

  test('additions of a newer version are left unchanged', async () => {
    const database = await empty(open);
    await write('0001_pots.sql', 'create table pots (size int);');
    await migrate(database, files());
    await rm(join(folder, '0001_pots.sql'));
    await expect(migrate(database, files())).resolves.toBeUndefined();
  });

  test('a migration marked as incompatible stops older versions', async () => {
    const database = await empty(open);
    await write(
      '0001_pots.sql',
      '-- Not for older versions: they would not count the lids.\ncreate table pots (size int);',
    );
    await migrate(database, files());
    await rm(join(folder, '0001_pots.sql'));
    await expect(migrate(database, files())).rejects.toThrow('0001_pots, which this version does not have');
  });

  test('a database from before the first release is refused by name', async () => {
    const database = await empty(open);
    await database.query(
      "insert into schema_migrations (name, sha256) values ('0139_counts_by_statement', '')",
    );
    await expect(migrate(database)).rejects.toThrow(UnreleasedDatabase);
    await expect(migrate(database)).rejects.toThrow(/0139_counts_by_statement.*Set DATA_DIR to a new folder/);
  });

  test('schema files come before migrations, in the declared order', async () => {
    const database = await empty(open);
    await write('0001_more.sql', 'insert into pots values (1);');
    await write('pots.sql', 'create table pots (size int);');
    await write('lids.sql', 'create table lids (of_size int); insert into lids select size from pots;');
    const { migrations } = files();
    const schema = ['pots.sql', 'lids.sql'].map((name) => new URL(name, migrations));
    await migrate(database, { schema, migrations });
    expect(await database.query('select size from pots')).toEqual([{ size: 1 }]);
    expect(await database.query('select * from lids')).toEqual([]);
  });

  test('a failed migration is rolled back', async () => {
    const database = await empty(open);
    await write('0001_pots.sql', 'create table pots (size int);');
    await write('0002_broken.sql', 'insert into pots values (1); insert into pans values (1);');
    await expect(migrate(database, files())).rejects.toMatchObject({ code: '42P01' });
    expect(await database.query('select * from pots')).toEqual([]);
    await write('0002_broken.sql', 'insert into pots values (1);');
    await migrate(database, files());
    expect(await database.query('select size from pots')).toEqual([{ size: 1 }]);
  });

  test('processes that start together migrate in turn', async () => {
    const database = await empty(open);
    await write('0001_pots.sql', 'create table pots (size int);');
    await write('0002_more.sql', 'insert into pots values (1);');
    await Promise.all(Array.from({ length: 5 }, () => migrate(database, files())));
    expect(await database.query('select size from pots')).toEqual([{ size: 1 }]);
  });
});
