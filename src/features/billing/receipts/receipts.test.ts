import { createPublicKey, generateKeyPairSync, verify } from 'node:crypto';
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { forEachDatabase } from '../../../../tests/support/for_each_database.ts';
import { receiptKey } from '../../../core/keys/signer.ts';
import { createReceipts, revokeKey } from './receipts.ts';

const publicUrl = 'https://atelier.test';
const CALL = {
  id: 'rcpt_1',
  tool: 't',
  cost: { credit: 1, usd: 0.1 },
  payment: { method: 'credits', transaction_id: 'call_1' },
  answerSha256: 'a'.repeat(64),
};
const newFolder = () => mkdtemp(join(tmpdir(), 'atelier-receipt-key-'));
const ed25519 = () => generateKeyPairSync('ed25519').privateKey;

forEachDatabase((_name, open) => {
  test('after key rotation both keys are published, newest first, and old receipts still verify', async () => {
    const database = await open();
    const [at, later] = [new Date('2026-01-01'), new Date('2026-02-01')];
    const old = await createReceipts({ database, key: ed25519(), publicUrl, clock: () => at });
    const { jws } = old.sign(CALL);
    const now = await createReceipts({ database, key: ed25519(), publicUrl, clock: () => later });
    const { jws: next } = now.sign(CALL);
    const keys = await now.keys();
    expect(keys).toHaveLength(2);
    expect([kidOf(next), kidOf(jws)]).toEqual(keys.map(({ kid }) => kid));
    expect([next, jws].map((receipt, index) => holds(receipt, keys[index]!.x))).toEqual([true, true]);
  });

  test('key use and revocation are published and logged once, and a revoked key cannot sign', async () => {
    const database = await open();
    const key = ed25519();
    const clock = () => new Date('2026-03-01');
    const { kid } = (await (await createReceipts({ database, key, publicUrl })).keys())[0]!;
    expect(await revokeKey({ database, clock }, kid, 'compromised')).toBe(true);
    expect(await revokeKey({ database }, kid, 'superseded')).toBe(false);
    expect(await revokeKey({ database }, 'unknown', 'superseded')).toBe(false);

    const next = await createReceipts({ database, key: ed25519(), publicUrl });
    const revoked = (await next.keys()).filter((known) => known.revoked);
    expect(revoked).toMatchObject([{ kid, revoked: { at: clock(), reason: 'compromised' } }]);
    await expect(createReceipts({ database, key, publicUrl })).rejects.toThrow(
      /revoked on 2026-03-01.*RECEIPT_KEY/,
    );
    const logged = await database.query<{ entry: string }>('select entry from log_pending order by position');
    expect(logged.map(({ entry }) => entry)).toEqual([
      `key:${kid}`,
      `key_revoked:${kid}:compromised`,
      expect.stringMatching(/^key:/),
    ]);
    await expect(database.query('delete from revoked_keys')).rejects.toThrow(/only ever added to/);
  });

  test('a key used by two starts is published once', async () => {
    const database = await open();
    const key = ed25519();
    await createReceipts({ database, key, publicUrl });
    const again = await createReceipts({ database, key, publicUrl });
    expect(await again.keys()).toHaveLength(1);
  });
});

const kidOf = (jws: string): string =>
  JSON.parse(Buffer.from(jws.split('.')[0]!, 'base64url').toString()).kid;

function holds(jws: string, x: string): boolean {
  const [header, claims, signature] = jws.split('.') as [string, string, string];
  const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' });
  return verify(null, Buffer.from(`${header}.${claims}`), key, Buffer.from(signature, 'base64url'));
}

test('the key is created once with owner-only permissions, even by concurrent processes', async () => {
  const folder = await newFolder();
  const keys = await Promise.all(Array.from({ length: 8 }, () => receiptKey(folder)));
  expect(keys.every((key) => key.equals(keys[0]!))).toBe(true);
  expect((await stat(join(folder, 'receipt_key.pem'))).mode & 0o777).toBe(0o600);
  await rm(folder, { recursive: true });
});

test.each([
  ['PEM', (key: ReturnType<typeof ed25519>) => key.export({ format: 'pem', type: 'pkcs8' }).toString()],
  [
    'PEM on one line',
    (key: ReturnType<typeof ed25519>) =>
      key.export({ format: 'pem', type: 'pkcs8' }).toString().replaceAll('\n', '\\n'),
  ],
  [
    'base64',
    (key: ReturnType<typeof ed25519>) => key.export({ format: 'der', type: 'pkcs8' }).toString('base64'),
  ],
])('a configured key is accepted as %s', async (_form, written) => {
  const key = ed25519();
  expect((await receiptKey('/nowhere', written(key))).equals(key)).toBe(true);
});

test.each([
  ['no key at all', 'hello'],
  [
    'a key of another kind',
    generateKeyPairSync('x25519').privateKey.export({ format: 'pem', type: 'pkcs8' }).toString(),
  ],
])('%s is rejected with a fix', async (_what, text) => {
  await expect(receiptKey('/nowhere', text)).rejects.toThrow(
    /RECEIPT_KEY is not an Ed25519.*openssl genpkey/,
  );
});

test.each(['damaged', ''])('a key file that contains only %j is not silently replaced', async (text) => {
  const folder = await newFolder();
  await writeFile(join(folder, 'receipt_key.pem'), text);
  await expect(receiptKey(folder)).rejects.toThrow('receipt_key.pem is not an Ed25519 private key');
  expect(await readFile(join(folder, 'receipt_key.pem'), 'utf8')).toBe(text);
  await rm(folder, { recursive: true });
});
