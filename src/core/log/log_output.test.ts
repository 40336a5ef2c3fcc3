import { expect, test } from 'vitest';
import { readableLine } from './log_output.ts';

test('text output shows time, level, message and fields', () => {
  const line = JSON.stringify({
    level: 40,
    time: 0,
    pid: 1,
    hostname: 'h',
    engine: 'resize',
    msg: 'it is late',
  });
  expect(readableLine(line)).toBe('00:00:00 warn it is late engine=resize');
});

test('the stack of an error follows its line', () => {
  const line = JSON.stringify({
    level: 50,
    time: 0,
    msg: 'it failed',
    err: { message: 'x', stack: 'Error: x\n  at y' },
  });
  expect(readableLine(line)).toBe('00:00:00 error it failed\n    Error: x\n      at y');
});
