import { createHash, randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { needs } from '../../../../../tests/support/test_requirements.ts';
import {
  type Authority,
  type AuthorityFaults,
  makeAuthority,
  POLICY,
} from '../../../../../tests/support/time_stamp_authority.ts';
import { TimeStampRefusal } from './refusal.ts';
import { timeStampRequest } from './time_stamp_request.ts';
import { tokenInResponse } from './token_in_response.ts';
import { verifyAnswer, verifyTimeStamp } from './verify_token.ts';

const MESSAGE = Buffer.from('The signature of a manifest');
const NONCE = Buffer.from('00ff11223344556677', 'hex');
const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest();
const request = (more: { nonce?: Uint8Array; policy?: string } = {}) =>
  timeStampRequest({ digest: sha256(MESSAGE), nonce: NONCE, ...more });
const now = () => Date.now();

describe('a token of an OpenSSL test authority', needs('OpenSSL'), () => {
  let authority: Authority;
  let token: Buffer;
  beforeAll(() => {
    authority = makeAuthority();
    token = tokenInResponse(authority.reply(request()));
  });
  afterAll(() => authority.remove());
  const check = (more: object = {}) => ({ message: MESSAGE, trust: [authority.root], now: now(), ...more });

  test('is trusted with its root on the trust list, and OpenSSL accepts it', () => {
    authority.verify(token, MESSAGE);
    const result = verifyAnswer(token, check(), { nonce: NONCE, policy: POLICY });
    expect(result).toEqual({ time: expect.any(String), authority: 'Test TSA', status: 'trusted' });
    expect(Math.abs(Date.parse(result.time!) - now())).toBeLessThan(60_000);
  });

  test('is valid but untrusted without its root on the trust list', () => {
    const other = makeAuthority();
    expect(verifyTimeStamp(token, check({ trust: [] }))).toMatchObject({
      status: 'untrusted',
      time: expect.any(String),
      reason: expect.stringContaining('not checked against a trust list'),
    });
    expect(verifyTimeStamp(token, check({ trust: [other.root] }))).toMatchObject({
      status: 'untrusted',
      reason: expect.stringContaining('not on the trust list'),
    });
    other.remove();
  });

  test.each(['-sha384', '-sha512'])('is trusted with the hash algorithm %s', (algorithm) => {
    const made = authority.token(authority.query(MESSAGE, algorithm, '-cert'));
    expect(verifyTimeStamp(made, check())).toMatchObject({ status: 'trusted' });
  });

  test('is invalid and has no time for a different message', () => {
    expect(verifyTimeStamp(token, check({ message: Buffer.from('Another') }))).toEqual({
      time: null,
      authority: null,
      status: 'invalid',
      reason: 'The time stamp was made for another message.',
    });
  });

  test('is invalid with a weak hash or without its certificate', () => {
    const weak = authority.token(authority.query(MESSAGE, '-sha1', '-cert'));
    expect(verifyTimeStamp(weak, check()).reason).toContain('SHA-1');
    const bare = authority.token(authority.query(MESSAGE, '-sha256'));
    expect(verifyTimeStamp(bare, check()).reason).toContain('does not hold the certificate');
  });

  test('is rejected for a mismatched nonce, policy or clock', () => {
    const answer = { nonce: NONCE };
    const refusal = (act: () => unknown) => {
      try {
        act();
      } catch (error) {
        return error instanceof TimeStampRefusal ? error.message : String(error);
      }
      return 'accepted';
    };
    expect(refusal(() => verifyAnswer(token, check(), { nonce: randomBytes(8) }))).toContain('nonce');
    expect(refusal(() => verifyAnswer(token, check(), { ...answer, policy: '1.2.3.9' }))).toContain('policy');
    expect(refusal(() => verifyAnswer(token, check({ now: now() + 3_600_000 }), answer))).toMatch(
      /36\d\d s apart/,
    );
    expect(refusal(() => verifyAnswer(token, check({ now: now() - 3_600_000 }), answer))).toContain('future');
  });

  test('never yields a different time or throws when any byte is changed', () => {
    const { time } = verifyTimeStamp(token, check());
    for (let at = 0; at < token.length; at += 7) {
      const changed = Buffer.from(token);
      changed[at]! ^= 1 << (at % 8);
      // Unsigned octets may differ, such as those of a certificate outside the path.
      expect([null, time]).toContain(verifyTimeStamp(changed, check()).time);
    }
  });

  test('is read or rejected without unexpected errors when assembled from token fragments', () => {
    const pieces = fc.array(
      fc.oneof(
        fc.tuple(fc.nat(token.length), fc.nat(400)).map(([from, size]) => token.subarray(from, from + size)),
        fc.uint8Array({ maxLength: 60 }),
        fc.constantFrom(
          ...['3080', '30837fffff', 'a080', '2480', '0000', '0484ffffffff'].map((hex) =>
            Buffer.from(hex, 'hex'),
          ),
        ),
      ),
      { maxLength: 8 },
    );
    fc.assert(
      fc.property(fc.nat(token.length), pieces, (kept, parts) => {
        const bytes = Buffer.concat([token.subarray(0, kept), ...parts]);
        expect(['invalid', 'trusted']).toContain(verifyTimeStamp(bytes, check()).status);
        try {
          tokenInResponse(bytes);
        } catch (error) {
          expect(error).toBeInstanceOf(TimeStampRefusal);
        }
      }),
      { numRuns: 1000 },
    );
  });
});

describe('a token of an improper authority', needs('OpenSSL'), () => {
  test.each<[string, AuthorityFaults, string]>([
    ['an expired certificate', { days: -1 }, 'had expired'],
    [
      'a certificate without a usage',
      { extensions: ['extendedKeyUsage=critical,timeStamping', 'basicConstraints=critical,CA:FALSE'] },
      'not for time stamps',
    ],
    [
      'the certificate of an issuer',
      {
        extensions: [
          'extendedKeyUsage=critical,timeStamping',
          'basicConstraints=critical,CA:TRUE',
          'keyUsage=critical,digitalSignature',
        ],
      },
      'not for time stamps',
    ],
    ['a weak hash in its signature', { signerDigest: 'sha1' }, 'SHA-1'],
  ])('is invalid with %s', (_what, faults, reason) => {
    const authority = makeAuthority(faults);
    const token = tokenInResponse(authority.reply(request()));
    const result = verifyTimeStamp(token, { message: MESSAGE, trust: [authority.root], now: now() });
    expect(result).toMatchObject({ status: 'invalid', time: null, reason: expect.stringContaining(reason) });
    authority.remove();
  });

  test.each<[string, string[], string]>([
    [
      'an issuer',
      ['basicConstraints=critical,CA:TRUE,pathlen:0', 'keyUsage=critical,keyCertSign'],
      'trusted',
    ],
    ['no issuer', ['basicConstraints=critical,CA:FALSE', 'keyUsage=critical,digitalSignature'], 'untrusted'],
    [
      'an issuer that may not sign certificates',
      ['basicConstraints=critical,CA:TRUE', 'keyUsage=cRLSign'],
      'untrusted',
    ],
    [
      'an issuer for other things',
      ['basicConstraints=critical,CA:TRUE', 'extendedKeyUsage=serverAuth'],
      'untrusted',
    ],
    [
      'an issuer with a rule that is not understood',
      ['basicConstraints=critical,CA:TRUE', 'nameConstraints=critical,permitted;DNS:a.example'],
      'untrusted',
    ],
  ])('is judged by an intermediate certificate with %s', (_what, intermediate, status) => {
    const authority = makeAuthority({ intermediate });
    const token = tokenInResponse(authority.reply(request()));
    expect(verifyTimeStamp(token, { message: MESSAGE, trust: [authority.root], now: now() }).status).toBe(
      status,
    );
    authority.remove();
  });

  test('is trusted with RSA keys', () => {
    const authority = makeAuthority({ key: 'rsa' });
    const token = tokenInResponse(authority.reply(request()));
    expect(verifyTimeStamp(token, { message: MESSAGE, trust: [authority.root], now: now() })).toMatchObject({
      status: 'trusted',
    });
    authority.remove();
  });

  test('a rejected request reports the authority’s reason', () => {
    const authority = makeAuthority();
    expect(() => tokenInResponse(authority.reply(request({ policy: '1.9.9.9' })))).toThrow(
      'the requested policy is not supported',
    );
    authority.remove();
  });
});

test.each([
  ['nothing', Buffer.alloc(0)],
  ['a page', Buffer.from('<html><body>It works!</body></html>')],
  [
    'nested sequences',
    Buffer.concat([
      ...Array.from({ length: 16_000 }, () => Buffer.from('3080', 'hex')),
      Buffer.alloc(32_000),
    ]),
  ],
  ['too many bytes', Buffer.alloc(70_000, 0x30)],
  [
    'many small elements',
    Buffer.concat([
      Buffer.from('3083007ff0', 'hex'),
      ...Array.from({ length: 16_376 }, () => Buffer.from('0500', 'hex')),
    ]),
  ],
])('%s is not a timestamp', (_what, bytes) => {
  const check = { message: MESSAGE, trust: [], now: 0 };
  expect(verifyTimeStamp(bytes, check)).toMatchObject({ status: 'invalid', time: null });
  expect(() => tokenInResponse(bytes)).toThrow(TimeStampRefusal);
});
