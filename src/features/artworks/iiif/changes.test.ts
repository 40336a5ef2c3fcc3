import { expect, test } from 'vitest';
import { forEachDatabase } from '../../../../tests/support/for_each_database.ts';
import { withdraw } from '../dataset.ts';
import { parseRecord } from '../records/record.ts';
import { readPage } from '../records/record_store.ts';
import { importWorks } from '../releases/import_works.ts';
import type { Artworks } from '../types.ts';
import { countChanges } from './change_store.ts';
import { createIiif } from './iiif.ts';

const work = (number: number, title: string, hasPicture = true) =>
  parseRecord({
    id: `met_${number}`,
    museum: 'met',
    title,
    source_url: 'https://museum.test/1',
    image: hasPicture ? { kind: 'file', url: 'https://museum.test/1.jpg' } : null,
    rights: {
      status: 'cc0',
      evidence: { field: 'isPublicDomain', value: 'true' },
      url: 'https://creativecommons.org/publicdomain/zero/1.0/',
    },
  });

forEachDatabase((_, open) => {
  test('each addition, update, removal and withdrawal is listed once, in publication order', async () => {
    const database = await open();
    const publish = (...records: ReturnType<typeof work>[]) =>
      importWorks(
        database,
        async function* (report) {
          for (const record of records) {
            report.rows += 1;
            yield record;
          }
        },
        {
          museum: 'met',
          source: 'a test',
          now: () => new Date(),
          onProgress() {},
          signal: new AbortController().signal,
          mayLose: async () => true,
        },
      );
    await publish(work(1, 'One'), work(2, 'Two'), work(3, 'Three', false), work(4, 'Four'));
    await publish(work(1, 'One'), work(2, 'Two, cleaned'), work(3, 'Three'), work(5, 'Five', false));
    await withdraw(database, { id: 'met_1', reason: 'asked for', now: new Date() });
    const number = (await countChanges(database)).at(-1)!.edition;
    const artworks = {
      edition: async () => ({ number }),
      page: async (asked: { limit: number }) => ({ works: await readPage(database, number, asked) }),
    } as unknown as Artworks;
    const iiif = createIiif({
      database,
      artworks,
      folder: '',
      reserve: undefined,
      publicUrl: 'https://a.test',
      isOn: true,
      pixels: { run: () => Promise.reject(new Error('nothing is made here')) },
    });
    const list = (await iiif.changes()) as Record<string, { id: string }> & { totalItems: number };
    expect(list).toMatchObject({
      type: 'OrderedCollection',
      totalItems: 7,
      last: { id: 'https://a.test/iiif/changes/3-1' },
    });
    const told: string[] = [];
    const starts: number[] = [];
    for (let at: string | undefined = list.last!.id; at; ) {
      // biome-ignore lint/suspicious/noExplicitAny: a document of the Change Discovery API
      const page: any = await iiif.changes(at.split('/').at(-1));
      told.unshift(
        ...page.orderedItems.map(
          ({ type, object }: { type: string; object: { id: string } }) =>
            `${type} ${object.id.split('_')[1]}`,
        ),
      );
      starts.unshift(page.startIndex);
      at = page.prev?.id;
    }
    expect(told).toEqual([
      'Create 1',
      'Create 2',
      'Create 4',
      'Update 2',
      'Create 3',
      'Delete 4',
      'Delete 1',
    ]);
    expect(starts).toEqual([0, 3, 6]);
    await expect(iiif.changes('9-9')).rejects.toMatchObject({ code: 'not_found' });
  });
});
