import { expect, test } from 'vitest';
import type { Queryable } from '../../../database/contract.ts';
import { createParts } from './ask_parts.ts';

const answering = (name: string): Queryable => ({
  query: async <Row>(table: string) => [{ from: name, table }] as Row[],
});
const refusing: Queryable = { query: () => Promise.reject(new Error('away')) };
const silent: Queryable = { query: () => new Promise(() => {}) };
const statement = { text: (table: string) => table, values: [] };

test('every part is asked of its own server, in turn', async () => {
  const { rows, away } = await createParts([answering('a'), answering('b')]).ask<object>('t', statement);
  expect(rows.slice(0, 3)).toEqual([
    { from: 'a', table: 't_0' },
    { from: 'b', table: 't_1' },
    { from: 'a', table: 't_2' },
  ]);
  expect(away).toBeUndefined();
});

test.each([
  ['refuses', refusing],
  ['says nothing', silent],
])('the parts of a server that %s are missing, and the answer says how many', async (_, server) => {
  const { rows, away } = await createParts([answering('a'), server], 50).ask('t', statement);
  expect([rows.length, away]).toEqual([4, { parts: 4, of: 8 }]);
});

test('where no part answers, what went wrong is thrown', async () => {
  await expect(createParts([refusing]).ask('t', statement)).rejects.toThrow('away');
});
