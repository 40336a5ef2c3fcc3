import { expect, test } from 'vitest';
import { sampleTools } from '../../tests/support/sample_tools.ts';
import { errorsReference, toolsReference, typeText } from './reference.ts';

test('a tool is documented with price, limit, fields and an example', () => {
  const text = toolsReference(sampleTools);
  expect(text).toContain('| `quarter_turns` | 1, 2 or 3 | default `1` |');
  expect(text).toContain('At most 5 calls per 60 seconds.');
  expect(text).toContain('"quarter_turns": 2');
});

test('every error code has a row', () => {
  expect(errorsReference()).toContain('| `busy` | 503 |');
});

test.each([
  [{ type: 'integer', minimum: 1, maximum: 9 }, 'integer 1 to 9'],
  [{ type: 'array', items: { type: 'string' } }, 'array of string'],
  [{ type: 'object', properties: { a: {} } }, 'object {a}'],
  [{ type: ['string', 'null'] }, 'string or null'],
  [{}, 'any'],
])('%j is rendered as "%s"', (schema, text) => expect(typeText(schema)).toBe(text));
