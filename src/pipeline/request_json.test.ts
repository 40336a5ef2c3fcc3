import fc from 'fast-check';
import { expect, test, vi } from 'vitest';
import { LongText, parseBody, parseJson } from './request_json.ts';

const LONG = 'A'.repeat(70_000);
const parseEmbeddedJson = (text: string): unknown => parseJson(Buffer.from(text));

test.each([
  ['one long string', { image: LONG, width: 3 }],
  ['several, nested', { a: { b: [LONG, `${LONG}B`] }, c: LONG }],
  ['beyond ASCII', { image: `${LONG}é漢😀`, note: 'é' }],
  ['with escapes', { image: `${LONG}\n"quoted"\\`, other: LONG }],
  ['a long key', { [LONG]: 1, image: LONG }],
  ['quotes and backslashes before it', { a: '\\', b: '"', c: '\\"', image: LONG }],
])('%s is read as JSON.parse reads it', (_what, value) => {
  expect(parseEmbeddedJson(JSON.stringify(value))).toEqual(value);
});

test('any value between long strings is read as JSON.parse reads it', () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.string(), (value, key) => {
      const text = JSON.stringify([{ [key]: LONG }, value, LONG]);
      expect(JSON.stringify(parseEmbeddedJson(text)) === JSON.stringify(JSON.parse(text))).toBe(true);
    }),
    { numRuns: 30 },
  );
});

test.each([`{"a":"${LONG}`, `{"a":"${LONG}"`, `"${LONG}" "${LONG}"`, `{"a":${LONG}}`, `{"a":"${LONG}",}`])(
  'broken JSON is refused',
  (text) => {
    expect(() => parseEmbeddedJson(text)).toThrow(SyntaxError);
  },
);

test('a picture with line breaks in its base64 is let through', () => {
  expect(parseEmbeddedJson(`{"image":"${LONG}\n${LONG}"}`)).toEqual({ image: `${LONG}\n${LONG}` });
});

test('a body with too much structure is refused before anything is parsed', () => {
  const parse = vi.spyOn(JSON, 'parse');
  expect(() => parseEmbeddedJson(`{"a":[${Array(300_000).fill('[]').join(',')}],"b":"${LONG}"}`)).toThrow(
    '20,000 values',
  );
  expect(parse).not.toHaveBeenCalled();
  parse.mockRestore();
});

test('a long string with escapes is no structure: some encoders escape every slash of base64', () => {
  const image = `${'A'.repeat(1000)}\\/`.repeat(3000);
  expect(JSON.stringify(parseEmbeddedJson(`{"image":"${image}"}`))).toHaveLength(
    '{"image":""}'.length + 3000 * 1001,
  );
});

test('under a name asked for as bytes, a long text stays the bytes it came as', () => {
  const { image } = parseJson(Buffer.from(JSON.stringify({ image: LONG })), ['image']) as { image: LongText };
  expect(image).toBeInstanceOf(LongText);
  expect(JSON.stringify({ image })).toBe(JSON.stringify({ image: LONG }));
});

test('a body gives up its memory with its last long text', () => {
  const bytes = Buffer.from(JSON.stringify({ image: LONG, mask: LONG, list: [LONG] }));
  const { image, mask } = parseBody(bytes, ['image', 'mask']) as Record<string, LongText>;
  image!.release();
  expect(String(mask)).toBe(LONG);
  mask!.release();
  expect((bytes.buffer as ArrayBuffer).detached).toBe(true);
});

test('only in the outermost object, and only in ASCII', () => {
  const value = { deep: { image: LONG }, list: [{ image: LONG }], image: `${LONG}é` };
  expect(parseJson(Buffer.from(JSON.stringify(value)), ['image'])).toEqual(value);
});
