import { randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { AnyOperation } from '../../src/features/definitions/operation.ts';
import { discoveryOperations } from '../../src/features/discovery/routes/index.ts';
import { operations as ownOperations } from '../../src/features/operations.ts';
import { tools } from '../../src/features/tools.ts';
import { CLOSED_METRICS, NO_ENGINES } from '../support/closed_metrics.ts';
import { forEachApp } from '../support/for_each_app.ts';
import { openTestApp, type TestApp } from '../support/open_test_app.ts';
import { newOwner, type Owner } from '../support/owner.ts';

/**
 * Somebody who knows the address of a locked wallet, its asset keys and the Idempotency-Keys of its owner, at every tool and
 * every endpoint there is: learns nothing of what it keeps or owns, and changes nothing.
 */

const SECRET = 'the words nobody else may read';
const DATA = Buffer.from(SECRET).toString('base64');
const ONCE = { 'Idempotency-Key': 'as the owner sent it' };

const operations: readonly AnyOperation[] = [
  ...ownOperations,
  ...discoveryOperations({
    tools,
    operations: ownOperations,
    site: { publicUrl: 'http://atelier.test' },
    version: '0',
    build: '0',
    health: { check: async () => ({ database: true, storage: true, room: true }) },
    metrics: CLOSED_METRICS,
    engines: NO_ENGINES,
  }),
];

forEachApp((open) => {
  let app: TestApp;
  let owner: Owner;
  let session: Record<string, string>;
  let before: unknown;
  beforeAll(async () => {
    app = await open({
      ALLOW_PRIVATE_FETCH: 'true',
      CAFE_POSTS_PER_DAY: '1000',
      GALLERY_POSTS_PER_DAY: '1000',
    });
    owner = await newOwner(app);
    session = await owner.signIn();
    for (const [key, content_type] of [
      ['secret.png', 'image/png'],
      ['secret.txt', 'text/plain'],
    ]) {
      const body = { wallet: owner.wallet, key, data: DATA, content_type, metadata: { secret: SECRET } };
      await app.post('/api/tools/save_asset', body, session);
    }
    await app.post('/api/wallet/keys', { name: SECRET }, session);
    await app.post('/api/wallet/lock', {}, session);
    // Answers kept for the owner under a key that the stranger knows.
    for (const tool of tools)
      await app.post(`/api/tools/${tool.name}`, bodyFor(tool.examples[0] ?? {}), { ...session, ...ONCE });
    before = await state();
  });
  afterAll(() => app?.close());

  /** What a stranger would like to know: nothing of it may stand in an answer. */
  const telling = [
    SECRET,
    DATA,
    /secret\.txt"/,
    /"(balance|available|balance_after|affordable)":/,
    // Of the ledger; the numbers of a workspace of one's own are no secret.
    /"event":"/,
    /atl_(sess|key)_[A-Za-z0-9_-]{20}/,
  ];
  const ask = async (path: string, body: object) => (await app.post(path, body, session)).body;
  async function state() {
    const { wallet } = owner;
    const { entries } = (await app.get('/api/wallet/statement', session)).body;
    const { assets } = await ask('/api/tools/list_assets', { wallet });
    const { balance, locked } = await ask('/api/tools/check_balance', { wallet });
    const { keys } = (await app.get('/api/wallet/keys', session)).body;
    return {
      entries,
      keys,
      balance,
      locked,
      assets: assets.map(({ url, url_expires_at, ...rest }: Record<string, unknown>) => rest),
    };
  }

  /** A body that names the wallet and its secret wherever a field could. */
  function bodyFor(example: object): Record<string, unknown> {
    const { wallet } = owner;
    const own = { wallet, key: 'secret.png', data: 'asset:secret.png', image: 'asset:secret.png' };
    return { ...example, ...own, content_type: 'image/png', prefix: '', limit: 10 };
  }
  const ways = (): [string, Record<string, string>][] => [
    ['nothing but the address in the body', {}],
    ['the address as bearer', owner.bare],
    ['the address and an Idempotency-Key of the owner', { ...owner.bare, ...ONCE }],
    ['an Idempotency-Key of the owner alone', ONCE],
  ];
  const leaks = (text: string, words: readonly (string | RegExp)[] = telling) =>
    words.filter((word) => new RegExp(word).test(text)).map(String);

  /** The stranger's own account has a key and a balance of its own. */
  const secretOf = (tool: string) => (tool === 'open_account' ? [SECRET, DATA, /secret\.txt"/] : telling);

  describe.each(tools.map(({ name, examples }) => [name, examples[0] ?? {}] as const))(
    '%s',
    (name, example) => {
      test.each([false, true])('reveals nothing to unauthorised clients (dry_run %s)', async (dryRun) => {
        for (const [way, headers] of ways()) {
          for (const image of [
            'asset:secret.png',
            `http://atelier.test/api/gallery/image/${owner.wallet}/secret.png`,
          ]) {
            const body = { ...bodyFor(example), image, data: image, ...(dryRun && { dry_run: true }) };
            const { status, text } = await app.post(`/api/tools/${name}`, body, headers);
            expect({ way, leaks: leaks(text, secretOf(name)), isOurFault: status === 500 }).toEqual({
              way,
              leaks: [],
              isOurFault: false,
            });
          }
        }
      });

      test('reveals nothing to unauthorised clients over MCP', async () => {
        for (const [way, headers] of ways()) {
          const params = { name, arguments: bodyFor(example) };
          const { text } = await app.post(
            '/mcp',
            { jsonrpc: '2.0', id: 1, method: 'tools/call', params },
            headers,
          );
          expect({ way, leaks: leaks(text, secretOf(name)) }).toEqual({ way, leaks: [] });
        }
      });
    },
  );

  test.each(
    operations.flatMap(({ name, path, methods }) => methods.map((method) => [method, path, name] as const)),
  )('%s %s reveals nothing to unauthorised clients', async (method, path) => {
    const { wallet } = owner;
    const named = path
      .replace('{wallet}', wallet)
      .replace('{slug}', 'secret.png')
      .replace('{code}', 'wallet_locked')
      .replace(/\{\w+\}/g, 'x');
    const fields = {
      wallet,
      key: 'secret.png',
      name: 'Stranger',
      title: 't',
      message: 'hello',
      url: 'https://x.org/',
    };
    for (const [way, headers] of ways()) {
      const query = method === 'POST' ? '' : `?${new URLSearchParams(fields)}`;
      const request = new Request(`http://atelier.test${named}${query}`, {
        method,
        headers: { 'Content-Type': 'application/json', ...headers },
        ...(method === 'POST' && { body: JSON.stringify(fields) }),
      });
      const response = await app.fetch(request);
      const text = await response.text();
      // Documents describe the members and tokens there are; what is secret is never among them.
      const isDocument = operations.some(
        (operation) => operation.path === path && operation.tag === 'discovery',
      );
      const found = leaks(text, isDocument ? [SECRET, DATA] : telling);
      expect({ way, found, isOurFault: response.status === 500 }).toEqual({
        way,
        found: [],
        isOurFault: false,
      });
    }
  });

  test('the requests above change nothing', async () => {
    expect(await state()).toEqual(before);
  });

  test('results and uploads of the owner have unguessable names', async () => {
    const guesses = ['0', '1', owner.wallet, 'res_00000000000000000000000000000000', '../blobs', '%2e%2e'];
    for (const guess of guesses) {
      const exp = Math.floor(Date.now() / 1000) + 60;
      expect((await app.get(`/api/results/${guess}?exp=${exp}&sig=AAAA`)).status).toBe(404);
      const used = await app.post('/api/tools/extract_palette', { image: `upload:${guess}` }, owner.bare);
      expect(used.status).toBe(404);
    }
  });
});

describe('registration', () => {
  let app: TestApp;
  afterAll(() => app?.close());

  const freshWallet = () => `0x${randomBytes(20).toString('hex')}`;
  /** Registers a wallet nobody had, as a caller at this address. */
  async function from(remoteAddress: string, path: string): Promise<number> {
    const wallet = freshWallet();
    const params = { name: 'register_wallet', arguments: { wallet } };
    const body = path === '/mcp' ? { jsonrpc: '2.0', id: 1, method: 'tools/call', params } : { wallet };
    const text = JSON.stringify(body);
    const headers = { 'Content-Type': 'application/json' };
    const request = new Request(`http://atelier.test${path}`, { method: 'POST', headers, body: text });
    const incoming = Object.assign(Readable.from([Buffer.from(text)]), {
      socket: { remoteAddress },
      url: path,
    });
    const response = await app.fetch(request, { incoming } as never);
    const reply = (await response.json()) as { result?: { structuredContent: { status?: number } } };
    return reply.result ? (reply.result.structuredContent.status ?? 200) : response.status;
  }

  test('is limited per address across all endpoints, with an IPv6 network as one client', async () => {
    app = await openTestApp({ REGISTRATIONS_PER_HOUR: '3' });
    expect(await from('2001:db8:1:2::1', '/api/wallet/register')).toBe(200);
    expect(await from('2001:db8:1:2::2', '/api/tools/register_wallet')).toBe(200);
    expect(await from('2001:db8:1:2:ffff::3', '/mcp')).toBe(200);
    for (const path of ['/api/wallet/register', '/api/tools/register_wallet', '/mcp']) {
      expect(await from('2001:db8:1:2:aaaa:bbbb:cccc:dddd', path)).toBe(429);
    }
    expect(await from('2001:db8:1:3::1', '/api/wallet/register')).toBe(200);
    expect(await from('203.0.113.5', '/api/wallet/register')).toBe(200);
  });
});
