import { expect, test } from 'vitest';
import { forEachDatabase } from '../../../tests/support/for_each_database.ts';
import { sqlErrorOf } from './sql_error.ts';

forEachDatabase((_name, open) => {
  test('every engine returns the same JavaScript values', async () => {
    const database = await open();
    const [row] =
      await database.query(`select 9007199254740991::int8 as bigint, 1.5::numeric as numeric, array[1, 2]::int8[] as bigints,
      '{"a": [1]}'::jsonb as json, '2026-01-02T03:04:05.678Z'::timestamptz as at, date '2026-01-02' as day, null as nothing,
      true as yes, 'x' as text, '{a,b}'::text[] as texts`);
    expect(row).toEqual({
      bigint: 9007199254740991,
      numeric: 1.5,
      bigints: [1, 2],
      json: { a: [1] },
      at: new Date('2026-01-02T03:04:05.678Z'),
      day: '2026-01-02',
      nothing: null,
      yes: true,
      text: 'x',
      texts: ['a', 'b'],
    });
  });

  test('every engine accepts the same arguments', async () => {
    const database = await open();
    const at = new Date('2026-01-02T03:04:05.678Z');
    const [row] = await database.query(
      'select $1::int8 as n, $2::timestamptz as at, $3::jsonb as json, $4::text as t, $5::text[] as ts, $6::bool as b',
      [5, at, JSON.stringify([{ a: 1 }]), undefined, ['a', 'b'], false],
    );
    expect(row).toEqual({ n: 5, at, json: [{ a: 1 }], t: null, ts: ['a', 'b'], b: false });
  });

  test('an SQL error has its state and the name of the constraint', async () => {
    const database = await open();
    await database.query('create table pots (size int constraint pot_is_small check (size < 10))');
    const error = sqlErrorOf(await database.query('insert into pots values (11)').catch((error) => error));
    expect(error).toMatchObject({ code: '23514', constraint: 'pot_is_small' });
  });

  test('a transaction that throws leaves nothing behind', async () => {
    const database = await open();
    await database.query('create table pots (size int)');
    const work = database.transaction(async (tx) => {
      await tx.query('insert into pots values (1)');
      throw new Error('broken');
    });
    await expect(work).rejects.toThrow('broken');
    expect(await database.query('select * from pots')).toEqual([]);
  });

  test('a failed statement aborts its transaction even if the error is caught', async () => {
    const database = await open();
    await database.query('create table pots (size int)');
    const work = database.transaction(async (tx) => {
      await tx.query('insert into pots values (1)');
      await tx.query('insert into pans values (1)').catch(() => {});
    });
    await expect(work).rejects.toMatchObject({ code: '42P01' });
    expect(await database.query('select * from pots')).toEqual([]);
  });

  test('statements outside a transaction never run inside it', async () => {
    const database = await open();
    await database.query('create table pots (size int)');
    const undone = () =>
      database.transaction(async (tx) => {
        await tx.query('insert into pots values (100)');
        await tx.query('select 1');
        throw new Error('undone');
      });
    const insert = (size: number) => database.query('insert into pots values ($1)', [size]);
    await Promise.allSettled([insert(1), undone(), insert(2), undone(), insert(3), undone(), insert(4)]);
    expect(await database.query('select size from pots order by size')).toEqual([
      { size: 1 },
      { size: 2 },
      { size: 3 },
      { size: 4 },
    ]);
  });

  test('a transaction cannot be used after it ended', async () => {
    const database = await open();
    const tx = await database.transaction(async (tx) => tx);
    await expect(tx.query('select 1')).rejects.toThrow('has ended');
  });

  test('each open returns empty tables', async () => {
    await (await open()).query('create table pots (size int)');
    await (await open()).query('create table pots (size int)');
  });
});
