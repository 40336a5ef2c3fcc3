import { expect, test } from 'vitest';
import { forEachDatabase } from '../../../../tests/support/for_each_database.ts';
import { openEmbeddedDatabase } from '../../../../tests/support/open_embedded_database.ts';
import { copyTable } from './copy_database.ts';
import { digestTable, listTables, writeLike } from './tables.ts';

const KINDS = `create table kinds (number bigint generated always as identity, bytes bytea, value jsonb, at timestamptz,
  numbers integer[], ratio real, exact numeric, words text, "Two words" text,
  twice integer generated always as (2) stored)`;
const fill = (
  count: number,
) => `insert into kinds (bytes, value, at, numbers, ratio, exact, words, "Two words")
  select decode(md5(n::text), 'hex'), case when n % 3 > 0 then jsonb_build_object('n', n, 'q', '"\\,(}') end,
    timestamptz '2026-01-01 00:00:00.123456Z' + n * interval '1 hour', array[n, null], n / 3.0, n / 7.0,
    repeat(E', "x" \\\\ \\n', n % 9), ''
  from generate_series(1, ${count}) n`;

forEachDatabase((_kind, open) => {
  test.each([0, 1, 401])('%i rows with values of every type are copied unchanged', async (count) => {
    const [source, target] = [await openEmbeddedDatabase(), await open()];
    for (const database of [source, target]) await database.query(KINDS);
    await source.query(fill(count));
    await target.query(`set timezone = 'Asia/Kolkata'`);
    const [table] = (await listTables(source)).filter(({ name }) => name === 'kinds');
    await target.transaction(async (tx) => {
      await writeLike(source, tx);
      for await (const _ of copyTable(source, tx, table!));
      expect(await digestTable(tx, table!)).toEqual(await digestTable(source, table!));
    });
    const added = await target.query('insert into kinds (words) values (null) returning number');
    expect(added).toEqual([{ number: count + 1 }]);
    await target.query('drop table kinds');
    await source.close();
  });
});
