import { randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { EXAMPLE_PNG_B64 } from '../src/features/definitions/example_image.ts';
import { forEachApp } from './support/for_each_app.ts';
import type { TestApp, TestReply } from './support/open_test_app.ts';
import { bearer, newOwner, type Owner } from './support/owner.ts';
import { type Signing, signRequest } from './support/sign_request.ts';

/** Requests signed by a wallet (RFC 9421, RFC 9530, ERC-8128), from the outside, on both databases. */

forEachApp((open) => {
  let app: TestApp;
  beforeAll(async () => {
    app = await open();
  });
  afterAll(() => app?.close());

  type Wrong = Partial<Signing> & { headers?: Record<string, string>; sent?: string };

  const signerOf = ({ wallet, account }: Owner) => ({
    wallet,
    sign: (message: Uint8Array) => account.signMessage({ message: { raw: message } }),
  });

  /** POST of JSON, signed; what `wrong` names is done otherwise. */
  async function signed(owner: Owner, path: string, body: object, wrong: Wrong = {}): Promise<TestReply> {
    const text = JSON.stringify(body);
    const headers = await signRequest({ path, body: text, ...signerOf(owner), ...wrong });
    return app.post(path, wrong.sent ?? text, { ...headers, ...wrong.headers });
  }
  async function signedGet(owner: Owner, path: string, wrong: Wrong = {}): Promise<TestReply> {
    const headers = await signRequest({ method: 'GET', path, ...signerOf(owner), ...wrong });
    return app.get(path, { ...headers, ...wrong.headers });
  }
  const save = (owner: Owner, wrong: Wrong = {}, key = 'k') =>
    signed(owner, '/api/tools/save_asset', { wallet: owner.wallet, key, data: EXAMPLE_PNG_B64 }, wrong);
  async function lockedOwner(): Promise<Owner> {
    const owner = await newOwner(app);
    expect((await signed(owner, '/api/wallet/lock', {})).body).toMatchObject({ locked: true });
    return owner;
  }
  const spent = async (owner: Owner) =>
    (await signed(owner, '/api/tools/check_balance', { wallet: owner.wallet })).body.totals.spent;

  describe('the owner of a locked wallet, without any session', () => {
    test('locks, spends, lists, reads the statement, makes a key and unlocks', async () => {
      const owner = await lockedOwner();
      const replies = [
        await save(owner),
        await signed(owner, '/api/tools/list_assets', { wallet: owner.wallet }),
        await signedGet(owner, '/api/wallet/statement'),
        await signedGet(owner, `/api/wallet/statement?wallet=${owner.wallet}&format=json`),
        await signed(owner, '/api/wallet/keys', { name: 'agent' }),
        await signedGet(owner, '/api/wallet/keys'),
        await signed(owner, '/api/wallet/unlock', {}),
      ];
      expect(replies.map(({ status }) => status)).toEqual(replies.map(() => 200));
    });

    test('uses a handle of the wallet', async () => {
      const owner = await lockedOwner();
      await save(owner, {}, 'mine.png');
      const { status } = await signed(owner, '/api/tools/extract_palette', { image: 'asset:mine.png' });
      expect(status).toBe(200);
    });

    test('deletes a key with a signed DELETE', async () => {
      const owner = await lockedOwner();
      const { id } = (await signed(owner, '/api/wallet/keys', { name: 'agent' })).body.key;
      const path = `/api/wallet/keys/${id}`;
      const headers = await signRequest({ method: 'DELETE', path, ...signerOf(owner) });
      const reply = await app.fetch(new Request(`http://atelier.test${path}`, { method: 'DELETE', headers }));
      expect(((await reply.json()) as TestReply['body']).key.state).toBe('revoked');
    });

    test('uploads bytes that are no JSON', async () => {
      const owner = await lockedOwner();
      const path = '/api/uploads';
      const headers = await signRequest({ path, body: 'plain bytes', ...signerOf(owner) });
      const { status } = await app.post(path, 'plain bytes', { ...headers, 'Content-Type': 'text/plain' });
      expect(status).toBe(200);
    });

    test('calls a tool over MCP', async () => {
      const owner = await lockedOwner();
      const args = { wallet: owner.wallet, key: 'k', data: EXAMPLE_PNG_B64 };
      const message = {
        jsonrpc: '2.0',
        id: 1,
        method: 'tools/call',
        params: { name: 'save_asset', arguments: args },
      };
      const { result } = (await signed(owner, '/mcp', message)).body;
      expect(result.structuredContent).toMatchObject({ key: 'k', cost: { credit: 1 } });
      const altered = (await signed(owner, '/mcp', message, { sent: JSON.stringify({ ...message, id: 2 }) }))
        .body;
      expect(altered.result.structuredContent).toMatchObject({ code: 'invalid_signature', status: 401 });
    });

    test('sends an image of ten million bytes, which is read once', async () => {
      const owner = await lockedOwner();
      const data = randomBytes(7_500_000).toString('base64');
      const body = { wallet: owner.wallet, key: 'large', data, content_type: 'application/octet-stream' };
      expect((await signed(owner, '/api/tools/save_asset', body)).body).toMatchObject({
        size_bytes: 7_500_000,
      });
    });

    test('is read from the very stream and request line that came in', async () => {
      const owner = await lockedOwner();
      const path = '/api/wallet/statement?format=%6Ason&limit=1';
      const headers = await signRequest({ method: 'GET', path, ...signerOf(owner) });
      const incoming = Object.assign(Readable.from([]), {
        socket: { remoteAddress: '127.0.0.1' },
        url: path,
      });
      const request = new Request(`http://inner.host:8080${path}`, { headers });
      expect((await app.fetch(request, { incoming } as never)).status).toBe(200);
    });

    test('may write the key id as clients did until August 2026, and in any case', async () => {
      const owner = await lockedOwner();
      const [old, mixed] = [`erc8128:1:${owner.wallet}`, `eip155:8453:${owner.account.address}`];
      expect((await save(owner, { keyid: old, tag: '' })).status).toBe(200);
      expect((await save(owner, { keyid: mixed })).status).toBe(200);
    });

    test('gets the same bytes for the same Idempotency-Key with a new signature', async () => {
      const owner = await lockedOwner();
      const headers = { 'Idempotency-Key': 'once' };
      const [first, second] = [await save(owner, { headers }), await save(owner, { headers })];
      expect(second.text).toBe(first.text);
      expect(await spent(owner)).toBe(1);
    });

    test('may send the address as bearer beside the signature', async () => {
      const owner = await lockedOwner();
      expect((await save(owner, { headers: owner.bare })).status).toBe(200);
    });
  });

  describe('a rejected signature has no effect', () => {
    const now = () => Math.floor(Date.now() / 1000);
    const other = 'f'.repeat(40);
    const wrongs: [string, (owner: Owner) => Wrong, string][] = [
      ['for another service', () => ({ authority: 'elsewhere.test' }), 'is not one of'],
      ['for this service at another port', () => ({ authority: 'atelier.test:8080' }), 'is not one of'],
      ['for another path', () => ({ path: '/api/tools/list_assets' }), 'is not one of'],
      ['for another method', () => ({ method: 'PUT' }), 'is not one of'],
      ['for another body', () => ({ sent: '{}' }), 'does not match the body'],
      [
        'for the same body with a space behind',
        (o) => ({ sent: `${bodyOf(o)} ` }),
        'does not match the body',
      ],
      ['over a digest of another body', () => ({ digestOf: 'x' }), 'does not match the body'],
      ['with a key id of another address', () => ({ keyid: `eip155:1:0x${other}` }), 'is not one of'],
      ['with a key id of no chain', (o) => ({ keyid: `eip155:0:${o.wallet}` }), 'keyid'],
      ['with a tag of another kind', () => ({ tag: 'web-bot-auth' }), 'tag'],
      ['that has expired', () => ({ created: now() - 120, expires: now() - 1 }), 'expired'],
      ['of the future', () => ({ created: now() + 120 }), 'not valid yet'],
      ['that counts for an hour', () => ({ expires: now() + 3600 }), 'at most 300 seconds'],
      ['that ends before it begins', () => ({ expires: now() - 5, created: now() }), 'after created'],
      ['with a short nonce', () => ({ nonce: 'abc' }), 'nonce'],
      ['with a long nonce', () => ({ nonce: 'a'.repeat(129) }), 'nonce'],
      [
        'that leaves the body out',
        () => ({ covered: ['@method', '@authority', '@path'] }),
        '"content-digest"',
      ],
      [
        'that leaves the path out',
        () => ({ covered: ['@method', '@authority', 'content-digest'] }),
        '"@path"',
      ],
      [
        'that leaves the method out',
        () => ({ covered: ['@authority', '@path', 'content-digest'] }),
        '"@method"',
      ],
      [
        'that leaves the service out',
        () => ({ covered: ['@method', '@path', 'content-digest'] }),
        '"@authority"',
      ],
      ['that covers nothing', () => ({ covered: [] }), 'must also cover'],
      ['without its bytes', () => ({ headers: { Signature: 'other=:AAAA:' } }), 'no bytes'],
      ['in no known form', () => ({ headers: { Signature: 'wallet' } }), 'no bytes'],
      [
        'of sixty-four bytes',
        () => ({ headers: { Signature: `wallet=:${'A'.repeat(86)}==:` } }),
        'is not one of',
      ],
      ['of zeros', () => ({ headers: { Signature: `wallet=:${'A'.repeat(88)}:` } }), 'is not one of'],
    ];
    const bodyOf = (owner: Owner) =>
      JSON.stringify({ wallet: owner.wallet, key: 'k', data: EXAMPLE_PNG_B64 });

    test.each(wrongs)('%s', async (_what, wrong, reason) => {
      const owner = await lockedOwner();
      const { status, body } = await save(owner, wrong(owner));
      expect({ status, code: body.code }).toEqual({ status: 401, code: 'invalid_signature' });
      expect(body.detail).toContain(reason);
      expect(await spent(owner)).toBe(0);
    });

    test('that was sent before', async () => {
      const owner = await lockedOwner();
      const nonce = 'the very same nonce';
      expect((await save(owner, { nonce })).status).toBe(200);
      expect((await save(owner, { nonce })).body.detail).toContain('already used');
      expect(await spent(owner)).toBe(1);
    });

    test('of 12 simultaneous requests with one nonce, one is accepted', async () => {
      const owner = await lockedOwner();
      const nonce = 'the very same nonce';
      const replies = await Promise.all(
        Array.from({ length: 12 }, (_, at) => save(owner, { nonce }, `k${at}`)),
      );
      expect(replies.filter(({ status }) => status === 200)).toHaveLength(1);
      expect(await spent(owner)).toBe(1);
    });

    test('with s in its upper half, which is the same proof a second time', async () => {
      const owner = await lockedOwner();
      const { sign } = signerOf(owner);
      const twin = async (message: Uint8Array) => {
        const [, r, s, v] = /^0x(.{64})(.{64})(..)$/.exec(await sign(message))!;
        const high = (ORDER - BigInt(`0x${s}`)).toString(16).padStart(64, '0');
        return `0x${r}${high}${v === '1b' ? '1c' : '1b'}`;
      };
      expect((await save(owner, { sign: twin })).body.code).toBe('invalid_signature');
    });

    test.each(['02', '1d', '25', 'ff'])('with %s for v', async (v) => {
      const owner = await lockedOwner();
      const { sign } = signerOf(owner);
      const odd = async (message: Uint8Array) => `${(await sign(message)).slice(0, -2)}${v}`;
      expect((await save(owner, { sign: odd })).body.code).toBe('invalid_signature');
    });

    test('with a query that was added', async () => {
      const owner = await lockedOwner();
      const headers = await signRequest({ method: 'GET', path: '/api/wallet/statement', ...signerOf(owner) });
      const { status, body } = await app.get('/api/wallet/statement?limit=1', headers);
      expect([status, body.detail]).toEqual([401, expect.stringContaining('"@query"')]);
    });

    test('by two wallets', async () => {
      const [one, two] = [await lockedOwner(), await newOwner(app)];
      const second = await signRequest({
        path: '/api/tools/save_asset',
        body: bodyOf(one),
        ...signerOf(two),
      });
      const first = await signRequest({ path: '/api/tools/save_asset', body: bodyOf(one), ...signerOf(one) });
      const both = (name: string) => `${first[name]}, ${second[name]?.replace('wallet=', 'other=')}`;
      const headers = { 'Signature-Input': both('Signature-Input'), Signature: both('Signature') };
      expect((await save(one, { headers })).body.detail).toContain('two signatures');
    });

    test('with the address of another wallet as bearer', async () => {
      const [one, two] = [await lockedOwner(), await newOwner(app)];
      const { status, body } = await save(one, { headers: two.bare });
      expect([status, body.code]).toEqual([403, 'wallet_mismatch']);
    });

    test('is rejected with the text to sign, and logged without it', async () => {
      const owner = await lockedOwner();
      const { body, headers } = await save(owner, { authority: 'elsewhere.test' });
      expect(body.signature_base).toContain('"@authority": atelier.test\n');
      expect(headers.get('accept-signature')).toContain('tag="erc8128"');
      const { events } = (await signedGet(owner, '/api/wallet/keys')).body;
      expect(events).toContainEqual(
        expect.objectContaining({ event: 'refused_signature', about: 'signed request' }),
      );
    });
  });

  describe('requests outside the scope of signatures', () => {
    test('a signature of one wallet opens nothing of another', async () => {
      const [one, two] = [await lockedOwner(), await newOwner(app)];
      const { body } = await signed(two, '/api/tools/list_assets', { wallet: one.wallet });
      expect(body.code).toBe('wallet_locked');
    });

    test('a key that comes along keeps its bounds', async () => {
      const owner = await newOwner(app);
      const { header } = await owner.makeKey({ scopes: ['assets:read'] });
      expect((await save(owner, { headers: header })).body.code).toBe('scope_denied');
    });

    test('signatures of others, such as proxies and bots, are none of our business', async () => {
      const foreign = {
        'Signature-Input': 'sig=("@authority");created=1;keyid="test-key-ed25519";tag="web-bot-auth"',
        Signature: 'sig=:AAAA:',
      };
      const broken = { 'Signature-Input': '((((', Signature: 'x' };
      const owner = await newOwner(app);
      for (const headers of [foreign, broken]) {
        expect((await app.post('/api/tools/search_tools', {}, headers)).status).toBe(200);
        const body = { wallet: owner.wallet, key: 'k', data: 'YQ==' };
        expect((await app.post('/api/tools/save_asset', body, { ...owner.bare, ...headers })).status).toBe(
          200,
        );
      }
    });

    test('an unknown token is rejected only for paid calls', async () => {
      const unknown = bearer('some-other-service');
      expect((await app.post('/api/tools/search_tools', {}, unknown)).status).toBe(200);
      expect((await app.get('/api/wallet/keys', unknown)).body.code).toBe('proof_required');
      expect((await app.post('/api/tools/save_asset', {}, unknown)).body.code).toBe('invalid_token');
    });
  });

  test('signed requests are counted by address, whatever comes of them', async () => {
    const limited = await open({ SIGNED_REQUESTS_PER_MINUTE: '3' });
    try {
      const owner = await newOwner(limited);
      const attempt = async () => {
        const headers = await signRequest({
          path: '/api/tools/search_tools',
          body: '{}',
          ...signerOf(owner),
          tag: 'x',
        });
        return (await limited.post('/api/tools/search_tools', '{}', headers)).status;
      };
      expect([await attempt(), await attempt(), await attempt(), await attempt()]).toEqual([
        401, 401, 401, 429,
      ]);
      expect((await limited.post('/api/tools/search_tools', {})).status).toBe(200);
    } finally {
      await limited.close();
    }
  });
});

/** Of secp256k1 (SEC 2, 2.4.1). */
const ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;
