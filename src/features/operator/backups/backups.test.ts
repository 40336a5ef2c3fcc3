import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { newSchema, type Schema } from '../../../../tests/support/new_schema.ts';
import { needs } from '../../../../tests/support/test_requirements.ts';
import { type Config, readConfig } from '../../../config/config.ts';
import { digestTable, listReferences, listTables } from '../../../core/database/copying/tables.ts';
import { blobName } from '../../../core/storage/blobs/blob_name.ts';
import { createBlobs } from '../../../core/storage/blobs/blobs.ts';
import { createFileObjects } from '../../../core/storage/objects/file_objects.ts';
import { createWallets } from '../../wallets/wallets.ts';
import { openData } from '../storage/open_data.ts';
import { openBackups } from './backups.ts';
import { selectLastBackup } from './last_backup.ts';
import type { Backups, MadeBackup } from './types.ts';

vi.setConfig({ testTimeout: 300_000, hookTimeout: 300_000 });

const WALLET = `0x${'a'.repeat(40)}`;
const folders: string[] = [];
const newFolder = () => {
  const folder = mkdtempSync(join(tmpdir(), 'atelier-backups-'));
  folders.push(folder);
  return folder;
};
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true });
});
const embedded = (dataDir = newFolder()): Config => readConfig({ DATA_DIR: dataDir });
const blobsOf = ({ DATA_DIR }: Config) => createBlobs(createFileObjects(join(DATA_DIR, 'blobs')));

/** A wallet with an asset, so that a row references a blob. */
async function fill(config: Config, text = 'one'): Promise<string> {
  const sha256 = await blobsOf(config).put(Buffer.from(text));
  const database = await openData(config);
  await createWallets(database).register(WALLET);
  await database.query(
    `insert into assets (wallet, key, content_type, size_bytes, sha256, created_at, updated_at, metadata)
     values ($1, $2, 'text/plain', 3, $3, now(), now(), null)`,
    [WALLET, text, sha256],
  );
  await database.close();
  return sha256;
}

async function lastBackupOf(config: Config) {
  const database = await openData(config);
  const last = await selectLastBackup(database);
  await database.close();
  return last;
}

/** The contents of all tables; also checks that the ledger balances. */
async function stateOf(config: Config) {
  const database = await openData(config);
  const tables = await Promise.all(
    (await listTables(database))
      // A backup does not contain its own record.
      .filter(({ name }) => name !== 'last_backup')
      .map(async (table) => [table.name, (await digestTable(database, table)).rows]),
  );
  const { checkedAt: _, ...books } = await createWallets(database).audit();
  const state = { tables, books, references: (await listReferences(database)).length };
  await database.close();
  return state;
}

