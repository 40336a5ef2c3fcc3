import { expect, test } from 'vitest';
import { AtelierError } from '../errors/atelier_error.ts';
import { mayBeDone } from './may_be_done.ts';

const failing = (code?: string) => Object.assign(new Error('failed'), { code });
const away = (cause?: unknown) => new AtelierError('database_unavailable', undefined, { cause });

test.each([
  ['refused by SQL', failing('23505'), false],
  ['a server that stops', away(failing('57P01')), false],
  ['no server listens', away(failing('ECONNREFUSED')), false],
  ['no server listens, at any address', away(new AggregateError([failing('ECONNREFUSED')])), false],
  ['known to be away, so not asked', away(), false],
  ['cut off', away(failing('ECONNRESET')), true],
  ['cut off, says the client', away(failing()), true],
  ['cut off behind a pooler', away(failing('08P01')), true],
])('%s', (_what, error, expected) => {
  expect(mayBeDone(error)).toBe(expected);
});
