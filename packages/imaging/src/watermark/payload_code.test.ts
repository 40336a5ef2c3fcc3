import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { MESSAGE_CLASSES, openMessage, sealMessage } from './coded_mark.ts';
import { keyedRandom } from './keyed_random.ts';
import { decodePayload, encodePayload } from './payload_code.ts';

const points = (from: number, to: number) =>
  Array.from({ length: 256 }, (_, at) => String.fromCodePoint(from + ((at * 7919) % (to - from)))).join('');

test.each([
  ['one letter', 'a'],
  ['zeros', '\0\0a\0'],
  ['right to left', 'حقوق النشر \u202eمحفوظة'],
  ['emoji joined and flagged', '👩‍👩‍👧‍👦🏳️‍🌈🇺🇦'.repeat(8)],
  ['marks of byte order', '\ufeffa\ufeff'],
  ['not composed', 'e\u0301'],
  ['random ideographs', points(0x4e00, 0x9fa0)],
  ['the whole of Unicode', points(0x10000, 0x10ffff)],
])('%s round-trips and fits a message class', (_name, text) => {
  const bits = encodePayload(text);
  expect(decodePayload(Uint8Array.from([...bits, ...new Uint8Array(500)]))).toBe(text);
  expect(sealMessage(bits)).toBeDefined();
});

test('a text that fills its class is not corrupted by the following checksum', () => {
  const next = keyedRandom(5);
  const random = (length: number) => Array.from({ length }, () => (next() % 36).toString(36)).join('');
  const texts = [8, 16, 16, 16, 20, 64].flatMap((length) => Array.from({ length: 30 }, () => random(length)));
  const read = texts.map((text) => decodePayload(openMessage(sealMessage(encodePayload(text))!.bits)));
  expect(read).toEqual(texts);
});

test('sentences are compressed to less than 4 bits per character', () => {
  const text =
    'The keeper of the lighthouse walked along the shore, thinking of the ships that had passed in winter.';
  expect(encodePayload(text).length).toBeLessThan(4 * text.length);
});

/** Any change here makes existing watermarks of version 1 unreadable. */
test('the encoded bits of a text are frozen', () => {
  const bits = encodePayload('https://example.org/works/17 © Ada 🎨');
  expect(createHash('sha256').update(bits).digest('hex')).toBe(
    'eee90cb508796d6fb360fa848a0fb7d068bc53bc6f07a57da5c901969b36a995',
  );
  expect(MESSAGE_CLASSES.map(({ bits }) => bits).join(' ')).toMatch(/^96 128 160 .* 5120 6656$/);
});
