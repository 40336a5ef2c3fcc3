import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, expect, test } from 'vitest';
import { openSource } from '../readers/open_source.ts';
import { prepareBatches } from './import_works.ts';
import { readInThread } from './read_in_thread.ts';
import { readMuseum } from './read_museum.ts';
import { emptyReport } from './report.ts';

// Each thread loads the importers again.

const folder = mkdtempSync(join(tmpdir(), 'atelier-reading-'));
afterAll(() => rmSync(folder, { recursive: true }));

function file(name: string, content: string | Buffer): string {
  writeFileSync(join(folder, name), content);
  return join(folder, name);
}

const answers = Array.from({ length: 600 }, (_, at) =>
  JSON.stringify({ objectID: at + 1, isPublicDomain: at !== 7, title: `Work ${at}`, primaryImage: '' }),
);
const reading = (path: string, worksMax?: number) => ({ museum: 'met' as const, path, worksMax });

async function all<T>(batches: AsyncIterable<readonly T[]>): Promise<T[]> {
  const list: T[] = [];
  for await (const batch of batches) list.push(...batch);
  return list;
}

test('a worker thread reads the same works and counts as the main thread', async () => {
  const path = file('works.jsonl', [...answers, 'not json'].join('\n'));
  const [there, here] = [emptyReport(), emptyReport()];
  const works = [];
  for await (const batch of readInThread(reading(path), there)) {
    works.push(...batch);
    there.left_out['withdrawn on request'] = 3;
  }
  expect(works).toEqual(await all(prepareBatches(readMuseum('met', openSource(path), here))));
  // Withdrawn works are counted by the writing thread.
  expect(there).toEqual({ ...here, left_out: { ...here.left_out, 'withdrawn on request': 3 } });
  expect([works.length, there.rows, there.bad]).toEqual([599, 601, 1]);
  expect((await all(readInThread(reading(path, 5), emptyReport()))).length).toBe(5);
});

test('a truncated file yields its complete rows and an unknown format the same error', async () => {
  const whole = gzipSync(answers.map((line) => line.replace('Work', `${Math.random()}`)).join('\n'));
  const report = emptyReport();
  const cut = file('cut.jsonl.gz', whole.subarray(0, whole.length / 2));
  expect((await all(readInThread(reading(cut), report))).length).toBeGreaterThan(100);
  expect(report).toMatchObject({ complete: false, bad: 1 });
  await expect(all(readInThread(reading(file('a.csv', 'a,b\n1,2\n')), emptyReport()))).rejects.toMatchObject({
    name: 'SourceProblem',
    message: expect.stringContaining('Missing columns: "Object ID"'),
  });
});
