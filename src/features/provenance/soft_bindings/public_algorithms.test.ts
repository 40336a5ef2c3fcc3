import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { PUBLIC_ALGORITHMS, publicAlgorithm } from './public_algorithms.ts';

const PAGE = readFileSync(new URL('../../../../docs/concepts/coming_back.md', import.meta.url), 'utf8');
const ENTRIES = JSON.parse(/```json\n(\[[\s\S]+?\n\])\n```/.exec(PAGE)![1]!);

test('each algorithm is listed once, under a name the list permits', () => {
  const names = PUBLIC_ALGORITHMS.map(({ alg }) => alg);
  expect(new Set(names).size).toBe(names.length);
  for (const name of names) expect(name).toMatch(/^[A-Za-z]{2,63}(\.[A-Za-z0-9-]+)+$/);
});

test('a listed algorithm has its vendor, and an unlisted one is unknown', () => {
  expect(publicAlgorithm('com.adobe.trustmark.P')).toMatchObject({ identifier: 13, type: 'watermark' });
  expect(publicAlgorithm('com.example.1')).toBeUndefined();
});

test('our entries have the fields required by the schema of the list', () => {
  expect(ENTRIES).toHaveLength(2);
  for (const entry of ENTRIES)
    expect(entry).toEqual({
      identifier: 0,
      alg: expect.stringMatching(/^io\.github\.atelier\.\w+\.1$/),
      type: expect.stringMatching(/^(watermark|fingerprint)$/),
      decodedMediaTypes: ['image'],
      entryMetadata: {
        description: expect.any(String),
        dateEntered: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/),
        contact: expect.any(String),
        informationalUrl: expect.any(String),
      },
    });
});
