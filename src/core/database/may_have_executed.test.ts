import { expect, test } from 'vitest';
import { AtelierError } from '../errors/atelier_error.ts';
import { mayHaveExecuted } from './batch_loader.ts';

const failing = (code?: string) => Object.assign(new Error('failed'), { code });
const away = (cause?: unknown) => new AtelierError('database_unavailable', undefined, { cause });

test.each([
  ['a statement refused with an SQL error was not executed', failing('23505'), false],
  ['a server that is shutting down executed nothing', away(failing('57P01')), false],
  ['a refused connection executed nothing', away(failing('ECONNREFUSED')), false],
  [
    'refused connections to all addresses executed nothing',
    away(new AggregateError([failing('ECONNREFUSED')])),
    false,
  ],
  ['a statement that was not sent was not executed', away(), false],
  ['a statement may be executed after a connection reset', away(failing('ECONNRESET')), true],
  ['a statement may be executed after a connection loss reported by the client', away(failing()), true],
  ['a statement may be executed after a connection loss behind a pooler', away(failing('08P01')), true],
])('%s', (_what, error, expected) => {
  expect(mayHaveExecuted(error)).toBe(expected);
});
