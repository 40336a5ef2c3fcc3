import { expect, test } from 'vitest';
import { readManifest } from './manifest_batches.ts';

const content = { sha256: 'a'.repeat(64), bytes: 10, content_type: 'text/plain', metadata: null };
const at = (second: number, microseconds = '000000') => `2026-01-01T00:00:0${second}.${microseconds}Z`;
const version = (endedAt: string) => ({ ...content, saved_at: at(0), ended_at: endedAt });
const asset = (key: string, ...endedAt: string[]) => ({
  ...content,
  key,
  created_at: at(0),
  saved_at: at(9),
  versions: endedAt.map(version),
});
const about = { wallet: `0x${'a'.repeat(40)}`, server: 'https://old.example' };

function versionsOf(assets: readonly object[], room: { versions: number; bytes: number }): string[] {
  const manifest = {
    format: 'atelier-wallet',
    version: 1,
    ...about,
    exported_at: at(9),
    assets,
    records: [],
  };
  const text = Buffer.from(JSON.stringify(manifest));
  return [...readManifest({ text, sha256: 'b'.repeat(64), ...about, room })].flatMap((batch) =>
    'versions' in batch
      ? JSON.parse(batch.versions).map(
          (row: { key: string; ended_at: string }) => `${row.key} ${row.ended_at}`,
        )
      : [],
  );
}

test.each([
  ['all fit', { versions: 9, bytes: 1000 }, 4],
  ['more versions than the wallet may keep', { versions: 3, bytes: 1000 }, 3],
  ['more bytes than the wallet may keep', { versions: 9, bytes: 29 }, 2],
])('versions of all assets are sorted oldest first, and the oldest are dropped: %s', (_, room, kept) => {
  const assets = [asset('a', at(4), at(2, '000001')), asset('b', at(3), at(2, '000000'))];
  const oldestFirst = [`b ${at(2, '000000')}`, `a ${at(2, '000001')}`, `b ${at(3)}`, `a ${at(4)}`];
  expect(versionsOf(assets, room)).toEqual(oldestFirst.slice(-kept));
});

test('a timestamp with an offset that PostgreSQL cannot store is rejected', () => {
  const assets = [{ ...asset('a', at(4)), saved_at: '2026-01-09T00:00:00.000000+18:00' }];
  expect(() => versionsOf(assets, { versions: 9, bytes: 1000 })).toThrow(
    expect.objectContaining({ code: 'archive_invalid' }),
  );
});
