import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { SourceProblem } from '../readers/source_problem.ts';
import { importFetched } from './import_fetched.ts';

const folder = mkdtempSync(join(tmpdir(), 'atelier-fetched-'));
afterAll(() => rmSync(folder, { recursive: true }));
const path = join(folder, 'works.csv');

/** A museum that serves these files in order to clients without a cached copy, and counts its requests. */
function museum(...served: string[]) {
  const state = { asked: 0 };
  const find = async () => {
    const isKept = existsSync(path);
    if (!isKept) {
      writeFileSync(path, served[state.asked]!);
      state.asked += 1;
    }
    return { path, source: 'https://museum.test/works.csv', isKept };
  };
  return { state, find };
}

/** Imports all of a valid file, a part of a truncated one, and nothing of a damaged one. */
async function read(found: { path: string }) {
  const text = readFileSync(found.path, 'utf8');
  if (text === 'damaged') throw new SourceProblem('No row could be read.');
  return { report: { complete: text === 'whole' } };
}

test.each(['damaged', 'torn'])('a %s file from an earlier attempt is downloaded again', async (text) => {
  writeFileSync(path, text);
  const { state, find } = museum('whole');
  expect(await importFetched(find, read)).toEqual({ report: { complete: true } });
  expect([state.asked, readFileSync(path, 'utf8')]).toEqual([1, 'whole']);
});

test('a file that is damaged again is deleted and reported after one download', async () => {
  writeFileSync(path, 'damaged');
  const { state, find } = museum('damaged', 'whole');
  await expect(importFetched(find, read)).rejects.toThrow(
    `No row could be read. ${path} was deleted; the next try fetches it anew.`,
  );
  expect([state.asked, existsSync(path)]).toEqual([1, false]);
});

test('works of a file truncated at the museum are imported and the file is deleted', async () => {
  rmSync(path, { force: true });
  const { state, find } = museum('torn', 'whole');
  expect(await importFetched(find, read)).toEqual({ report: { complete: false } });
  expect([state.asked, existsSync(path)]).toEqual([1, false]);
});

test('files are kept after unrelated errors, and local files always', async () => {
  writeFileSync(path, 'damaged');
  const busy = () => Promise.reject(new Error('another import runs'));
  await expect(importFetched(museum().find, busy)).rejects.toThrow('another import runs');
  await expect(importFetched(async () => ({ path }), read)).rejects.toThrow(/^No row could be read\.$/);
  expect(existsSync(path)).toBe(true);
});
