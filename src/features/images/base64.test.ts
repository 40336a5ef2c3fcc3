import fc from 'fast-check';
import { expect, test } from 'vitest';
import { decodeBase64, decodeUnbrokenBase64 } from './images.ts';

const HELLO = Buffer.from('hello?>~');
const decode = (text: string, maxBytes = 1000) => Buffer.from(decodeBase64(text, 'image', maxBytes));

test.each([
  ['plain', 'aGVsbG8/Pn4='],
  ['without padding', 'aGVsbG8/Pn4'],
  ['URL-safe', 'aGVsbG8_Pn4'],
  ['with line breaks', 'aGVs\r\nbG8/\n Pn4=\n'],
  ['data URL', 'data:image/png;base64,aGVsbG8/Pn4='],
  ['data URL with a name', 'data:image/png;name=f.png;base64,aGVsbG8/Pn4='],
  ['data URL without a type', 'data:;base64,aGVsbG8/Pn4='],
  ['percent-encoded data URL', `data:image/png;base64,${encodeURIComponent('aGVsbG8/Pn4=')}`],
  ['percent-encoded base64', encodeURIComponent('aGVsbG8/Pn4=')],
  ['data URL of percent-encoded bytes', 'data:text/plain,hello%3f%3E~'],
  ['data URL in capitals', 'DATA:image/PNG;BASE64,aGVsbG8/Pn4='],
])('%s is decoded', (_, text) => {
  expect(decode(text)).toEqual(HELLO);
});

test('any bytes survive a round trip in either alphabet', () => {
  fc.assert(
    fc.property(
      fc.uint8Array({ minLength: 1, maxLength: 200 }),
      fc.constantFrom('base64', 'base64url'),
      (bytes, alphabet) => {
        expect(decode(Buffer.from(bytes).toString(alphabet as BufferEncoding))).toEqual(Buffer.from(bytes));
      },
    ),
  );
});

test('an invalid character is detected at any position', () => {
  fc.assert(
    fc.property(
      fc.uint8Array({ minLength: 1, maxLength: 60 }),
      fc.nat(),
      fc.constantFrom('*', '%', '\0', 'é', '😀', '.'),
      (bytes, place, wrong) => {
        const text = Buffer.from(bytes).toString('base64').replace(/=+$/, '');
        const at = place % (text.length + 1);
        fc.pre(wrong !== '%' || !/^(2B|2F|3D|0A|0D|20)/i.test(text.slice(at)));
        expect(() => decode(text.slice(0, at) + wrong + text.slice(at))).toThrow(
          expect.objectContaining({ code: 'invalid_input' }),
        );
      },
    ),
  );
});

test.each(['A', 'AAAAA', 'aGVs=bG8', 'aGVsbG8===', '===='])('%j is not base64', (text) => {
  expect(() => decode(text)).toThrow(expect.objectContaining({ code: 'invalid_input' }));
});

test.each([
  ['', 'empty'],
  ['data:image/png;base64,', 'empty'],
  ['/home/me/my cat.png', 'file path'],
  ['./cat.png', 'file path'],
  ['cat.png', 'file name'],
  ['www.example.com/cat.png', 'https://'],
  ['example.com/cat.png', 'https://'],
  ['<BASE64_OF_IMAGE>', 'placeholder'],
  ['iVBORw0KGgo...', 'truncated'],
  ['<html><body>404</body></html>', 'markup'],
  ['{"image": "abc"}', 'JSON'],
  ['iVBORw0K*', 'character "*" at position 8'],
])('%j is rejected with a fix', (text, words) => {
  expect(() => decode(text)).toThrow(words);
});

test('an oversized payload is rejected, before decoding where possible', () => {
  expect(() => decode('A'.repeat(1336))).toThrow(expect.objectContaining({ code: 'payload_too_large' }));
  expect(() => decode('*'.repeat(100_000))).toThrow(expect.objectContaining({ code: 'payload_too_large' }));
  expect(decode('A'.repeat(1332))).toHaveLength(999);
});

test.each([1, 2, 3, 24_575, 24_576, 24_577, 100_001])(
  '%i bytes decode identically, streamed or at once',
  (length) => {
    const bytes = Buffer.alloc(length, 'picture');
    for (const text of [
      bytes.toString('base64'),
      bytes.toString('base64url'),
      `data:image/png;base64,${bytes.toString('base64')}`,
    ]) {
      expect(decodeUnbrokenBase64(Buffer.from(text), 1e6)).toEqual(decodeBase64(text, 'image', 1e6));
    }
  },
);

test.each([
  '',
  '=',
  'A',
  'AAAA\nAAAA',
  'AA*A',
  `${'A'.repeat(40_000)}!AAA`,
  'upload:x',
  'data:image/png,AAAA',
])('%j is left to the general decoder', (text) => {
  expect(decodeUnbrokenBase64(Buffer.from(text), 1e6)).toBeUndefined();
});
