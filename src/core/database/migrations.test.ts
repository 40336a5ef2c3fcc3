import { globSync, readFileSync } from 'node:fs';
import { relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { listSchemaFiles, SCHEMA_FILES } from './schema_files.ts';

const SOURCES = resolve(import.meta.dirname, '../..');

/** Columns that a server of the previous release reads, or omits when it writes (docs/operating/upgrade.md). */
const REMOVALS = [
  /\bdrop\s+(table|view|column|default|function|type|schema)\b/i,
  /\brename\s+(to|column|constraint)\b/i,
  /\bset\s+not\s+null\b/i,
  /\balter\s+column\s+\w+\s+(set\s+data\s+)?type\b/i,
  /\badd\s+column\s+(?![^;,]*\b(default|generated)\b)[^;,]*\bnot\s+null\b/i,
];

const removalsIn = (text: string): string[] =>
  text.startsWith('-- Not for older versions: ')
    ? []
    : REMOVALS.flatMap((pattern) => pattern.exec(text.replaceAll(/--.*/g, ''))?.[0] ?? []);

test('migrations only add, or state that earlier versions are incompatible', async () => {
  const migrations = (await listSchemaFiles()).slice(SCHEMA_FILES.schema.length);
  expect(migrations.flatMap((file) => removalsIn(readFileSync(file, 'utf8')))).toEqual([]);
});

test.each([
  ['alter table jobs drop column turn;', ['drop column']],
  ['alter table jobs add column why text not null;', ['add column why text not null']],
  ["alter table jobs add column why text not null default '';", []],
  ['-- Not for older versions: they read it.\nalter table jobs drop column turn;', []],
])('removals are recognised: %j', (text, found) => {
  expect(removalsIn(text)).toEqual(found);
});

test('every file of the schema is applied', async () => {
  const listed = (await listSchemaFiles()).map((file) => relative(SOURCES, fileURLToPath(file)));
  expect(globSync('{core,features}/**/*.sql', { cwd: SOURCES }).sort()).toEqual(listed.sort());
});
