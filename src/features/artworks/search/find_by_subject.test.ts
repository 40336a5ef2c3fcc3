import { expect, test } from 'vitest';
import { forEachDatabase } from '../../../../tests/support/for_each_database.ts';
import type { ArtworkRecordInput } from '../records/record.ts';
import { parseRecord } from '../records/record.ts';
import { importWorks } from '../releases/import_works.ts';
import { findBySubject, subjectQuery } from './find_by_subject.ts';

const work = (museum: 'met' | 'rijks', number: number, fields: Partial<ArtworkRecordInput>) =>
  parseRecord({
    id: `${museum}_${number}`,
    museum,
    title: 'Untitled',
    source_url: 'https://museum.test/',
    rights: { status: 'cc0', evidence: null, url: 'https://cc0.test/' },
    ...fields,
  });

const horses = work('met', 1, {
  title: 'The Horse Fair',
  tags: ['Horses', 'Men'],
  classification: 'Paintings',
});
const WORKS = [
  horses,
  work('met', 2, { title: 'A Groom', tags: ['Horses', 'Men'], classification: 'Drawings' }),
  work('met', 3, { title: 'Harbour', tags: ['Boats', 'Men'], classification: 'Paintings' }),
  work('met', 4, { title: 'Sugar Bowl', tags: [], classification: 'Silver' }),
];
const OTHERS = [5, 6, 7, 8].map((number) => work('met', number, { title: 'A Party', tags: ['Men'] }));
const DUTCH = work('rijks', 9, { title: 'Ruiter te paard', tags: ['paard'], classification: 'prent' });

forEachDatabase((_kind, open) => {
  const filled = async () => {
    const database = await open();
    for (const [museum, works] of [
      ['met', [...WORKS, ...OTHERS]],
      ['rijks', [DUTCH]],
    ] as const)
      await importWorks(
        database,
        async function* (report) {
          for (const one of works) {
            report.rows += 1;
            yield one;
          }
        },
        {
          museum,
          source: 'test',
          now: () => new Date(),
          signal: new AbortController().signal,
          onProgress() {},
          mayLose: async () => true,
        },
      );
    return database;
  };

  test('works with shared subjects are found across languages, rare subjects first', async () => {
    const hits = await findBySubject(await filled(), 2, horses, []);
    const ids = hits.map(({ id }) => id).filter((id) => id !== 'met_1');
    expect(ids.slice(0, 2)).toEqual(['met_2', 'rijks_9']);
    expect(ids).not.toContain('met_4');
    expect(hits.find(({ id }) => id === 'met_2')!.why()).toBe('subject: Horses, Men');
  });

  test('embedding matches are merged by rank, or returned alone without a record', async () => {
    const near = [{ of: 'similar image content', near: new Map([['met_4', 0.9]]) }];
    const database = await filled();
    const [only, ...none] = await findBySubject(database, 2, undefined, near);
    expect([only!.id, only!.why(), none]).toEqual(['met_4', 'similar image content (similarity 0.90)', []]);
    expect((await findBySubject(database, 2, horses, near)).map(({ id }) => id)).toContain('met_4');
  });
});

test('a subject query uses subjects, distinctive title words and, if these are few, the kind', () => {
  const { names } = subjectQuery(
    work('met', 5, { title: 'Untitled (two boats)', tags: ['Boats', 'boats'], classification: 'Print' }),
  );
  expect(names).toEqual(['Boats', 'two', 'Print']);
});

test('a work without metadata gives an empty subject query', () => {
  expect(subjectQuery(work('met', 6, {})).groups).toEqual([]);
});
