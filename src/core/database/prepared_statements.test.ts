import { afterAll, beforeAll, expect, test } from 'vitest';
import { openEmbeddedDatabase } from '../../../tests/support/open_embedded_database.ts';
import type { Database } from './types.ts';

let database: Database & { transaction: unknown };
beforeAll(async () => {
  database = await openEmbeddedDatabase();
});
afterAll(() => database.close());

test('failed statements and others can be sent again', async () => {
  const inverse = (number: number) => database.query('select 10 / $1::int as inverse', [number]);
  await expect(inverse(0)).rejects.toMatchObject({ code: '22012' });
  expect(await inverse(5)).toEqual([{ inverse: 2 }]);
  expect(await database.query('select 1 as one')).toEqual([{ one: 1 }]);
});

test('an invalid statement is refused each time', async () => {
  const refused = () => expect(database.query('select from where')).rejects.toMatchObject({ code: '42601' });
  await refused();
  await refused();
});

test('statements beyond the cache size still work, including evicted ones', async () => {
  const numbers = Array.from({ length: 600 }, (_, index) => index % 300);
  for (const number of numbers) {
    expect(await database.query(`select ${number} as number`)).toEqual([{ number }]);
  }
});

test('a wrong number of values is refused', async () => {
  const [few, many] = [[1], [1, 2, 3]].map((values) =>
    database.query('select $1::int + $2::int as sum', values),
  );
  await expect(few).rejects.toMatchObject({ code: '08P01' });
  await expect(many).rejects.toMatchObject({ code: '08P01' });
  expect(await database.query('select $1::int + $2::int as sum', [1, 2])).toEqual([{ sum: 3 }]);
});

test('a column added to a table appears in results', async () => {
  await database.query('create table vases (size int)');
  await database.query('insert into vases values (3)');
  expect(await database.query('select * from vases')).toEqual([{ size: 3 }]);
  await database.query(`alter table vases add column glaze text default 'celadon'`);
  expect(await database.query('select * from vases')).toEqual([{ size: 3, glaze: 'celadon' }]);
});
