import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { cliInAFolder, WALLET } from '../../../../tests/support/cli_in_a_folder.ts';
import { openTestApp, type TestApp } from '../../../../tests/support/open_test_app.ts';
import { readConfig } from '../../../config/config.ts';
import { openOperator } from '../../../features/operator/service.ts';

const cli = cliInAFolder();
const SIGNED = join(import.meta.dirname, '../../../../tests/fixtures/c2pa/signed.jpg');
const folder = mkdtempSync(join(tmpdir(), 'atelier-admin-'));
let app: TestApp;
beforeAll(async () => {
  app = await openTestApp({ DATA_DIR: folder, DATABASE_URL: '' });
});
afterAll(async () => {
  await app?.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Runs beside the service, in its folder. */
async function admin(...words: string[]) {
  const world = { openOperator: () => openOperator(readConfig({ DATA_DIR: folder })) };
  const { code, stdout, stderr } = await cli.run(['admin', ...words], { world });
  return { code, out: stdout.toString(), err: stderr };
}

test('hide hides a post while the server runs and records the reason', async () => {
  const { body } = await app.post('/api/cafe/post', { name: 'Eve', message: 'Buy now' });
  expect((await admin('hide', body.post.id, 'is', 'spam')).code).toBe(0);
  expect((await app.get('/api/cafe/feed')).body.posts).toEqual([]);
  expect((await admin('log')).out).toMatch(new RegExp(`hide +${body.post.id} +is spam`));
});

test('fetch queues a museum download while the server runs, and end stops it', async () => {
  expect((await admin('fetch', 'cleveland', 'an', 'exhibition')).out).toContain('end fetch_cleveland');
  expect((await admin('fetches')).out).toMatch(/cleveland +waiting/);
  expect((await admin('fetch', 'luvre', 'x')).err).toContain('Available: ');
  expect((await admin('end', 'fetch_cleveland', 'too', 'much')).code).toBe(0);
  expect((await admin('fetches')).out).toMatch(/cleveland +stopped/);
});

test('end ends a webhook once', async () => {
  const { body } = await app.post('/api/webhooks/register', { url: 'https://example.org/hook' });
  expect(await admin('end', body.id, 'abuse')).toMatchObject({ code: 0, out: `${body.id} has ended.\n` });
  expect((await admin('end', body.id, 'abuse')).code).toBe(1);
});

test('revoke revokes a signing key while the server runs, and the server publishes it', async () => {
  const [{ kid }] = (await app.get('/.well-known/jwks.json')).body.keys;
  const { code, out } = await admin('revoke', '--because', 'compromised', '--', kid, 'a', 'stolen', 'disk');
  expect([code, out]).toEqual([0, expect.stringContaining('set RECEIPT_KEY')]);
  expect((await app.get('/.well-known/jwks.json')).body.keys).toMatchObject([
    { kid, revoked: { reason: 'compromised' } },
  ]);
  expect((await admin('revoke', '--', kid, 'again')).code).toBe(1);
  expect((await admin('log')).out).toContain('compromised: a stolen disk');
});

test('grant, refund, block and show change and display a wallet', async () => {
  const wallet = `0x${'b7'.repeat(20)}`;
  await app.post('/api/wallet/register', { wallet });
  const granted = await admin('grant', '--reference', 'fair', wallet, '2.5', 'won', 'at', 'the', 'fair');
  expect(granted).toMatchObject({ code: 0, out: `${wallet} received 2.5 credits.\n` });
  expect((await admin('grant', '--reference', 'fair', wallet, '2.5', 'again')).out).toContain('already made');
  expect((await admin('block', wallet, 'a', 'stolen', 'card')).code).toBe(0);
  const shown = (await admin('show', wallet)).out;
  expect(shown).toMatch(/balance +12\.5/);
  expect(shown).toMatch(/blocked why +a stolen card/);
  const body = { wallet, key: 'a', data: 'aGVsbG8=' };
  const { body: refused } = await app.post('/api/tools/save_asset', body, {
    Authorization: `Bearer ${wallet}`,
  });
  expect(refused).toMatchObject({ status: 403, code: 'wallet_blocked' });
});

test('a token created by the CLI authorises the same admin actions over HTTP', async () => {
  const { out } = await admin('token', '--scopes', 'read,moderate', '--days', '1', 'ada', 'on', 'call');
  const [token = ''] = /atl_op_\S+/.exec(out) ?? [];
  const headers = { Authorization: `Bearer ${token}` };
  expect((await app.get('/api/operator/log?limit=1', headers)).body.acts).toMatchObject([
    { who: 'command line', act: 'token', why: 'ada may read, moderate: on call' },
  ]);
});

test('a stored manifest is taken down by the SHA-256 of its manifest store', async () => {
  const wallet = `0x${'a7'.repeat(20)}`;
  await app.post('/api/wallet/register', { wallet });
  const image = readFileSync(SIGNED).toString('base64');
  const body = { image, keep_manifest: true };
  const made = await app.post('/api/tools/register_hash', body, { Authorization: `Bearer ${wallet}` });
  const { manifest_id: id, sha256 } = made.body.kept_manifest;
  const path = `/api/c2pa/manifests/${encodeURIComponent(id)}`;
  expect((await app.fetch(new Request(`http://atelier.test${path}`))).status).toBe(200);
  expect((await admin('end', `manifest_${sha256}`, 'abuse')).code).toBe(0);
  expect((await app.get(path)).status).toBe(404);
  expect((await admin('end', `manifest_${sha256}`, 'abuse')).code).toBe(1);
});

test.each([
  [['revoke', '--because', 'stolen', 'kid', 'x'], 'because must be'],
  [['grant', WALLET, '0', 'x'], 'credits must be'],
  [['grant', WALLET, 'many', 'x'], 'credits must be'],
  [['show', 'me'], '0x followed by 40 hex digits'],
  [['token', 'ada', '--scopes', 'all', 'x'], 'scopes'],
  [['unblock', WALLET, 'x'], 'not blocked'],
  [['revoke', 'kid', 'x'], 'No active key has that id'],
  [['hide', '2026-01-01-00000000', 'x'], 'No board has'],
  [['end', 'job_00000000000000000000000000000000', 'x'], 'Nothing active has that id'],
  [['end', 'key_none', 'x'], 'Nothing active has that id'],
  [['hide', '2026-01-01-00000000'], 'reason'],
])('%j is rejected with a fix', async (words, said) => {
  const { code, err } = await admin(...words);
  expect(code).not.toBe(0);
  expect(err).toContain(said);
});
