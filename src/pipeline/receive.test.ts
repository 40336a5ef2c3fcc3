import { expect, test } from 'vitest';
import { z } from 'zod';
import type { AtelierError } from '../core/errors/atelier_error.ts';
import { imageField, momentField, walletField, withZeros } from '../features/definitions/fields.ts';
import { tools } from '../features/tools.ts';
import { validateInput } from './receive.ts';

const WALLET = `0x${'a'.repeat(40)}`;
const schema = z.object({
  width: z.int().min(1).max(8192),
  mode: z.enum(['contain', 'cover']).default('contain'),
  sharp: z.boolean().default(false),
  name: z.string().max(5).default(''),
});

const failure = (raw: unknown, by: z.ZodObject = schema): AtelierError => {
  try {
    validateInput(by, raw);
  } catch (error) {
    return error as AtelierError;
  }
  throw new Error('nothing was refused');
};

test('defaults are applied', () => {
  expect(validateInput(schema, { width: 3 })).toEqual({
    input: { width: 3, mode: 'contain', sharp: false, name: '' },
    warnings: [],
  });
});

test('all validation errors are reported together', () => {
  const { details } = failure({ width: 0, mode: 'x', sharp: 'perhaps' });
  expect(details.errors?.map(({ field }) => field)).toEqual(['width', 'mode', 'sharp']);
});

test('an error states the expected and the received value', () => {
  const { details } = failure({ width: 9000 });
  expect(details.errors?.[0]).toEqual({
    field: 'width',
    code: 'too_big',
    message: 'width must be an integer from 1 to 8192 but got 9000.',
    expected: 'an integer from 1 to 8192',
    got: 9000,
  });
});

test('a missing field is reported as missing', () => {
  expect(failure({}).details.errors?.[0]).toMatchObject({ field: 'width', code: 'missing', got: 'nothing' });
});

test.each([
  [{ width: '300' }, { width: 300 }],
  [{ width: 12.4 }, { width: 12 }],
  [{ width: 99_999 }, { width: 8192 }],
  [
    { width: 5, mode: 'Cover' },
    { width: 5, mode: 'cover' },
  ],
  [
    { width: 5, sharp: 'true' },
    { width: 5, sharp: true },
  ],
])('for %j the suggested correction is %j', (raw, corrected) => {
  expect(failure(raw).details.try).toEqual(corrected);
});

test('no correction is suggested if it would be a guess', () => {
  expect(failure({ width: 'wide' }).details.try).toBeUndefined();
});

test('an unknown field causes a warning with a suggested name', () => {
  const { warnings } = validateInput(schema, { width: 3, widht: 4 });
  expect(warnings).toEqual(['Unknown field "widht" was ignored. Did you mean "width"?']);
});

test('50,000 unknown fields cause at most ten warnings', () => {
  const raw = {
    width: 1,
    ...Object.fromEntries(Array.from({ length: 50_000 }, (_, index) => [`f${index}`, 1])),
  };
  expect(validateInput(schema, raw).warnings.length).toBeLessThanOrEqual(10);
});

test.each([null, 5, 'text', [], undefined])('%j is not a valid input', (raw) => {
  expect(failure(raw).code).toBe('invalid_input');
});

test('deep nesting is rejected without exhausting the stack', () => {
  const deep = JSON.parse(`{"width":1,"x":${'['.repeat(100_000)}${']'.repeat(100_000)}}`);
  expect(failure(deep).message).toContain('levels deep');
});

test('a null character is rejected at any depth', () => {
  expect(failure({ width: 1, name: 'a\u0000' }).message).toContain('U+0000');
  expect(failure({ width: 1, other: { 'k\u0000': 1 } }).message).toContain('U+0000');
});

test('the error names the field with a null character, unless the field allows it', () => {
  const exact = z.object({ text: withZeros(z.string()), name: z.string() });
  expect(validateInput(exact, { text: 'a\u0000', name: 'b' }).input).toEqual({ text: 'a\u0000', name: 'b' });
  expect(() => validateInput(exact, { text: 'a', name: '\u0000' })).toThrow('name contains a null character');
  expect(() => validateInput(exact, { text: '\ud800', name: 'b' })).toThrow(
    'text contains an unpaired surrogate',
  );
});

