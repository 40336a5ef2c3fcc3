import { mkdtemp, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { signingSecret } from './signer.ts';

test('processes that start concurrently agree on one stored key', async () => {
  const folder = join(await mkdtemp(join(tmpdir(), 'atelier-secret-')), 'data');
  const keys = await Promise.all(Array.from({ length: 8 }, () => signingSecret(folder)));
  expect(new Set([...keys, await signingSecret(folder)]).size).toBe(1);
  expect(await readdir(folder)).toEqual(['signing_secret']);
  expect((await stat(join(folder, 'signing_secret'))).mode & 0o777).toBe(0o600);
});

test('a configured key takes precedence', async () => {
  expect(await signingSecret('/nowhere', 'k'.repeat(32))).toBe('k'.repeat(32));
});

test.each(['', '   \n', 'short', `${'x'.repeat(31)}\n`])(
  'a stored key of %j is refused and left unchanged',
  async (text) => {
    const folder = await mkdtemp(join(tmpdir(), 'atelier-secret-'));
    const path = join(folder, 'signing_secret');
    await writeFile(path, text);
    await expect(signingSecret(folder)).rejects.toThrow(/fewer than 32 characters.*delete it/);
    expect(await readFile(path, 'utf8')).toBe(text);
  },
);
