import { execFile } from 'node:child_process';
import { createHash, generateKeyPairSync, X509Certificate } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { verifyMessage } from 'viem';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createSigner } from '../src/core/keys/signer.ts';
import { forEachApp } from './support/for_each_app.ts';
import { developmentCertificate } from './support/open_manifests.ts';
import { openTestApp, type TestApp, type TestReply } from './support/open_test_app.ts';
import { needs } from './support/test_requirements.ts';

/** Who vouches for the key of a server, from the outside, and checked by the script we give to others. */

const SCRIPT = resolve(import.meta.dirname, '../docs/verify-identity.mjs');
const PATH = '/.well-known/atelier-identity.json';
const { privateKey } = generateKeyPairSync('ed25519');
const { kid } = createSigner(privateKey).publicKey;
const account = privateKeyToAccount(generatePrivateKey());
const message = `I vouch that the key ${kid} signs for http://atelier.test.`;
const line = `atelier-key=${kid} url=http://atelier.test`;
const RECEIPT_KEY = privateKey.export({ format: 'der', type: 'pkcs8' }).toString('base64');

forEachApp((open) => {
  const folder = mkdtempSync(join(tmpdir(), 'atelier-identity-'));
  let app: TestApp;
  let reply: TestReply;
  let jwks: TestReply;
  beforeAll(async () => {
    app = await open({
      RECEIPT_KEY,
      VOUCHING_DOMAINS: 'example.org, studio.example.net',
      VOUCHING_WALLET: account.address,
      VOUCHING_SIGNATURE: await account.signMessage({ message }),
    });
    reply = await app.get(PATH);
    jwks = await app.get('/.well-known/jwks.json');
  });
  afterAll(async () => {
    await app?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  /** Runs the script where DNS and one address answer what is given here. */
  async function check({
    txt = {},
    pages = {},
    identity = reply.body,
    keys = jwks.body,
    words = [] as string[],
  }) {
    const preload = `import dns from 'node:dns/promises'; import { syncBuiltinESMExports } from 'node:module';
      const [txt, pages] = ${JSON.stringify([txt, pages])};
      dns.resolveTxt = async (name) => { if (!txt[name]) throw new Error('none'); return [['v=spf1'], [txt[name].slice(0, 9), txt[name].slice(9)]]; };
      syncBuiltinESMExports();
      globalThis.fetch = async (url) => new Response(pages[url] ?? '', { status: pages[url] ? 200 : 404 });`;
    const files = [
      ['preload.mjs', preload],
      ['jwks.json', JSON.stringify(keys)],
      ['identity.json', JSON.stringify(identity)],
    ];
    for (const [name, text] of files) writeFileSync(join(folder, name!), text!);
    const [first, ...rest] = files.map(([name]) => join(folder, name!));
    return promisify(execFile)(process.execPath, ['--import', first!, SCRIPT, ...rest, ...words]).then(
      ({ stdout }) => stdout,
      ({ stderr }) => stderr as string,
    );
  }
  const DNS = { txt: { '_atelier-key.example.org': line } };

  test('names its key, its vouchers and their locations, without claiming that statements are true', async () => {
    expect(reply.body).toMatchObject({
      issuer: 'http://atelier.test',
      kid,
      c2pa_certificate_sha256: null,
      vouchers: [
        {
          kind: 'domain',
          name: 'example.org',
          dns_name: '_atelier-key.example.org',
          line,
          url: 'https://example.org/.well-known/atelier-keys.txt',
        },
        { name: 'studio.example.net' },
        { kind: 'wallet', name: account.address.toLowerCase(), message },
      ],
      to_vouch: { line, message },
      keys: [{ kid, log_entry: `key:${kid}`, revoked_at: null, revocation: null }],
    });
    expect(reply.body.says).toMatch(
      /^A signature shows that the holder of this key .*Neither proves that the content is true\.$/,
    );
    const { signature } = reply.body.vouchers[2];
    expect(await verifyMessage({ address: account.address, message, signature })).toBe(true);
  });

  test('a script queries DNS or the domain and reports the vouchers', async () => {
    expect(await check(DNS)).toContain(
      `The key ${kid} signs for http://atelier.test, says example.org (TXT record).`,
    );
    const url = 'https://studio.example.net/.well-known/atelier-keys.txt';
    const pages = { [url]: `# keys\natelier-key=old url=http://atelier.test\n${line}\n` };
    expect(await check({ pages, words: ['studio.example.net'] })).toContain(
      `says studio.example.net (${url}).`,
    );
  });

  test.each([
    ['it is not published', {}, 'Nobody vouches'],
    [
      'a domain vouches for another key',
      { txt: { '_atelier-key.example.org': line.replace(kid, 'x') } },
      'Nobody vouches',
    ],
    [
      'a domain vouches for another server',
      { txt: { '_atelier-key.example.org': `${line}.evil` } },
      'Nobody vouches',
    ],
    ['another domain is wanted', { ...DNS, words: ['example.com'] }, 'does not name example.com'],
  ])('a key is not vouched for where %s', async (_what, given, words) => {
    expect(await check(given)).toMatch(new RegExp(`NOT VOUCHED FOR: .*${words}`));
  });

  test('a revoked key, a renamed key and a changed statement do not verify', async () => {
    const [key] = jwks.body.keys;
    const revoked = { keys: [{ ...key, revoked: { revoked_at: 1, reason: 'compromised' } }] };
    const { x } = createSigner(generateKeyPairSync('ed25519').privateKey).publicKey;
    const jws = reply.body.jws.replace(/.{8}$/, 'AAAAAAAA');
    expect(await check({ ...DNS, keys: revoked })).toContain('was revoked (compromised)');
    expect(await check({ ...DNS, keys: { keys: [{ ...key, x }] } })).toContain('does not have the name');
    expect(await check({ ...DNS, identity: { ...reply.body, jws } })).toContain('signature does not fit');
  });
});

test('the key vouches for the certificate of C2PA manifests', needs('OpenSSL'), async () => {
  const [certificate, key] = developmentCertificate();
  const app = await openTestApp({ C2PA_CERTIFICATE: certificate, C2PA_KEY: key });
  const { body } = await app.get(PATH);
  const sha256 = createHash('sha256').update(new X509Certificate(certificate).raw).digest('hex');
  const claims = JSON.parse(Buffer.from(body.jws.split('.')[1], 'base64url').toString());
  expect([body.c2pa_certificate_sha256, claims.c2pa_certificate_sha256]).toEqual([sha256, sha256]);
  await app.close();
});

describe('a voucher that does not fit keeps a server from starting', () => {
  test.each([
    ['half of one', { VOUCHING_WALLET: account.address }, 'or neither'],
    [
      'of another wallet',
      { VOUCHING_WALLET: `0x${'1'.repeat(40)}`, VOUCHING_SIGNATURE: `0x${'1'.repeat(130)}` },
      'I vouch that the key',
    ],
    ['of what is no domain', { VOUCHING_DOMAINS: 'https://example.org' }, 'VOUCHING_DOMAINS'],
  ])('%s', async (_what, settings, words) => {
    await expect(openTestApp(settings as Record<string, string>)).rejects.toThrow(words);
  });
});
