import { expect, test } from 'vitest';
import { collectionOfAll, collectionOfParts, collectionOfWorks } from './presentation.ts';

const addresses = {
  service: (id: string, version: 2 | 3) => `https://a.test/iiif/${version}/${id}`,
  manifest: (id: string) => `https://a.test/iiif/manifest/${id}`,
  collection: (museum?: string, part?: number) => ['https://a.test', museum, part].filter(Boolean).join('/'),
};

test('collections of museums and of parts link to their parents with partOf', () => {
  const counted = { museum: 'met', works: 1201 } as const;
  expect(collectionOfAll([counted], addresses)).toMatchObject({
    items: [{ id: 'https://a.test/met', type: 'Collection' }],
  });
  expect(collectionOfParts(counted, 500, addresses)).toMatchObject({
    partOf: [{ id: 'https://a.test' }],
    items: [
      { id: 'https://a.test/met/1', label: { en: ['Works 1 to 500 of 1201'] } },
      { id: 'https://a.test/met/2' },
      { id: 'https://a.test/met/3', label: { en: ['Works 1001 to 1201 of 1201'] } },
    ],
  });
  expect(collectionOfWorks({ museum: 'met', part: 3 }, [], addresses)).toMatchObject({
    id: 'https://a.test/met/3',
    partOf: [{ id: 'https://a.test/met' }],
    items: [],
  });
});
