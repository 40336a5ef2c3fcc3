import fc from 'fast-check';
import { expect, test } from 'vitest';
import { AtelierError } from '../errors/atelier_error.ts';
import { parseBoundedJson } from './parse_bounded_json.ts';

const outcome = (read: () => unknown) => {
  try {
    return { value: JSON.stringify(read()) };
  } catch (error) {
    return { name: (error as Error).name };
  }
};

test('within the limits, text and bytes parse as with JSON.parse, including SyntaxError', () => {
  const damaged = fc
    .tuple(fc.json(), fc.nat(), fc.constantFrom('', '"', '\\', '{', ']', ',', ':', '\u0000', 'é', '1e999'))
    .map(
      ([text, at, put]) => text.slice(0, at % (text.length + 1)) + put + text.slice(at % (text.length + 1)),
    );
  fc.assert(
    fc.property(fc.oneof(fc.json(), damaged, fc.string()), (text) => {
      const expected = outcome(() => JSON.parse(text));
      expect(outcome(() => parseBoundedJson(text))).toEqual(expected);
      if (text.isWellFormed()) expect(outcome(() => parseBoundedJson(Buffer.from(text)))).toEqual(expected);
    }),
    { numRuns: 1000 },
  );
});

test('duplicate names and __proto__ are parsed as by JSON.parse', () => {
  const read = parseBoundedJson('{"a":1,"a":2,"__proto__":{"x":1}}') as object;
  expect(Object.entries(read)).toEqual([
    ['a', 2],
    ['__proto__', { x: 1 }],
  ]);
});

test.each([
  ['values', '[0,0,0]', { values: 3 }, 'more than 3 values. Send shorter lists'],
  ['names', '[{"a":0},{"a":0}]', { names: 1 }, 'more than 1 member names'],
  ['names of an object', '{"a":0,"b":0}', { namesPerObject: 1 }, 'more than 1 members'],
  ['depth', '[[]]', { depth: 1 }, 'more than 1 levels deep. Send a flatter object'],
  ['bytes', `[${' '.repeat(2000)}]`, { structureBytes: 1000 }, 'more than 1,000 bytes'],
  ['escapes', '"\\n\\n"', { escapes: 1 }, 'more than 1 escape sequences'],
])('the error names the limit on %s and the alternative', (_what, text, limits, said) => {
  const read = () => parseBoundedJson(text, limits);
  expect(read).toThrow(said);
  expect(read).toThrow(AtelierError);
});
