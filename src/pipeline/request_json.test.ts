import fc from 'fast-check';
import { expect, test, vi } from 'vitest';
import { LongText, parseBody, parseJson } from './request_json.ts';

const LONG = 'A'.repeat(70_000);
const parseEmbeddedJson = (text: string): unknown => parseJson(Buffer.from(text));

test.each([
  ['a long string', { image: LONG, width: 3 }],
  ['an object with several nested long strings', { a: { b: [LONG, `${LONG}B`] }, c: LONG }],
  ['non-ASCII text', { image: `${LONG}é漢😀`, note: 'é' }],
  ['a string with escapes', { image: `${LONG}\n"quoted"\\`, other: LONG }],
  ['a long key', { [LONG]: 1, image: LONG }],
  ['a long string after quotes and backslashes', { a: '\\', b: '"', c: '\\"', image: LONG }],
])('%s is parsed as by JSON.parse', (_what, value) => {
  expect(parseEmbeddedJson(JSON.stringify(value))).toEqual(value);
});

test('any value between long strings is parsed as by JSON.parse', () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.string(), (value, key) => {
      const text = JSON.stringify([{ [key]: LONG }, value, LONG]);
      expect(JSON.stringify(parseEmbeddedJson(text)) === JSON.stringify(JSON.parse(text))).toBe(true);
    }),
    { numRuns: 30 },
  );
});

test.each([`{"a":"${LONG}`, `{"a":"${LONG}"`, `"${LONG}" "${LONG}"`, `{"a":${LONG}}`, `{"a":"${LONG}",}`])(
  'malformed JSON is rejected',
  (text) => {
    expect(() => parseEmbeddedJson(text)).toThrow(SyntaxError);
  },
);

test('an image with line breaks in its base64 is accepted', () => {
  expect(parseEmbeddedJson(`{"image":"${LONG}\n${LONG}"}`)).toEqual({ image: `${LONG}\n${LONG}` });
});

test('a body with too many values is rejected before parsing', () => {
  const parse = vi.spyOn(JSON, 'parse');
  expect(() => parseEmbeddedJson(`{"a":[${Array(300_000).fill('[]').join(',')}],"b":"${LONG}"}`)).toThrow(
    '20,000 values',
  );
  expect(parse).not.toHaveBeenCalled();
  parse.mockRestore();
});

test('a long string with escaped slashes does not count as structure', () => {
  const image = `${'A'.repeat(1000)}\\/`.repeat(3000);
  expect(JSON.stringify(parseEmbeddedJson(`{"image":"${image}"}`))).toHaveLength(
    '{"image":""}'.length + 3000 * 1001,
  );
});

test('a long text in a binary field is kept as bytes', () => {
  const { image } = parseJson(Buffer.from(JSON.stringify({ image: LONG })), ['image']) as { image: LongText };
  expect(image).toBeInstanceOf(LongText);
  expect(JSON.stringify({ image })).toBe(JSON.stringify({ image: LONG }));
});

test('a body releases its memory with its last long text', () => {
  const bytes = Buffer.from(JSON.stringify({ image: LONG, mask: LONG, list: [LONG] }));
  const { image, mask } = parseBody(bytes, ['image', 'mask']) as Record<string, LongText>;
  image!.release();
  expect(String(mask)).toBe(LONG);
  mask!.release();
  expect((bytes.buffer as ArrayBuffer).detached).toBe(true);
});

test('only ASCII texts in the outermost object are kept as bytes', () => {
  const value = { deep: { image: LONG }, list: [{ image: LONG }], image: `${LONG}é` };
  expect(parseJson(Buffer.from(JSON.stringify(value)), ['image'])).toEqual(value);
});
