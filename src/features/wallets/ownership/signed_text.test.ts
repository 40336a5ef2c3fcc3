import { createHmac, createPublicKey, verify } from 'node:crypto';
import { type InnerList, parseDictionary } from 'structured-headers';
import { expect, test } from 'vitest';
import { type HttpMessage, signedText } from './ownership.ts';

/** The request of RFC 9421, appendix B.2. */
const FIELDS: Record<string, string> = {
  host: 'example.com',
  date: 'Tue, 20 Apr 2021 02:07:55 GMT',
  'content-type': 'application/json',
  'content-digest':
    'sha-512=:WZDPaVn/7XgHaAy8pmojAkGWoRx2UFChF41A2svX+TaPm+AbwAgBWnrIiYllu7BNNyealdVLvRwEmTHWXvJwew==:',
  'content-length': '18',
};
const REQUEST: HttpMessage = {
  method: 'POST',
  scheme: 'https',
  authority: 'example.com',
  target: '/foo?param=Value&Pet=dog',
  header: (name) => FIELDS[name],
};

const base = (input: string, message: Partial<HttpMessage> = {}): string =>
  signedText([...parseDictionary(`sig=${input}`).values()][0] as InnerList, { ...REQUEST, ...message });

test('RFC 9421, B.2.6: the Ed25519 signature of the example verifies our signature base', () => {
  const text = base(
    '("date" "@method" "@path" "@authority" "content-type" "content-length");created=1618884473;keyid="test-key-ed25519"',
  );
  const key = createPublicKey({
    key: Buffer.from('MCowBQYDK2VwAyEAJrQLj5P/89iXES9+vFgrIy29clF9CC/oPPsw3c5D0bs=', 'base64'),
    format: 'der',
    type: 'spki',
  });
  const signature =
    'wqcAqbmYJ2ji2glfAMaRy4gruYYnx2nEFN2HN6jrnDnQCK1u02Gb04v9EDgwUPiu4A0w6vuQv5lIp5WPpBKRCw==';
  expect(verify(null, Buffer.from(text), key, Buffer.from(signature, 'base64'))).toBe(true);
});

test('RFC 9421, B.2.5: the HMAC of the example verifies our signature base', () => {
  const text = base('("date" "@authority" "content-type");created=1618884473;keyid="test-shared-secret"');
  const secret = 'uzvJfB4u3N0Jy4T7NZ75MDVcr8zSTInedJtkgcu46YW4XByzNJjxBdtjUkdJPBtbmHhIDi6pcl8jsasjlTMtDQ==';
  const mac = createHmac('sha256', Buffer.from(secret, 'base64')).update(text).digest('base64');
  expect(mac).toBe('pxcQw6G3AjtMBQjwo8XzkZf/bws5LelbaMk5rGIGtE8=');
});

test('RFC 9421, B.2.2: a query parameter and a digest', () => {
  const input =
    '("@authority" "content-digest" "@query-param";name="Pet");created=1618884473;keyid="test-key-rsa-pss";tag="header-example"';
  expect(base(input)).toBe(`"@authority": example.com
"content-digest": ${FIELDS['content-digest']}
"@query-param";name="Pet": dog
"@signature-params": ${input}`);
});

test('RFC 9421, B.2.1: without covered components the signature base is one line', () => {
  const input = '();created=1618884473;keyid="test-key-rsa-pss";nonce="b3k2pp5k7z-50gnwp.yemd"';
  expect(base(input)).toBe(`"@signature-params": ${input}`);
});

test.each([
  ['@method', 'POST'],
  ['@target-uri', 'https://example.com/foo?param=Value&Pet=dog'],
  ['@authority', 'example.com'],
  ['@scheme', 'https'],
  ['@request-target', '/foo?param=Value&Pet=dog'],
  ['@path', '/foo'],
  ['@query', '?param=Value&Pet=dog'],
])('RFC 9421, 2.2: %s is %s', (name, value) => {
  expect(base(`("${name}")`).split('\n')[0]).toBe(`"${name}": ${value}`);
});

test.each([
  ['/path', '?'],
  ['/path?', '?'],
  ['/path?a=?&b', '?a=?&b'],
])('RFC 9421, 2.2.7: the query of %s is %s', (target, query) => {
  expect(base('("@query")', { target }).split('\n')[0]).toBe(`"@query": ${query}`);
});

test('RFC 9421, 2.2.8: query parameters are decoded and re-encoded', () => {
  const target =
    '/parameters?var=this%20is%20a%20big%0Amultiline%20value&bar=with+plus+whitespace&fa%C3%A7ade%22%3A%20=something';
  const names = ['var', 'bar', 'fa%C3%A7ade%22%3A%20'];
  const text = base(`(${names.map((name) => `"@query-param";name="${name}"`).join(' ')})`, { target });
  expect(text.split('\n').slice(0, 3)).toEqual([
    '"@query-param";name="var": this%20is%20a%20big%0Amultiline%20value',
    '"@query-param";name="bar": with%20plus%20whitespace',
    '"@query-param";name="fa%C3%A7ade%22%3A%20": something',
  ]);
});

test.each([
  ['a component twice', '("@path" "@path")'],
  ['a field that is not there', '("x-absent")'],
  ['a field in capitals', '("Date")'],
  ['a component of answers', '("@status")'],
  ['a component of the request of an answer', '("@method";req)'],
  ['a field in another form', '("date";bs)'],
  ['a query parameter without a name', '("@query-param")'],
  ['a query parameter that is not there', '("@query-param";name="none")'],
  ['a number for a component', '(1)'],
])('%s is rejected', (_what, input) => {
  expect(() => base(input)).toThrow();
});

test('a duplicate query parameter is rejected', () => {
  expect(() => base('("@query-param";name="a")', { target: '/?a=1&a=2' })).toThrow('2 times');
});
