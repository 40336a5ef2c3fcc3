import { Writable } from 'node:stream';
import { pino } from 'pino';
import { expect, test } from 'vitest';
import { recordWarnings } from './recent_warnings.ts';

const loggerWith = ({ hooks }: ReturnType<typeof recordWarnings>) =>
  pino({ level: 'info', hooks }, new Writable({ write: (_chunk, _encoding, done) => done() }));

test('warnings and errors are stored newest first, without their other fields', () => {
  const remembered = recordWarnings();
  const logger = loggerWith(remembered);
  logger.info('started');
  logger.warn('disk almost full');
  logger.error({ err: new Error('ENOSPC'), engine: 'resize', token: 'atl_op_secret' }, 'a run failed');
  expect(remembered.recent()).toEqual([
    { at: expect.any(Date), level: 'error', message: 'a run failed', detail: 'resize: ENOSPC' },
    { at: expect.any(Date), level: 'warn', message: 'disk almost full', detail: '' },
  ]);
});

test('refusals have their own list, and at most 100 lines are stored', () => {
  const remembered = recordWarnings();
  const logger = loggerWith(remembered);
  logger.warn({ audit: 'refused' }, 'refused: busy');
  for (let line = 0; line < 150; line += 1) logger.warn(`line ${line} ${'x'.repeat(1_000)}`);
  const lines = remembered.recent();
  expect([lines.length, lines[0]!.message.slice(0, 8), lines[0]!.message.length]).toEqual([
    100,
    'line 149',
    300,
  ]);
});
