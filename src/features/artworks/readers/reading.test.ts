import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { csvRows } from './csv_rows.ts';
import { jsonArray } from './json_array.ts';
import { jsonLines } from './lines.ts';
import { decompress } from './open_source.ts';
import type { Row } from './row.ts';
import { xmlRecords } from './xml_records.ts';

/** A file that arrives in chunks of a few bytes. */
const file = (content: string | Buffer, piece = 7) => ({
  name: 'f',
  bytes: (async function* () {
    const bytes = Buffer.from(content);
    for (let at = 0; at < bytes.length; at += piece) yield bytes.subarray(at, at + piece);
  })(),
});

async function all<T>(items: AsyncIterable<T>): Promise<T[]> {
  const list: T[] = [];
  for await (const item of items) list.push(item);
  return list;
}
const shown = (rows: readonly Row[]) => rows.map((row) => ('problem' in row ? row.problem : row.value));

test('CSV: byte-order marks, quotes, line breaks and 200 kB cells are read', async () => {
  const long = 'x'.repeat(200_000);
  const rows = await all(
    csvRows(file(`\ufeffid,title\r\n1,"two\r\nlines, ""quoted"""\r\n2,${long}\r\n`, 5000), ['id']),
  );
  expect(shown(rows)).toEqual([
    { id: '1', title: 'two\r\nlines, "quoted"' },
    { id: '2', title: long },
  ]);
});

test('CSV: rows with a wrong cell count or an unclosed quote are skipped', async () => {
  const rows = shown(
    await all(csvRows(file('id,title\n1,a\n2\n3,b,c\n4,d\n5,"never closed\n6,e\n'), ['id'])),
  );
  expect(rows.filter((row) => typeof row === 'object')).toEqual([
    { id: '1', title: 'a' },
    { id: '4', title: 'd' },
  ]);
  expect(rows.filter((row) => typeof row === 'string')).toEqual([
    'another number of cells than the header has',
    'another number of cells than the header has',
    'the file ends inside a quoted cell',
  ]);
});

test('CSV: a file without the required columns is rejected', async () => {
  await expect(all(csvRows(file('a,b\n1,2\n'), ['id', 'a']))).rejects.toThrow('Missing columns: "id"');
});

test('JSON Lines: non-objects are skipped and characters split across chunks are restored', async () => {
  expect(shown(await all(jsonLines(file('{"a":"é"}\nno\n\n[1]\n{"b":2}', 1))))).toEqual([
    { a: 'é' },
    'not JSON',
    'not a JSON object',
    { b: 2 },
  ]);
});

test('JSON array: strings and nested objects are parsed and a truncated end is reported', async () => {
  const text = '[{"a":"}{\\"","b":{"c":[{"d":1}]}},\n{"a":2},{"a":';
  expect(shown(await all(jsonArray(file(text))))).toEqual([
    { a: '}{"', b: { c: [{ d: 1 }] } },
    { a: 2 },
    'the file ends inside it',
  ]);
});

test('XML: DOCTYPE entities are not expanded', async () => {
  const bomb = '<!DOCTYPE r [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]><r><record><t>&b;</t></record></r>';
  await expect(all(xmlRecords(file(bomb), 'record'))).rejects.toThrow('damaged');
});

/** XML of up to a million times the length, in chunks of 64 kB. */
const xml = (...parts: string[]) => all(xmlRecords(file(parts.join(''), 65_536), 'record'));

test.each<[string, readonly string[]]>([
  ['many elements', ['<r><record>', '<a/>'.repeat(20_000), '</record></r>']],
  ['deep nesting', ['<r><record>', '<a>'.repeat(200), '</a>'.repeat(200), '</record></r>']],
  ['long text', ['<r><record>', 'x'.repeat(5e6), '</record></r>']],
  ['a long attribute', ['<r><record a="', 'x'.repeat(5e6), '"/></r>']],
  ['many attributes between records', ['<r><record/><b ', 'x="" y="" '.repeat(500_000), '/></r>']],
])('XML: a record with %s is rejected', async (_, parts) => {
  await expect(xml(...parts)).rejects.toThrow(/above the maximum size|damaged/);
});

test('XML: a long file of short records is read', async () => {
  const records = await xml('<r>', '<record><a b="c">text</a></record>'.repeat(200_000), '</r>');
  expect(records).toHaveLength(200_000);
});

test('CSV: a header with more than 1,000 columns is rejected', async () => {
  const header = Array.from({ length: 1001 }, (_, at) => `c${at}`).join(',');
  await expect(all(csvRows(file(`${header}\n1\n`, 5000), ['c0']))).rejects.toThrow('1001 columns');
});

test('gzip: valid data is decompressed, truncated data and bombs are rejected', async () => {
  const zipped = gzipSync('hello '.repeat(1000));
  expect(Buffer.concat(await all(decompress(file(zipped, 100).bytes))).length).toBe(6000);
  await expect(all(decompress(file(zipped.subarray(0, -20), 10).bytes))).rejects.toThrow('truncated');
  const bomb = gzipSync(Buffer.alloc(100_000_000));
  const read = async () => {
    for await (const _ of decompress(file(bomb, 20_000).bytes));
  };
  await expect(read()).rejects.toThrow('beyond the limit');
});