test('a long value is not repeated in the error', () => {
  const { details } = failure({ width: 'x'.repeat(1_000_000) });
  expect(JSON.stringify(details).length).toBeLessThan(1000);
});

test.each([
  [{ uri: 'x' }, 'uri must begin with https:// but got "x".'],
  [{ museum: 'louvre' }, 'museum must be one of "", met but got "louvre".'],
  [{ dpi: 72 }, 'dpi must be one of 150, 300 but got 72.'],
  [{ title: [] }, 'title must be text that is not empty but got an array.'],
  [{ whisper: {} }, 'whisper.message is required: text of at most 3 characters.'],
  [{ whisper: { message: 'long' } }, 'whisper.message must be text of at most 3 characters but got "long".'],
  [{ words: ['a', 'b', 'c'] }, 'words must be an array of at most 2 items but got an array.'],
  [{ words: ['a', 5] }, 'words.1 must be text but got 5.'],
])('%j is rejected with a plain-language message', (raw, message) => {
  const odd = z.object({
    uri: z
      .string()
      .regex(/^https:/, 'must begin with https://')
      .optional(),
    museum: z.enum(['', 'met']).optional(),
    dpi: z.union([z.literal(150), z.literal(300)]).optional(),
    title: z.string().min(1, 'must not be empty').optional(),
    whisper: z.object({ message: z.string().max(3) }).optional(),
    words: z.array(z.string()).max(2).optional(),
  });
  expect(failure(raw, odd).details.errors).toMatchObject([{ message }]);
});

test.each([
  [{}, 'wallet is required: 0x followed by 40 hex digits.'],
  [{ wallet: 5 }, 'wallet must be 0x followed by 40 hex digits but got 5.'],
  [{ wallet: WALLET, uri: 5 }, 'uri must be text that begins with https:// but got 5.'],
  [
    { wallet: WALLET, ai: {} },
    /^ai\.at is required: an ISO 8601 date and time with offset, such as 2026-08-02T09:30:00Z\.$/,
  ],
  [
    { wallet: WALLET, ai: { at: 'today' } },
    /^ai\.at must be an ISO 8601 date and time with offset, .* got "today"\.$/,
  ],
])('the error for a formatted text states the format: %j', (raw, message) => {
  const formed = z.object({
    wallet: walletField,
    uri: z
      .string()
      .regex(/^https:/, 'must begin with https://')
      .optional(),
    ai: z.strictObject({ at: momentField }).optional(),
  });
  expect(() => validateInput(formed, raw)).toThrow(message);
});

test('an unpaired surrogate is rejected at any depth', () => {
  expect(failure({ width: 1, note: { deep: ['a\ud800'] } }).message).toContain('an unpaired surrogate');
});

test('a rule after a transformation still reports the received value', () => {
  const address = z
    .string()
    .transform((text) => (text.startsWith('https:') ? text : undefined))
    .refine((url) => url !== undefined, 'must be an https URL');
  expect(() => validateInput(z.object({ address }), { address: 'http://a.test' })).toThrow(
    'address must be an https URL but got "http://a.test".',
  );
});

test.each([[{}], [{ image: '' }], [{ image: 7 }]])(
  'the error for an image in %j names every accepted form',
  (sent) => {
    expect(() => validateInput(z.object({ image: imageField }), sent)).toThrow(
      /image (is required:|must be) base64, an https.*upload:<id> .*\/api\/uploads.*asset:.*result:.*artwork:/,
    );
  },
);

test.each<[unknown]>([[{ toString: 1 }], [{ valueOf: 'x', toString: null }], [[{ toString: 1 }]]])(
  'every field of every tool rejects %j without converting it to text',
  (odd) => {
    for (const { input, examples } of tools) {
      for (const field of Object.keys(input.shape)) {
        const parse = () => validateInput(input, { ...examples[0], [field]: odd });
        expect(refusalOf(parse)).not.toBeInstanceOf(TypeError);
      }
    }
  },
);

function refusalOf(parse: () => unknown): unknown {
  try {
    parse();
    return undefined;
  } catch (error) {
    return error;
  }
}
