import { expect, test } from 'vitest';
import { artworkRecord } from '../records/record.ts';
import type { StoredRecord } from '../records/record_store.ts';
import { SNAPSHOT_FIELDS, snapshotLine } from './snapshot_fields.ts';

const image = { kind: 'file', url: 'https://pictures.test/1.jpg' };
const record = artworkRecord.parse({
  id: 'met_1',
  museum: 'met',
  title: 'A wave',
  source_url: 'https://met.test/1',
  image,
  artists: [{ name: 'One' }, { name: 'Two' }],
  rights: { status: 'cc0', url: 'https://cc.test/', evidence: { field: 'Is Public Domain', value: 'True' } },
});
const line = (work: Partial<StoredRecord> = {}) =>
  snapshotLine({ record, sha256: 'ab', seenOn: '2026-01-02', ...work });

test('a line states that an image exists but not its URL', () => {
  expect(JSON.parse(line())).toMatchObject({
    has_image: true,
    artists: ['One', 'Two'],
    rights_value: 'True',
  });
  expect(line()).not.toContain('pictures.test');
});

test('every line has all columns in a fixed order without nesting', () => {
  const members = Object.entries(JSON.parse(line({ record: { ...record, image: null }, seenOn: null })));
  expect(members.map(([name]) => name)).toEqual(SNAPSHOT_FIELDS.map(({ name }) => name));
  const objects = members.filter(([, value]) => typeof value === 'object' && value !== null);
  expect(objects.every(([, value]) => Array.isArray(value))).toBe(true);
});
