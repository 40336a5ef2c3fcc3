import { expect, test } from 'vitest';
import { forEachDatabase } from '../../../../tests/support/for_each_database.ts';
import { parseRecord } from '../records/record.ts';
import { readSources } from './edition_store.ts';
import { importWorks } from './import_works.ts';

const work = (number: number) =>
  parseRecord({
    id: `met_${number}`,
    museum: 'met',
    title: `Work ${number}`,
    source_url: 'https://museum.test',
    rights: { status: 'cc0', evidence: { field: 'f', value: 'v' }, url: 'https://museum.test' },
  });

forEachDatabase((_, openDatabase) => {
  test('the sources of a museum are its last full import and later partial imports', async () => {
    const database = await openDatabase();
    const read = (source: string, isPart: boolean) =>
      importWorks(
        database,
        async function* (report) {
          report.rows += 1;
          yield work(1);
        },
        {
          museum: 'met',
          source,
          isPart,
          now: () => new Date(),
          onProgress() {},
          signal: new AbortController().signal,
        },
      );
    const sources = async () =>
      (await readSources(database, 99)).map(({ source, report }) => [source, report.part === true]);
    await read('old.csv', false);
    await read('a.csv', true);
    await read('b.csv', true);
    await read('a.csv', true);
    expect(await sources()).toEqual([
      ['old.csv', false],
      ['b.csv', true],
      ['a.csv', true],
    ]);
    await read('new.csv', false);
    expect(await sources()).toEqual([['new.csv', false]]);
  });
});
