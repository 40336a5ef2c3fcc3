import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { forEachDatabase, type Open } from '../../tests/support/for_each_database.ts';
import type { ScriptableDatabase } from './contract.ts';
import { migrate } from './migrate.ts';

let folder = '';
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'atelier-migrations-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const write = (name: string, text: string) => writeFile(join(folder, name), text);
const url = () => pathToFileURL(`${folder}/`);

/** A database that no migration has touched. */
async function empty(open: Open): Promise<ScriptableDatabase> {
  const database = (await open()) as ScriptableDatabase;
  await database.query('truncate schema_migrations');
  return database;
}

forEachDatabase((_name, open) => {
  test('files are applied once, in the order of their names', async () => {
    const database = await empty(open);
    await write('0002_more.sql', 'insert into pots values (2); insert into pots values (3);');
    await write('0001_pots.sql', 'create table pots (size int);');
    await write('notes.txt', 'not SQL');
    await migrate(database, url());
    await migrate(database, url());
    expect(await database.query('select size from pots')).toEqual([{ size: 2 }, { size: 3 }]);
  });

  test('an applied file that changed is refused by name', async () => {
    const database = await empty(open);
    await write('0001_pots.sql', 'create table pots (size int);');
    await migrate(database, url());
    await write('0001_pots.sql', 'create table pots (size bigint);');
    await expect(migrate(database, url())).rejects.toThrow('0001_pots.sql has changed since it was applied');
  });

  test('what a newer version has added is let be', async () => {
    const database = await empty(open);
    await write('0001_pots.sql', 'create table pots (size int);');
    await migrate(database, url());
    await rm(join(folder, '0001_pots.sql'));
    await expect(migrate(database, url())).resolves.toBeUndefined();
  });

  test('a newer version that says so is not for older ones', async () => {
    const database = await empty(open);
    await write(
      '0001_pots.sql',
      '-- Not for older versions: they would not count the lids.\ncreate table pots (size int);',
    );
    await migrate(database, url());
    await rm(join(folder, '0001_pots.sql'));
    await expect(migrate(database, url())).rejects.toThrow('0001_pots, which this version does not have');
  });

  test('a table of migrations as older versions made it is understood', async () => {
    const database = await empty(open);
    await database.query('alter table schema_migrations drop column breaks');
    await write('0001_pots.sql', 'create table pots (size int);');
    await migrate(database, url());
    await migrate(database, url());
    expect(await database.query('select size from pots')).toEqual([]);
  });

  test('a file that fails leaves nothing of itself behind', async () => {
    const database = await empty(open);
    await write('0001_pots.sql', 'create table pots (size int);');
    await write('0002_broken.sql', 'insert into pots values (1); insert into pans values (1);');
    await expect(migrate(database, url())).rejects.toMatchObject({ code: '42P01' });
    expect(await database.query('select * from pots')).toEqual([]);
    await write('0002_broken.sql', 'insert into pots values (1);');
    await migrate(database, url());
    expect(await database.query('select size from pots')).toEqual([{ size: 1 }]);
  });

  test('processes that start at once take turns', async () => {
    const database = await empty(open);
    await write('0001_pots.sql', 'create table pots (size int);');
    await write('0002_more.sql', 'insert into pots values (1);');
    await Promise.all(Array.from({ length: 5 }, () => migrate(database, url())));
    expect(await database.query('select size from pots')).toEqual([{ size: 1 }]);
  });
});
