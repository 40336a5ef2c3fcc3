import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

const ROOM = new URL('..', import.meta.url);

test('the README examples run and return the documented results', async () => {
  const [, code] = /```ts\n(.*?)```/s.exec(readFileSync(new URL('README.md', ROOM), 'utf8'))!;
  // Here the same names end in .ts, and lead to the sources.
  const program = code!.replaceAll(/(@atelier\/imaging\/\S+)\.js'/g, "$1.ts'");
  const said = [...code!.matchAll(/\); \/\/ ([^:…\n]+?)(?::.*)?$/gm)].map(([, value]) => value);
  const ran = await promisify(execFile)(process.execPath, ['--input-type=module-typescript', '-e', program], {
    cwd: ROOM,
  });
  const lines = ran.stdout.split('\n');
  expect(said.length).toBeGreaterThan(5);
  expect(said.filter((value) => !lines.includes(value!))).toEqual([]);
});
