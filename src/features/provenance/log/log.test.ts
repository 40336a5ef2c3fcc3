import { execFileSync } from 'node:child_process';
import { createHash, generateKeyPairSync } from 'node:crypto';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { forEachDatabase } from '../../../../tests/support/for_each_database.ts';
import { UNSTAMPED } from '../../../../tests/support/open_manifests.ts';
import { needs } from '../../../../tests/support/test_requirements.ts';
import { answering, makeAuthority, serveAuthority } from '../../../../tests/support/time_stamp_authority.ts';
import type { Database } from '../../../core/database/types.ts';
import { createSigner } from '../../../core/keys/signer.ts';
import { createReceipts } from '../../billing/receipts/receipts.ts';
import { logOperations } from '../routes/log.ts';
import { createTimeStamps, type TimeStamps } from '../timestamps/timestamps.ts';
import { createLog, LOG_STAMP_INTERVAL_MS, LOG_STAMP_RETRY_MS } from './log.ts';

const key = generateKeyPairSync('ed25519').privateKey;
const publicUrl = 'https://atelier.test';
const SCRIPT = resolve(import.meta.dirname, '../../../../docs/verify-log.mjs');

async function given(database: Database, timeStamps: TimeStamps = UNSTAMPED) {
  const log = createLog({ database, signer: createSigner(key), publicUrl, timeStamps });
  const receipts = await createReceipts({ database, key, publicUrl });
  // The entry of the signing key is not counted in these tests.
  await database.query('delete from log_pending');
  let count = 0;
  return {
    log,
    /** Queues receipts as settlements do, without a call. */
    async promise(number: number) {
      const made = Array.from({ length: number }, () => `receipt ${count++}`);
      for (const text of made) {
        await database.query('insert into receipts (id, wallet, receipt, at) values ($1, $2, $3, $4)', [
          `rcpt_${text}`,
          '0x',
          text,
          new Date(),
        ]);
      }
      return made.map((text) => `receipt:${createHash('sha256').update(text).digest('hex')}`);
    },
    /** Response of an endpoint, written to a file. */
    async file(name: string, query: object) {
      const operation = logOperations.find((candidate) => candidate.name === name)!;
      const answer = await operation.run(operation.input.parse(query), { log } as never, {} as never);
      return written(operation.answer.strict().parse(answer));
    },
    jwks: written({ keys: (await receipts.keys()).map((k) => ({ kty: 'OKP', crv: 'Ed25519', ...k })) }),
  };
}

function written(value: unknown): string {
  const path = join(mkdtempSync(join(tmpdir(), 'atelier-log-')), 'file.json');
  writeFileSync(path, typeof value === 'string' ? value : JSON.stringify(value));
  return path;
}
const script = (...files: string[]) =>
  execFileSync(process.execPath, [SCRIPT, ...files], { stdio: 'pipe' }).toString();

