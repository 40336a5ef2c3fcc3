import { join, resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readRecords } from '../../../../tests/support/read_records.ts';
import { needs } from '../../../../tests/support/test_requirements.ts';
import type { MuseumName } from './museums.ts';

const SHARED = resolve(import.meta.dirname, '../../../../../shared/museums');
const readFile = (museum: MuseumName, path: string) => readRecords(museum, join(SHARED, path));

/** The number of free works is stated beside the files. */
describe('real files', needs('../shared'), () => {
  test.each<[MuseumName, string, number, number]>([
    ['met', 'met/MetObjects.csv.gz', 1424, 1384],
    ['met', 'met/met-api-objects.jsonl.gz', 1500, 1146],
    ['chicago', 'chicago/artic-api-data.tar.bz2', 78, 47],
    ['chicago', 'chicago/artworks.jsonl.gz', 78, 47],
    ['rijks', 'rijks/oai_dc-pages.tar.gz', 3000, 3000],
    ['cleveland', 'cleveland/data.csv.gz', 441, 199],
    ['cleveland', 'cleveland/data.json.gz', 66, 66],
    ['smithsonian', 'smithsonian', 2041, 1689],
    ['nga', 'nga', 2424, 1686],
  ])('%s: %s gives the expected records', async (museum, path, rows, free) => {
    const { report, records } = await readFile(museum, path);
    expect([report.rows, records.size, report.bad, report.complete]).toEqual([rows, free, 0, true]);
  });

  test('the tar and JSON Lines forms of a dump give the same records', async () => {
    const [tar, jsonl] = [
      await readFile('chicago', 'chicago/artic-api-data.tar.bz2'),
      await readFile('chicago', 'chicago/artworks.jsonl.gz'),
    ];
    expect(tar.records).toEqual(jsonl.records);
  });

  test('nga: works without an open-access statement are left out', async () => {
    const { report } = await readFile('nga', 'nga');
    expect(report.left_out).toEqual({
      'the museum does not state that it is in the public domain': 716,
      'a series or an album, not a work (isvirtual is 1)': 22,
    });
  });

  test('a response without a rights statement gives no records', async () => {
    const { records } = await readFile('paris', 'paris/nodeQuery-uuid.response.json.gz');
    expect(records.size).toBe(0);
  });
});
