import {
  type CompleteSIWxInfo,
  createSIWxPayload,
  encodeSIWxHeader,
  type SIWxPayload,
  validateSIWxMessage,
  verifySIWxSignature,
} from '@x402/extensions/sign-in-with-x';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { beforeAll, expect, test } from 'vitest';
import { forEachDatabase } from '../../../../tests/support/for_each_database.ts';
import type { Database } from '../../../core/database/types.ts';
import { createOwnership } from './ownership.ts';
import { createSignIns } from './sign_in_with_x.ts';

/** Signed and judged by the package of the protocol. */

const PUBLIC_URL = 'https://atelier.test';
const RESOURCE = `${PUBLIC_URL}/api/tools/save_asset`;
const TARGET = { tool: 'save_asset', resource: RESOURCE };
const CHAIN = { chainId: 'eip155:8453', type: 'eip191' } as const;
const SECRET = 's'.repeat(32);
const MINUTE_MS = 60_000;
const REFUSED = { code: 'sign_in_refused', status: 402 };

forEachDatabase((_name, open) => {
  let database: Database;
  beforeAll(async () => {
    database = await open();
  });

  function given(publicUrl = PUBLIC_URL) {
    const time = { now: Date.now() };
    const clock = () => new Date(time.now);
    const account = privateKeyToAccount(generatePrivateKey());
    const ownership = createOwnership({ database, publicUrl, clock });
    const server = (secret = SECRET) =>
      createSignIns({
        database,
        publicUrl,
        secret,
        clock,
        networks: [CHAIN.chainId, 'eip155:84532'],
        record: ownership.record,
      });
    const signIns = server();
    const infoOf = (target = TARGET) =>
      ({
        ...(signIns.challenge(target)['sign-in-with-x'] as { info: object }).info,
        ...CHAIN,
      }) as CompleteSIWxInfo;
    const signed = (change: Partial<CompleteSIWxInfo> = {}, by = account): Promise<SIWxPayload> => {
      const info = { ...infoOf(), ...change };
      return createSIWxPayload(info, by, URL.canParse(info.uri) ? info.uri : RESOURCE);
    };
    const wallet = account.address.toLowerCase();
    return { time, account, wallet, ownership, server, signIns, infoOf, signed };
  }
  const sent = (payload: object) => encodeSIWxHeader(payload as SIWxPayload);

  test('a challenge signed by the x402 package proves its wallet', async () => {
    const { signIns, signed, wallet } = given();
    expect(await signIns.proofOf(sent(await signed()), TARGET)).toEqual({ wallet, by: 'session' });
  });

  test('the x402 package accepts the proof as well', async () => {
    const { signed, account } = given();
    const payload = await signed();
    expect(await validateSIWxMessage(payload, new URL(PUBLIC_URL))).toEqual({ isValid: true });
    expect(await verifySIWxSignature(payload)).toEqual({ isValid: true, payer: account.address });
  });

  test('a challenge is accepted once, also across servers sharing the database', async () => {
    const { signIns, signed, server } = given();
    const header = sent(await signed());
    await signIns.proofOf(header, TARGET);
    const again = { ...REFUSED, details: { members: { reason: 'invalid_siwx_nonce' } } };
    await expect(signIns.proofOf(header, TARGET)).rejects.toMatchObject(again);
    await expect(server().proofOf(header, TARGET)).rejects.toMatchObject(again);
  });

  test('of twenty concurrent requests with the same proof, one succeeds', async () => {
    const { server, signed } = given();
    const header = sent(await signed());
    const all = await Promise.allSettled(Array.from({ length: 20 }, () => server().proofOf(header, TARGET)));
    expect(all.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  });

  type Given = ReturnType<typeof given>;
  const other = () => privateKeyToAccount(generatePrivateKey());
  const forged: [what: string, make: (owner: Given) => Promise<object>, reason: string, says: RegExp][] = [
    [
      'another domain',
      async ({ signed }) => ({ ...(await signed()), domain: 'evil.test' }),
      'domain_mismatch',
      /this server is atelier\.test/,
    ],
    [
      'another domain, and signed so',
      ({ signed }) => signed({ domain: 'evil.test', uri: 'https://evil.test/api/tools/save_asset' }),
      'domain_mismatch',
      /this server is atelier\.test/,
    ],
    [
      'another tool',
      ({ signed, infoOf }) =>
        signed(infoOf({ tool: 'print_ready', resource: `${PUBLIC_URL}/api/tools/print_ready` })),
      'uri_mismatch',
      /this call is to .*save_asset/,
    ],
    [
      'a nonce of its own',
      ({ signed }) => signed({ nonce: 'f'.repeat(32) }),
      'nonce',
      /not issued for this call/,
    ],
    [
      'a nonce of another time',
      async ({ signed, infoOf, time }) => {
        const { nonce } = infoOf();
        time.now += 1;
        return signed({ nonce });
      },
      'nonce',
      /not issued for this call/,
    ],
    ['another chain', ({ signed }) => signed({ chainId: 'eip155:1' }), 'unsupported_chain', /eip155:8453/],
    [
      'another offered chain than was signed for',
      async ({ signed }) => ({ ...(await signed()), chainId: 'eip155:84532' }),
      'signature',
      /signature is not one of/,
    ],
    [
      'a time that is none',
      async ({ signed }) => ({ ...(await signed()), issuedAt: 'yesterday' }),
      'issued_at',
      /issuedAt/,
    ],
    [
      'an issue that lies ahead',
      async ({ signed, time }) => {
        time.now += 10 * MINUTE_MS;
        const payload = await signed();
        time.now -= 10 * MINUTE_MS;
        return payload;
      },
      'issued_at_in_future',
      /in the future/,
    ],
    [
      'a later end',
      ({ signed }) => signed({ expirationTime: new Date(Date.now() + 600 * MINUTE_MS).toISOString() }),
      'expiration_time',
      /expirationTime/,
    ],
    [
      'another statement',
      ({ signed }) => signed({ statement: 'Sign in.' }),
      'signature',
      /signature is not one of/,
    ],
    [
      'a beginning of its own',
      ({ signed }) => signed({ notBefore: '2020-01-01T00:00:00.000Z' }),
      'signature',
      /all its fields and no others/,
    ],
    [
      'the signature of another wallet',
      async ({ signed, account }) => ({ ...(await signed({}, other())), address: account.address }),
      'signature',
      /signature is not one of/,
    ],
    [
      'the address of another wallet',
      async ({ signed }) => ({ ...(await signed()), address: other().address }),
      'signature',
      /signature is not one of/,
    ],
  ];
  test.each(forged)(
    'a proof with %s is rejected by name and consumes no challenge',
    async (_what, make, reason, says) => {
      const owner = given();
      const payload = await make(owner);
      const refused = owner.signIns.proofOf(sent(payload), TARGET);
      await expect(refused).rejects.toMatchObject({
        ...REFUSED,
        message: expect.stringMatching(says),
        details: { members: { reason: `invalid_siwx_${reason}` } },
      });
      expect(await owner.signIns.proofOf(sent(await owner.signed()), TARGET)).toHaveProperty(
        'wallet',
        owner.wallet,
      );
    },
  );

  test('a challenge expires after five minutes', async () => {
    const { signIns, signed, time } = given();
    const header = sent(await signed());
    time.now += 5 * MINUTE_MS;
    await expect(signIns.proofOf(header, TARGET)).rejects.toMatchObject({
      details: { members: { reason: 'invalid_siwx_expired' } },
    });
  });

  test('a server with another secret rejects the challenge', async () => {
    const { server, signed } = given();
    await expect(server('t'.repeat(32)).proofOf(sent(await signed()), TARGET)).rejects.toMatchObject({
      details: { members: { reason: 'invalid_siwx_nonce' } },
    });
  });

  test('session messages and sign-in messages are not interchangeable', async () => {
    const { signIns, ownership, account, wallet, infoOf, signed } = given();
    const { message, nonce } = await ownership.challenge(wallet, 8453);
    const signature = await account.signMessage({ message });
    const asSignIn = { ...infoOf(), address: account.address, nonce, signature };
    await expect(signIns.proofOf(sent(asSignIn), TARGET)).rejects.toMatchObject(REFUSED);
    const { statement, ...info } = await signed();
    const text = `atelier.test wants you to sign in with your Ethereum account:\n${account.address}\n\n${statement}\n\nURI: ${info.uri}\nVersion: 1\nChain ID: 8453\nNonce: ${info.nonce}\nIssued At: ${info.issuedAt}\nExpiration Time: ${info.expirationTime}`;
    expect(await account.signMessage({ message: text })).toBe(info.signature);
    await expect(ownership.openSession({ message: text, signature: info.signature })).rejects.toMatchObject({
      code: 'invalid_signature',
    });
  });

  test('a rejected proof is visible to the wallet owner', async () => {
    const { signIns, ownership, signed, wallet } = given();
    await signIns.proofOf(sent({ ...(await signed()), domain: 'evil.test' }), TARGET).catch(() => {});
    expect(await ownership.events(wallet)).toMatchObject([
      { event: 'refused_signature', about: 'sign-in-with-x' },
    ]);
  });

  test('used nonces are stored while they could be replayed, then deleted', async () => {
    const { signIns, ownership, signed, wallet, time } = given();
    await signIns.proofOf(sent(await signed()), TARGET);
    const kept = () => database.query('select from signed_request_nonces where wallet = $1', [wallet]);
    await ownership.sweep(new Date(time.now + 5 * MINUTE_MS));
    expect(await kept()).toHaveLength(1);
    await ownership.sweep(new Date(time.now + 7 * MINUTE_MS));
    expect(await kept()).toHaveLength(0);
  });
});

const READ_NOTHING = createSignIns({
  database: undefined as never,
  publicUrl: PUBLIC_URL,
  secret: SECRET,
  networks: [CHAIN.chainId],
  record: async () => {},
});
const asBase64 = (text: string) => Buffer.from(text).toString('base64');

test.each([
  ['no base64', '{"domain": 1}', /is not base64/],
  ['base64 of no JSON', asBase64('hello'), /is not base64-encoded JSON/],
  ['base64 of half a JSON', asBase64('{"domain": "atel'), /is not base64-encoded JSON/],
  ['base64 of bytes', Buffer.alloc(300, 0xff).toString('base64'), /is not base64-encoded JSON/],
  ['a list', asBase64('[]'), /expected object/],
  ['null', asBase64('null'), /expected object/],
  ['an object without fields', asBase64('{}'), /domain: /],
  ['nested JSON', asBase64('['.repeat(4000)), /is not base64-encoded JSON/],
  ['100 kB', asBase64('x'.repeat(75_000)), /longer than 12000 characters/],
])('%s is rejected with the expected format', async (_what, header, says) => {
  const refused = READ_NOTHING.proofOf(header, TARGET);
  await expect(refused).rejects.toMatchObject({
    ...REFUSED,
    message: expect.stringMatching(says),
    details: { members: { reason: 'invalid_siwx_header' } },
  });
  await expect(refused).rejects.toThrow(/Send base64 of the JSON/);
});
