import { expect, test } from 'vitest';
import { PUBLIC_INTERNET, type Reach } from './reach.ts';
import { openRoute, Unreachable } from './route.ts';

const PUBLIC = { address: '93.184.216.34', family: 4 };
const resolvingTo = (...addresses: { address: string; family: number }[]): Reach => ({
  ...PUBLIC_INTERNET,
  resolve: async () => addresses,
});
const asking = (reach: Reach, url: string) => openRoute(reach, url, 'image');

test.each([
  ['loopback', 'https://127.0.0.1/'],
  ['decimal host', 'https://2130706433/'],
  ['octal host', 'https://0177.0.0.1/'],
  ['hex host', 'https://0x7f000001/'],
  ['short host', 'https://127.1/'],
  ['full-width host', 'https://１２７.0.0.1/'],
  ['trailing dot', 'https://127.0.0.1./'],
  ['IPv6 loopback', 'https://[::1]/'],
  ['mapped', 'https://[::ffff:127.0.0.1]/'],
  ['NAT64', 'https://[64:ff9b::7f00:1]/'],
  ['cloud metadata', 'https://169.254.169.254/latest/meta-data/'],
  ['unspecified', 'https://0.0.0.0/'],
  ['zero', 'https://0/'],
  ['http', 'http://example.com/a.png'],
  ['file', 'file:///etc/passwd'],
  ['ftp', 'ftp://example.com/a.png'],
  ['userinfo', 'https://example.com@evil.example/'],
  ['password', 'https://user:secret@example.com/'],
  ['port of a database', 'https://example.com:5432/'],
  ['port 0', 'https://example.com:0/'],
  ['zone', 'https://[fe80::1%25eth0]/'],
  ['not an address', 'https://'],
  ['too long', `https://example.com/${'a'.repeat(3000)}`],
])('%s is refused, and the error names the field', async (_, url) => {
  await expect(asking(resolvingTo(PUBLIC), url)).rejects.toMatchObject({
    code: 'invalid_input',
    details: { errors: [{ field: 'image' }] },
  });
});

test.each([
  'localhost',
  'localhost.',
  'atelier.localhost',
  'metadata.google.internal',
  'nas.local',
  'intranet',
])('%s is refused before a DNS lookup', async (host) => {
  const silent = { ...PUBLIC_INTERNET, resolve: () => new Promise<never>(() => {}) };
  await expect(asking(silent, `https://${host}/`)).rejects.toMatchObject({ code: 'invalid_input' });
});

test('a name is refused if it resolves to a private address', async () => {
  const inner = asking(resolvingTo({ address: '10.0.0.7', family: 4 }), 'https://xn--r8jz45g.jp/');
  await expect(inner).rejects.toThrow(Unreachable);
});

test('one private address among public ones causes refusal without disclosing the address', async () => {
  const failure = await asking(
    resolvingTo(PUBLIC, { address: 'fd00::7', family: 6 }),
    'https://rebind.example/',
  ).catch((error) => error);
  expect(failure).toEqual(new Unreachable());
});

test('a name without addresses is refused with the same error', async () => {
  const failing = { ...PUBLIC_INTERNET, resolve: async () => Promise.reject(new Error('ENOTFOUND')) };
  expect(await asking(failing, 'https://nowhere.example/').catch((error) => error)).toEqual(
    new Unreachable(),
  );
});

test('a public URL is returned with its addresses and without its fragment', async () => {
  const { url, addresses } = await asking(resolvingTo(PUBLIC), 'https://例え.jp:8443/a.png?b=1#c');
  expect(url.href).toBe('https://xn--r8jz45g.jp:8443/a.png?b=1');
  expect(addresses).toEqual([PUBLIC]);
});