forEachDatabase((name, open) => {
  /** Proofs do not depend on the database, and each check starts a process, so one database is sufficient. */
  const once = name === 'embedded' ? test : () => {};

  test('promised entries are added once, in order, and only by sequencing', async () => {
    const { log, promise } = await given(await open());
    expect((await log.head()).size).toBe(0);
    const entries = await promise(5);
    expect((await log.head()).size).toBe(0);
    expect(await log.sequence(new Date())).toBe(5);
    expect(await log.sequence(new Date())).toBe(0);
    expect((await log.entries(1, 3)).map(({ index, entry }) => [index, entry])).toEqual(
      [1, 2, 3].map((index) => [index, entries[index]]),
    );
  });

  once(
    'every entry of every size is proved to an offline script, and every size to every later one',
    async () => {
      const { log, promise, file, jwks } = await given(await open());
      const entries: string[] = [];
      const heads: string[] = [];
      for (const more of [1, 2, 4, 6]) {
        entries.push(...(await promise(more)));
        await log.sequence(new Date());
        heads.push(await file('log_head', {}));
        const proof = await file('log_inclusion', { entry: entries.at(-1 - Math.floor(more / 2)) });
        expect(script(jwks, proof)).toContain(`of ${entries.length}, signed by ${publicUrl}`);
      }
      for (const [index, size] of [1, 3, 7, 13].entries()) {
        const proof = await file('log_consistency', { first: size });
        expect(script(jwks, proof, heads[index]!)).toContain(
          `The log of ${size} entries is the beginning of that of 13`,
        );
      }
      const own = await file('log_inclusion', { entry: entries[4] });
      expect(script(jwks, own, written('receipt 4\n'))).toContain('is entry 4 of 13');
      expect(() => script(jwks, own, written('receipt 5'))).toThrow('NOT VALID: The proof is of');
    },
    30_000,
  );

  test('concurrent sequencing on several servers adds every entry once', async () => {
    const database = await open();
    const { log, promise } = await given(database);
    const entries = await promise(40);
    const logs = [log, createLog({ database, signer: createSigner(key), publicUrl, timeStamps: UNSTAMPED })];
    const added = await Promise.all(logs.map((each) => each.sequence(new Date())));
    expect(added.reduce((sum, one) => sum + one)).toBe(40);
    expect((await log.entries(0, 100)).map(({ entry }) => entry)).toEqual(entries);
  });

  test('log entries cannot be modified or deleted', async () => {
    const database = await open();
    const { log, promise } = await given(database);
    await promise(2);
    await log.sequence(new Date());
    for (const change of [
      `update log_leaves set entry = 'x'`,
      'delete from log_leaves',
      'truncate log_nodes',
      `update log_nodes set hash = hash`,
    ]) {
      await expect(database.query(change)).rejects.toThrow(/only ever added to/);
    }
  });

  test(
    'tree heads are timestamped when due, and an inclusion proof verifies an entry',
    needs('OpenSSL'),
    async () => {
      const authority = makeAuthority();
      const server = await serveAuthority(answering(authority));
      const timeStamps = createTimeStamps({
        urls: [server.url],
        trust: [authority.root],
        logger: { warn: () => {} },
      });
      const { log, promise, file, jwks } = await given(await open(), timeStamps);
      const begun = Date.now();
      const after = (ms: number) => new Date(begun + ms);
      expect(await log.stamp(after(0))).toBe(false);
      const [entry] = await promise(3);
      await log.sequence(new Date());
      expect(JSON.parse(readFileSync(await file('log_head', {}), 'utf8')).time_stamp).toEqual({
        time: null,
        authority: null,
        status: 'none',
        reason: expect.stringContaining('Not time-stamped yet'),
      });
      expect(await log.stamp(after(0))).toBe(true);
      await promise(2);
      await log.sequence(new Date());
      expect(await log.stamp(after(LOG_STAMP_INTERVAL_MS - 1))).toBe(false);
      expect(await log.stamp(after(LOG_STAMP_INTERVAL_MS))).toBe(true);
      expect(await log.stamp(after(3 * LOG_STAMP_INTERVAL_MS))).toBe(false);
      const head = JSON.parse(readFileSync(await file('log_head', {}), 'utf8'));
      expect(head.time_stamp).toMatchObject({ status: 'trusted', authority: 'Test TSA', tree_size: 5 });
      const proof = await file('log_inclusion', { entry });
      const { time_stamp: stamp } = JSON.parse(readFileSync(proof, 'utf8'));
      expect(stamp).toMatchObject({ status: 'trusted', tree_size: 3 });
      authority.verify(Buffer.from(stamp.token, 'base64'), Buffer.from(stamp.tree_head));
      if (name === 'embedded') expect(script(jwks, proof)).toContain('in the head of 3 entries');
      server.close();
      authority.remove();
    },
  );

  test('a failed time stamp reports its reason and is requested again later', async () => {
    const reason = 'No time stamp could be had.';
    let asked = 0;
    const away: TimeStamps = {
      trust: [],
      isConfigured: true,
      check: () => ({ time: null, authority: null, status: 'invalid' }),
      stamp: async () => {
        asked += 1;
        return { result: { time: null, authority: null, status: 'none', reason } };
      },
    };
    const { log, promise } = await given(await open(), away);
    await promise(1);
    await log.sequence(new Date());
    const begun = Date.now();
    for (const wait of [0, 0.9, 1, 2.9, 3, 6.9, 7]) {
      await log.stamp(new Date(begun + wait * LOG_STAMP_RETRY_MS));
    }
    expect(asked).toBe(4);
    expect((await log.latestStamp()).result).toMatchObject({ status: 'none', reason });
    expect((await log.stampCovering(0)).result).toMatchObject({ status: 'none', reason });
  });

  once(
    'a proof that was tampered with, or of another key, is not valid',
    async () => {
      const { log, promise, file, jwks } = await given(await open());
      const [entry] = await promise(3);
      await log.sequence(new Date());
      const answer = JSON.parse(readFileSync(await file('log_inclusion', { entry }), 'utf8'));
      const { x } = createSigner(generateKeyPairSync('ed25519').privateKey).publicKey;
      const kid = createSigner(key).publicKey.kid;
      const wrong: [unknown, string][] = [
        [{ ...answer, entry: 'receipt:00' }, jwks],
        [{ ...answer, index: 1 }, jwks],
        [{ ...answer, inclusion_path: answer.inclusion_path.slice(1) }, jwks],
        [{ ...answer, inclusion_path: [...answer.inclusion_path, '00'.repeat(32)] }, jwks],
        [{ ...answer, tree_head: answer.tree_head.replace(/.{8}$/, 'AAAAAAAA') }, jwks],
        [answer, written({ keys: [{ kty: 'OKP', crv: 'Ed25519', kid, x }] })],
      ];
      for (const [changed, keys] of wrong) expect(() => script(keys, written(changed))).toThrow('NOT VALID');
    },
    30_000,
  );

  test.each([
    ['log_inclusion', { entry: 'receipt:unknown' }, 'record_not_found'],
    ['log_consistency', { first: 4 }, 'invalid_input'],
    ['log_consistency', { first: 3, second: 2 }, 'invalid_input'],
    ['log_consistency', { first: 1, second: 99 }, 'invalid_input'],
  ])('%s of %j is rejected with %s', async (name, query, code) => {
    const { log, promise, file } = await given(await open());
    await promise(3);
    await log.sequence(new Date());
    await expect(file(name, query)).rejects.toMatchObject({ code });
  });
});
