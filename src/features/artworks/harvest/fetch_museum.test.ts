import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { fetchMuseum } from './fetch_museum.ts';

const folder = mkdtempSync(join(tmpdir(), 'atelier-museums-'));
afterAll(() => rmSync(folder, { recursive: true }));
/** Every URL returns itself, up to one that does not exist. */
const fetching = {
  folder,
  fetch: async (url: unknown) =>
    /npg\/01/.test(String(url)) ? new Response('', { status: 404 }) : new Response(String(url)),
  signal: new AbortController().signal,
  onProgress() {},
};

test('files with the same name in different folders are all kept', async () => {
  await expect(fetchMuseum('smithsonian', fetching)).rejects.toThrow('/npg/01.txt returned status 404');
  const files = ['saam', 'npg'].map((unit) => join(folder, 'smithsonian', unit, '00.txt'));
  expect(files.map((path) => readFileSync(path, 'utf8'))).toEqual([
    expect.stringMatching(/saam\/00\.txt$/),
    expect.stringMatching(/npg\/00\.txt$/),
  ]);
});

test('several files are imported as a folder, one file by its path', async () => {
  const nga = await fetchMuseum('nga', fetching);
  expect(nga).toEqual({
    path: join(folder, 'nga'),
    source: expect.stringMatching(/opendata\/main\/data\/$/),
    isKept: false,
  });
  expect((await fetchMuseum('met', fetching)).path).toBe(join(folder, 'met', 'MetObjects.csv'));
  expect((await fetchMuseum('met', fetching)).isKept).toBe(true);
});
