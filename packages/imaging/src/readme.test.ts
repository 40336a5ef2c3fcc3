import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

const ROOM = new URL('..', import.meta.url);

test('the calls of the README run as they stand, and answer what it says', async () => {
  const [, code] = /```ts\n(.*?)```/s.exec(readFileSync(new URL('README.md', ROOM), 'utf8'))!;
  const said = [...code!.matchAll(/\); \/\/ ([^:…\n]+?)(?::.*)?$/gm)].map(([, value]) => value);
  const ran = await promisify(execFile)(process.execPath, ['--input-type=module-typescript', '-e', code!], {
    cwd: ROOM,
  });
  const lines = ran.stdout.split('\n');
  expect(said.length).toBeGreaterThan(5);
  expect(said.filter((value) => !lines.includes(value!))).toEqual([]);
}, 60_000);
