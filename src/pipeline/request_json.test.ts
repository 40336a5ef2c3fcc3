import fc from 'fast-check';
import { expect, test, vi } from 'vitest';
import { acquireBuffer, LongText, parseBody, parseJson, recycleBuffer } from './request_json.ts';

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

test('returned memory is reused for the next buffer and detached from earlier views', () => {
  const first = acquireBuffer(600_000);
  const view = first.subarray(10, 20);
  const memory = first.buffer.byteLength;
  first.fill(7);
  recycleBuffer(first);
  expect([first.length, view.length]).toEqual([0, 0]);
  const second = acquireBuffer(700_000);
  expect([second.length, second.buffer.byteLength, second[5]]).toEqual([700_000, memory, 7]);
  recycleBuffer(second);
});

test('only a few buffers are pooled, and small or large ones never', () => {
  const many = Array.from({ length: 9 }, () => acquireBuffer(900_000));
  const others = [acquireBuffer(100), acquireBuffer(9_000_000)];
  for (const bytes of [...many, ...others]) recycleBuffer(bytes);
  const marked = Array.from({ length: 9 }, () => acquireBuffer(900_000));
  expect(new Set(marked.map(({ buffer }) => buffer)).size).toBe(9);
  expect(others.map(({ length }) => length)).toEqual([0, 0]);
});
