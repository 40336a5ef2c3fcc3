import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, test } from 'vitest';

const LAUNCHER = resolve(import.meta.dirname, '../../bin/atelier.mjs');
const OLDER_NODE = '/usr/bin/node';
const run = (node: string, ...words: string[]) => spawnSync(node, [LAUNCHER, ...words], { encoding: 'utf8' });
const olderVersion = existsSync(OLDER_NODE) ? spawnSync(OLDER_NODE, ['-v'], { encoding: 'utf8' }).stdout : '';
const isOlder = Number(/^v(\d+)/.exec(olderVersion)?.[1] ?? 99) < 24;

test('the launcher hands words and exit code on', () => {
  expect(run(process.execPath, 'config').stdout).toContain('PORT');
  expect(run(process.execPath, 'nonsense').status).toBe(2);
});

test.skipIf(!isOlder)(
  'under an older Node (skipped where the system has none) it finds the installed one',
  () => {
    expect(run(OLDER_NODE, 'config').stdout).toContain('PORT');
    expect(run(OLDER_NODE, 'nonsense').status).toBe(2);
  },
);
