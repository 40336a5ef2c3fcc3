import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { type Config, readConfig } from '../../src/config/config.ts';
import { openEmbedded } from '../../src/core/database/embedded.ts';
import { type AppliedMigration, listApplied, migrate } from '../../src/core/database/migrate.ts';
import { openDatabase } from '../../src/core/database/open_database.ts';
import { openPostgresql } from '../../src/core/database/postgresql.ts';
import type { ScriptableDatabase } from '../../src/core/database/types.ts';
import { openBackups } from '../../src/features/operator/backups/backups.ts';
import { snapshotFolder } from '../../src/features/operator/backups/snapshot_before_migrating.ts';
import { openData } from '../../src/features/operator/storage/open_data.ts';
import { createWallets } from '../../src/features/wallets/wallets.ts';
import { newSchema, type Schema } from '../support/new_schema.ts';
import { needs } from '../support/test_requirements.ts';

vi.setConfig({ testTimeout: 300_000, hookTimeout: 300_000 });
const WALLET = `0x${'b'.repeat(40)}`;
const folders: string[] = [];
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true });
});

let all: AppliedMigration[];
beforeAll(async () => {
  const database = await openDatabase({ dataDir: 'memory' });
  all = await listApplied(database);
  await database.close();
});

/** A database as the version before left it: the last migration is still to come. */
async function givenOlder(settings: Record<string, string>): Promise<{ config: Config; last: string }> {
  const dataDir = mkdtempSync(join(tmpdir(), 'atelier-rollback-'));
  folders.push(dataDir);
  const config = readConfig({ DATA_DIR: dataDir, ...settings });
  const database: ScriptableDatabase = config.DATABASE_URL
    ? await openPostgresql(config.DATABASE_URL)
    : await openEmbedded(dataDir, { isBare: true });
  await migrate(database, undefined, { only: all.slice(0, -1) });
  await createWallets(database).register(WALLET);
  await database.close();
  return { config, last: all.at(-1)!.name };
}

async function goesBack(settings: Record<string, string>): Promise<string[]> {
  const { config, last } = await givenOlder(settings);
  const started = await openData(config);
  expect((await listApplied(started)).map(({ name }) => name)).toContain(last);
  await createWallets(started).register(`0x${'c'.repeat(40)}`);
  await started.close();

  const backups = openBackups(config);
  const preview = await backups.previewRollback({});
  expect(preview.migrations).toEqual([last]);
  expect(preview.changes).toContainEqual({ table: 'transfers', before: 1, now: 2 });
  const { aside } = await backups.rollBack({});

  const place = { dataDir: config.DATA_DIR, databaseUrl: config.DATABASE_URL, isAsFound: true };
  const back = await openDatabase(place);
  expect((await listApplied(back)).map(({ name }) => name)).not.toContain(last);
  expect(await createWallets(back).isRegistered(WALLET)).toBe(true);
  expect(await createWallets(back).isRegistered(`0x${'c'.repeat(40)}`)).toBe(false);
  await back.close();
  return [...aside];
}

test('the embedded database rolls back its last migration and keeps the replaced data', async () => {
  const aside = await goesBack({});
  expect(readdirSync(aside[0]!)).toContain('database');
});

test('MIGRATION_SNAPSHOTS=0 leaves no snapshot to roll back to', async () => {
  const { config } = await givenOlder({ MIGRATION_SNAPSHOTS: '0' });
  await (await openData(config)).close();
  expect(() => readdirSync(snapshotFolder(config.DATA_DIR))).toThrow(/ENOENT/);
  await expect(openBackups(config).previewRollback({})).rejects.toThrow(/There is no backup/);
});

test('rollback is refused while a server has the database open', async () => {
  const { config } = await givenOlder({});
  const serving = await openData(config);
  await expect(openBackups(config).rollBack({})).rejects.toThrow(/has .* open/);
  await serving.close();
});

describe('on PostgreSQL', needs('PostgreSQL'), () => {
  test('the tables roll back, and the replaced ones are kept', async () => {
    const schema: Schema = await newSchema(process.env.TEST_DATABASE_URL!);
    const [aside] = await goesBack({ DATABASE_URL: schema.url });
    const database = await openPostgresql(schema.url);
    await database.query(`drop ${aside} cascade`);
    await database.close();
    await schema.drop();
  });
});