describe('a backup of the embedded database', () => {
  let config: Config;
  let backups: Backups;
  let sha256: string;
  let first: MadeBackup;
  const folder = newFolder();
  beforeAll(async () => {
    config = embedded();
    backups = openBackups(config);
    sha256 = await fill(config);
    first = await backups.make(folder, {});
  });
  const elsewhere = () => openBackups(embedded());
  const restore = { mayReplace: false };
  const objectPaths = () =>
    readdirSync(join(folder, 'objects'), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name));

  test('restores all data, blobs and balances; existing data is moved aside only on request', async () => {
    const target = embedded();
    await fill(target, 'two');
    await expect(openBackups(target).restore(folder, restore)).rejects.toThrow(/is not empty: .*--replace/);
    const { aside, blobs } = await openBackups(target).restore(folder, { mayReplace: true });
    expect(blobs).toBe(1);
    expect(await stateOf(target)).toEqual(await stateOf(config));
    expect(Buffer.from(await blobsOf(target).get(sha256)).toString()).toBe('one');
    expect(existsSync(join(aside[0]!, 'database', 'PG_VERSION'))).toBe(true);
  });

  test('the next backup is incremental, and --keep removes older backups with their unshared objects', async () => {
    const kept = newFolder();
    await backups.make(kept, {});
    const before = readdirSync(join(kept, 'backups'));
    const again = await backups.make(kept, { keep: 1 });
    expect(again.addedBytes).toBeLessThan(again.bytes / 2);
    expect(await lastBackupOf(config)).toMatchObject({ name: again.name, folder: kept, bytes: again.bytes });
    expect(again.pruned).toEqual(before.map((name) => name.replace('.json', '')));
    await expect(backups.check(kept, { at: again.pruned[0] })).rejects.toThrow(/There is no backup/);
    expect(await backups.check(kept, {})).toMatchObject({ name: again.name });
  });

  test('its files are readable only by their owner', () => {
    const modes = objectPaths().map((path) => statSync(path).mode & 0o777);
    expect(new Set(modes)).toEqual(new Set([0o600]));
  });

  test('a modified object is detected before anything is restored', async () => {
    const target = embedded();
    for (const path of objectPaths()) {
      const bytes = readFileSync(path);
      writeFileSync(path, Buffer.concat([bytes, Buffer.of(0)]));
      await expect(openBackups(target).restore(folder, restore)).rejects.toThrow(/is damaged/);
      writeFileSync(path, bytes);
    }
    expect(existsSync(join(target.DATA_DIR, 'database'))).toBe(false);
  });

  test.each([
    ['altered', (text: string) => text.replace('"rows":1', '"rows":2'), /was altered or damaged/],
    ['cut off', (text: string) => text.slice(0, -200), /was altered or damaged/],
    ['empty', () => '', /was altered or damaged/],
  ])('a manifest that is %s is rejected', async (_what, change, said) => {
    const path = join(folder, 'backups', `${first.name}.json`);
    const text = readFileSync(path, 'utf8');
    writeFileSync(path, change(text));
    await expect(elsewhere().restore(folder, restore)).rejects.toThrow(said);
    writeFileSync(path, text);
  });

  test('an unknown backup name is rejected with the available names', async () => {
    await expect(elsewhere().restore(folder, { ...restore, at: '../x' })).rejects.toThrow(first.name);
    await expect(elsewhere().restore(newFolder(), restore)).rejects.toThrow(/There is no backup in/);
  });

  test('an aborted backup or restore leaves nothing behind, and a rerun resumes it', async () => {
    const [half, target] = [newFolder(), embedded()];
    const stopAt = (fraction: number) => {
      const stopping = new AbortController();
      const onProgress = (done: number) => void (done >= fraction && stopping.abort());
      return { signal: stopping.signal, onProgress };
    };
    await expect(backups.make(half, stopAt(0.2))).rejects.toThrow(/aborted/);
    await expect(backups.check(half, {})).rejects.toThrow(/There is no backup/);
    expect((await backups.make(half, {})).addedBytes).toBeGreaterThan(0);
    await expect(openBackups(target).restore(half, { ...restore, ...stopAt(0.5) })).rejects.toThrow(
      /aborted/,
    );
    await expect(openData(target)).rejects.toThrow(/was interrupted/);
    await openBackups(target).restore(half, restore);
    expect(await stateOf(target)).toEqual(await stateOf(config));
  });

  test('corrupt or missing blobs are reported, and the rest is backed up', async () => {
    const [source, place] = [embedded(), newFolder()];
    const [damaged, gone] = [await fill(source, 'bad'), await fill(source, 'gone')];
    writeFileSync(join(source.DATA_DIR, 'blobs', blobName(damaged)), 'other');
    rmSync(join(source.DATA_DIR, 'blobs', blobName(gone)));
    const made = await openBackups(source).make(place, {});
    expect(made.damaged.toSorted()).toEqual([damaged, gone].toSorted());
    await expect(elsewhere().check(place, {})).resolves.toBeDefined();
  });
});

describe('between the embedded database and PostgreSQL', needs('PostgreSQL'), () => {
  let schemas: Schema[];
  beforeEach(async () => {
    schemas = [
      await newSchema(process.env.TEST_DATABASE_URL!),
      await newSchema(process.env.TEST_DATABASE_URL!),
    ];
  });
  afterEach(() => Promise.all(schemas.map((schema) => schema.drop())));
  const onPostgresql = (url: string) => readConfig({ DATA_DIR: newFolder(), DATABASE_URL: url });

  test('a backup of either database restores to the other with identical tables', async () => {
    const [source, folder, back] = [embedded(), newFolder(), newFolder()];
    await fill(source);
    await openBackups(source).make(folder, {});
    const [first, second] = schemas.map(({ url }) => onPostgresql(url));
    await openBackups(first!).restore(folder, { mayReplace: false });
    await openBackups(first!).make(back, {});
    const target = embedded();
    await openBackups(target).restore(back, { mayReplace: false });
    await openBackups(second!).restore(back, { mayReplace: false });
    const state = await stateOf(source);
    for (const other of [first!, second!, target]) expect(await stateOf(other)).toEqual(state);
  });

  test('a non-empty database is replaced only on request and kept alongside', async () => {
    const [folder, used] = [newFolder(), onPostgresql(schemas[0]!.url)];
    await fill(used);
    await openBackups(used).make(folder, {});
    const target = onPostgresql(schemas[0]!.url);
    await expect(openBackups(target).restore(folder, { mayReplace: false })).rejects.toThrow(/is not empty/);
    const { aside } = await openBackups(target).restore(folder, { mayReplace: true });
    expect(aside).toEqual([expect.stringMatching(/^schema .*_replaced_\d{8}t\d+z$/)]);
    const database = await openData(target);
    await database.query(`drop ${aside[0]} cascade`);
    await database.close();
  });
});
