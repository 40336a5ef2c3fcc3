import { expect, test } from 'vitest';
import { AtelierError } from '../core/errors/atelier_error.ts';
import { asAtelierError, withWholeTry } from './errors.ts';

const failing = (more: object, message = 'failed') => Object.assign(new Error(message), more);

test.each([
  ['a write to a full disk', failing({ code: 'ENOSPC' })],
  ['a write over the disk quota', failing({ code: 'EDQUOT' })],
  ['a PostgreSQL statement without disk space', failing({ code: '53100' })],
  [
    'a database stopped by a full disk',
    failing({ cause: failing({}, 'could not extend: No space left on device') }),
  ],
])('%s is storage_full with a retry time', (_what, error) => {
  expect(asAtelierError(error)).toMatchObject({
    code: 'storage_full',
    status: 503,
    details: { retryAfterSeconds: 300 },
  });
});

test('any other error is an internal error', () => {
  expect(asAtelierError(failing({ code: '23505' })).code).toBe('internal_error');
});

test('the suggested input has all fields of the call, with placeholders for long values', () => {
  const error = new AtelierError('invalid_input', 'wrong', { try: { width: 5 } });
  const raw = { image: 'A'.repeat(300), width: 0, format: 'png' };
  expect(withWholeTry(error, raw)).toMatchObject({
    code: 'invalid_input',
    details: { try: { image: '<the same image>', width: 5, format: 'png' } },
  });
});

test('an error without a suggestion is unchanged', () => {
  const error = new AtelierError('busy');
  expect(withWholeTry(error, { width: 0 })).toBe(error);
});
