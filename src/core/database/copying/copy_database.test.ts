import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { newSchema, type Schema } from '../../../../tests/support/new_schema.ts';
import { openEmbeddedDatabase } from '../../../../tests/support/open_embedded_database.ts';
import { needs } from '../../../../tests/support/test_requirements.ts';
import { createWallets } from '../../../features/wallets/wallets.ts';
import { openPostgresql } from '../postgresql.ts';
import type { ScriptableDatabase } from '../types.ts';
import { copyDatabase } from './copy_database.ts';
import { listReferences } from './tables.ts';

const WALLET = `0x${'a'.repeat(40)}`;
const SOON = new Date(Date.now() + 60_000);

describe('a move to PostgreSQL', needs('PostgreSQL'), () => {
  let source: ScriptableDatabase;
  let target: ScriptableDatabase;
  let schema: Schema;
  beforeEach(async () => {
    source = await openEmbeddedDatabase();
    schema = await newSchema(process.env.TEST_DATABASE_URL!);
    target = await openPostgresql(schema.url, { statementMs: 0 });
  });
  afterEach(async () => {
    await Promise.all([source.close(), target.close()]);
    await schema.drop();
  });

  test('keeps the ledger balanced and restores references and triggers', async () => {
    const wallets = createWallets(source);
    await wallets.register(WALLET);
    await wallets.hold({ id: 'a', wallet: WALLET, amount: 2000, tool: 't', expiresAt: SOON });
    await copyDatabase(source, target);
    expect(await createWallets(target).audit()).toMatchObject({ balanced: true, held: 2000, wallets: 1 });
    expect(await listReferences(target)).toEqual(await listReferences(source));
    await expect(target.query('delete from transfers')).rejects.toThrow(/refused/);
  });

  test('a target database in use is refused and left unchanged', async () => {
    await target.query('create table ours (a integer)');
    await expect(copyDatabase(source, target)).rejects.toThrow(/is not empty: it has 1 tables/);
    expect(await target.query('select * from ours')).toEqual([]);
  });

  test('an interrupted copy leaves nothing, and the same command can be repeated', async () => {
    await createWallets(source).register(WALLET);
    const stopping = new AbortController();
    const stopped = { signal: stopping.signal, onProgress: () => stopping.abort() };
    await expect(copyDatabase(source, target, stopped)).rejects.toThrow(/aborted/);
    let spoiling: Promise<unknown> | undefined;
    const spoil = () => {
      spoiling ??= createWallets(source).register(`0x${'b'.repeat(40)}`);
    };
    await expect(copyDatabase(source, target, { onProgress: spoil })).rejects.toThrow();
    expect(await createWallets(target).isRegistered(WALLET)).toBe(false);
    await spoiling;
    await copyDatabase(source, target);
    expect(await createWallets(target).isRegistered(WALLET)).toBe(true);
  });
});
