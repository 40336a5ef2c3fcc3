import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

/** Migrations since versions work side by side (docs/operating/upgrade.md). */

const FOLDER = new URL('migrations/', import.meta.url);
/** Servers of versions before it had to be stopped. */
const LAST_THAT_BROKE = '0103_job_leases.sql';
/** Takes a default away, which 0133 gives back. */
const MENDED = '0122_operators.sql';

const later = readdirSync(FOLDER)
  .filter((name) => name > LAST_THAT_BROKE && name !== MENDED)
  .map((name) => {
    const text = readFileSync(new URL(name, FOLDER), 'utf8');
    return { name, text, sql: text.replaceAll(/--.*/g, '') };
  });

/** What a server that does not know of it reads, or leaves out when it writes. */
const TAKES_AWAY = [
  /\bdrop\s+(table|view|column|default|function|type|schema)\b/i,
  /\brename\s+(to|column|constraint)\b/i,
  /\bset\s+not\s+null\b/i,
  /\balter\s+column\s+\w+\s+(set\s+data\s+)?type\b/i,
  /\badd\s+column\s+(?![^;,]*\b(default|generated)\b)[^;,]*\bnot\s+null\b/i,
];

test.each(later)('$name adds only, or says that earlier versions cannot work with it', ({ text, sql }) => {
  const found = TAKES_AWAY.map((pattern) => pattern.exec(sql)?.[0]).filter(Boolean);
  expect(text.startsWith('-- Not for older versions: ') ? [] : found).toEqual([]);
});
