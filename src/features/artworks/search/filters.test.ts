import { beforeAll, describe, expect, test } from 'vitest';
import { forEachDatabase } from '../../../../tests/support/for_each_database.ts';
import type { ScriptableDatabase } from '../../../core/database/types.ts';
import { writeLive } from '../on_demand/on_demand_store.ts';
import { type ArtworkRecordInput, parseRecord } from '../records/record.ts';
import { readRecord } from '../records/record_store.ts';
import { readEdition } from '../releases/edition_store.ts';
import { importWorks } from '../releases/import_works.ts';
import { type FilterRequest, readFilters } from './read_filters.ts';
import { search } from './search.ts';

const work = (number: number, more: Partial<ArtworkRecordInput>) =>
  parseRecord({
    id: `rijks_${number}`,
    museum: 'rijks',
    title: `Sea ${number}`,
    source_url: 'https://museum.test/',
    rights: { status: 'public_domain', evidence: null, url: 'https://museum.test/rights' },
    ...more,
  });

const image = (width: number | null) => ({ kind: 'file' as const, url: 'https://museum.test/p.jpg', width });
const cc0 = { status: 'cc0' as const, evidence: { field: 'f', value: 'v' }, url: 'https://museum.test/cc0' };

const WORKS = [
  work(1, {
    classification: 'schilderij',
    medium: 'doek, olieverf',
    year_from: 1650,
    year_to: 1660,
    image: image(4000),
    accession_number: 'SK-A-1',
    dimensions: 'hoogte 30 cm × breedte 45,5 cm',
  }),
  work(2, {
    classification: 'prent',
    medium: 'papier',
    year_from: 1790,
    year_to: 1850,
    image: image(null),
    rights: cc0,
  }),
  work(3, {
    dimensions: '120 x 80 mm',
    classification: 'tekening',
    medium: 'krijt',
    year_from: -450,
    year_to: -420,
    image: image(900),
  }),
  work(4, { classification: 'schilderij', medium: 'koper, olieverf', description: 'Eerst op doek.' }),
];

forEachDatabase((_kind, open) => {
  let database: ScriptableDatabase;
  beforeAll(async () => {
    database = await open();
    await importWorks(
      database,
      async function* (report) {
        for (const record of WORKS) {
          report.rows += 1;
          yield record;
        }
      },
      {
        museum: 'rijks',
        source: 'test',
        now: () => new Date(),
        mayLose: async () => true,
        signal: new AbortController().signal,
        onProgress() {},
      },
    );
  });

  const found = async (asked: FilterRequest, query = 'sea', more = {}) => {
    const { number } = (await readEdition(database))!;
    return search(database, number, { query, limit: 10, filters: readFilters(asked), ...more });
  };
  const ids = async (...asked: Parameters<typeof found>) =>
    (await found(...asked)).hits.map(({ record }) => Number(record.id.slice(6))).sort();

  test.each<[FilterRequest, number[]]>([
    [{}, [1, 2, 3, 4]],
    [{ licence: 'cc0' }, [2]],
    [{ licence: 'public_domain' }, [1, 2, 3, 4]],
    [{ hasImage: true }, [1, 2, 3]],
    [{ longSideMin: 900 }, [1, 3]],
    [{ longSideMin: 100_000 }, []],
    [{ medium: 'painting' }, [1, 4]],
    [{ medium: 'Zeichnung' }, [3]],
    [{ medium: 'oil on canvas' }, [1]],
    [{ medium: 'oil painting' }, [1, 4]],
    [{ medium: 'print, drawing' }, [2, 3]],
    [{ century: 17 }, [1]],
    [{ century: '19th century' }, [2]],
    [{ century: '18th century' }, []],
    [{ century: -5 }, [3]],
    [{ yearFrom: 1600 }, [1, 2]],
    [{ yearFrom: -500, yearTo: 0 }, [3]],
    [{ medium: 'painting', hasImage: true, century: 17 }, [1]],
    [{ height: '10-30' }, [1, 3]],
    [{ height: 'max 20', width: '8' }, [3]],
    [{ width: '> 45' }, [1]],
  ])('filters %j keep works %j, with and without query words', async (asked, left) => {
    expect(await ids(asked)).toEqual(left);
    if (Object.keys(asked).length > 0) expect(await ids(asked, '')).toEqual(left);
  });

  test('a filter without results is reported with the count without it', async () => {
    const { total, leftOut } = await found({ medium: 'painting', century: 18, longSideMin: 500 });
    expect([total, leftOut]).toEqual([0, { works: 4, alone: { century: 1 }, sizeUnknown: 0 }]);
    expect((await found({ longSideMin: 1000 })).leftOut).toEqual({
      works: 3,
      alone: { min_px: 3 },
      sizeUnknown: 2,
    });
  });

  test('a work without years matches no queried period', async () => {
    const { total, hits } = await found({}, 'sea 17th century');
    expect([total, hits.map(({ record }) => record.id)]).toEqual([1, ['rijks_1']]);
  });

  test('filters apply to relaxed queries and to object numbers', async () => {
    expect(await ids({ medium: 'print' }, 'sea submarine')).toEqual([2]);
    expect((await found({ medium: 'print' }, 'SK-A-1')).leftOut).toMatchObject({ alone: { medium: 1 } });
    expect(await ids({ medium: 'painting' }, 'SK-A-1')).toEqual([1]);
  });

  test('an empty query finds nothing, or every work of the selected museum', async () => {
    expect(await ids({}, '')).toEqual([]);
    expect(await ids({}, '', { museum: 'rijks' })).toEqual([1, 2, 3, 4]);
    expect((await found({ medium: 'print' }, '')).hits[0]!.why).toBe('filters');
  });

  test('facet counts match the filter results', async () => {
    expect((await found({})).facets).toEqual({
      museum: { rijks: 4 },
      century: { 17: 1, 19: 1 },
      medium: { painting: 2, print: 1, drawing: 1 },
      licence: { cc0: 1, public_domain: 4 },
    });
  });

  test('filters use the latest record fetched from the museum', async () => {
    const { number } = (await readEdition(database))!;
    const { record, sha256 } = (await readRecord(database, number, 'rijks_4'))!;
    expect(await ids({ hasImage: true, medium: 'painting' })).toEqual([1]);
    await writeLive(database, {
      id: record.id,
      museum: 'rijks',
      completes: sha256,
      askedAt: new Date(),
      answers: {},
      record: { ...record, image: { ...image(5000), height: null } },
      sha256: 'x',
      leftOut: null,
    });
    expect(await ids({ hasImage: true, medium: 'painting' })).toEqual([1, 4]);
    expect(await ids({ longSideMin: 4500 }, '')).toEqual([4]);
  });
});

describe('an invalid filter is rejected with the expected value', () => {
  test.each<[FilterRequest, string]>([
    [{ century: 'old' }, 'century must be a single period'],
    [{ century: 0 }, 'century must be a single period'],
    [{ medium: '%_%' }, 'medium must have a word'],
    [{ yearFrom: 1700, yearTo: 1600 }, 'send year_from 1600 and year_to 1700'],
  ])('%j', (asked, message) => {
    expect(() => readFilters(asked)).toThrow(message);
  });
});
