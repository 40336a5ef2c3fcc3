import { createSiweMessage, parseSiweMessage } from 'viem/siwe';
import { expect, test } from 'vitest';
import { readSiwe, writeSiwe } from './siwe.ts';

const MESSAGE = {
  domain: 'atelier.test',
  address: '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
  statement: 'Open a session.',
  uri: 'https://atelier.test',
  chainId: 1,
  nonce: 'abcdef0123456789',
  issuedAt: new Date('2026-11-21T10:00:00.000Z'),
  expiresAt: new Date('2026-11-21T10:10:00.000Z'),
} as const;

/** The first example of EIP-4361. */
const OF_THE_STANDARD = `example.com wants you to sign in with your Ethereum account:
0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2

I accept the ExampleOrg Terms of Service: https://example.com/tos

URI: https://example.com/login
Version: 1
Chain ID: 1
Nonce: 32891756
Issued At: 2021-09-30T16:25:24Z
Resources:
- ipfs://bafybeiemxf5abjwjbikoz4mc3a3dla6ual3jsgpdr4cjr3oz3evfyavhwq/
- https://example.com/my-web2-claim.json`;

test('our message equals that of viem and viem parses it', () => {
  const { expiresAt: expirationTime, ...rest } = MESSAGE;
  const text = writeSiwe(MESSAGE);
  expect(createSiweMessage({ ...rest, version: '1', expirationTime })).toBe(text);
  expect(parseSiweMessage(text)).toMatchObject({ ...rest, expirationTime });
});

test('a written message is parsed back unchanged', () => {
  expect(readSiwe(writeSiwe(MESSAGE))).toEqual(MESSAGE);
});

test.each(['atelier:8787', '[::1]:8787', 'xn--e1afmkfd.xn--p1ai'])(
  'a server at %s can request a signature, although viem rejects the domain',
  (domain) => {
    const { expiresAt: _, ...message } = { ...MESSAGE, domain };
    expect(readSiwe(writeSiwe(message))).toEqual(message);
    expect(() => createSiweMessage({ ...message, version: '1' })).toThrow('domain');
  },
);

test('the example of the standard is parsed', () => {
  expect(readSiwe(OF_THE_STANDARD)).toMatchObject({
    domain: 'example.com',
    uri: 'https://example.com/login',
    nonce: '32891756',
    issuedAt: new Date('2021-09-30T16:25:24Z'),
  });
});

test('a viem message without statement, with scheme and all optional fields, is parsed', () => {
  const { expiresAt, statement: _, ...rest } = MESSAGE;
  const notBefore = new Date('2026-11-21T09:00:00.000Z');
  const text = createSiweMessage({
    ...rest,
    version: '1',
    scheme: 'https',
    expirationTime: expiresAt,
    notBefore,
    requestId: 'r-1',
    resources: ['https://atelier.test/a'],
  });
  expect(readSiwe(text)).toEqual({ ...rest, scheme: 'https', expiresAt, notBefore });
});

const changed = (from: string | RegExp, to: string): string => writeSiwe(MESSAGE).replace(from, to);

test.each([
  ['', 'nothing'],
  ['hello', 'other words'],
  [changed('Version: 1', 'Version: 2'), 'another version'],
  [changed('Chain ID: 1', 'Chain ID: -1'), 'a negative chain'],
  [changed('Chain ID: 1', 'Chain ID: 1.5'), 'a fraction of a chain'],
  [changed('Chain ID: 1', 'Chain ID: 01'), 'a chain with a zero before it'],
  [changed('Chain ID: 1', `Chain ID: ${'9'.repeat(16)}`), 'a chain beyond exact numbers'],
  [changed('abcdef0123456789', 'short'), 'a short nonce'],
  [changed('abcdef0123456789', 'abcdef_123456789'), 'a nonce with a sign'],
  [changed('2026-11-21T10:00:00.000Z', '2026-13-41T10:00:00.000Z'), 'a day that does not exist'],
  [changed('2026-11-21T10:00:00.000Z', 'yesterday'), 'no time'],
  [changed('Open a session.', 'Open a session.\nURI: https://evil.test'), 'two URIs'],
  [changed('Open a session.', 'Open \u202esession.'), 'a statement that turns around'],
  [changed('atelier.test wants', 'evil.test@atelier.test wants'), 'a user in the domain'],
  [`${writeSiwe(MESSAGE)}\n`, 'a line too many'],
  [` ${writeSiwe(MESSAGE)}`, 'a space before'],
  [writeSiwe(MESSAGE).replaceAll('\n', '\r\n'), 'other line ends'],
  [`${writeSiwe(MESSAGE)}${'\n- a'.repeat(5000)}`, 'a very long message'],
])('%j is not a valid message (%s)', (text) => {
  expect(readSiwe(text)).toBeUndefined();
});
