import { expect, test } from 'vitest';
import { tools } from '../../features/tools.ts';
import { THUMBNAILS_KEY, thumbnailsMeta } from './answer_call.ts';
import { THUMBNAILS_MAX } from './limits.ts';

const artworks = { link: (id: string, size: string) => ({ url: `https://atelier.test/${id}/${size}` }) };
const metaOf = (name: string, body: Record<string, unknown>) =>
  thumbnailsMeta({ artworks } as never, tools.find((tool) => tool.name === name)!, body)[THUMBNAILS_KEY];
const work = (id: number, more: object) => ({ credit_id: `met_${id}`, ...more });

test('works with an image get a thumbnail link', () => {
  const results = [work(1, { image_available: true }), work(2, { image_available: false })];
  const downloads = [work(3, { download_url: 'https://atelier.test/3' }), work(4, { download_url: null })];

  expect(metaOf('search_artworks', { results })).toEqual({ met_1: 'https://atelier.test/met_1/small' });
  expect(metaOf('batch_download', { downloads })).toEqual({ met_3: 'https://atelier.test/met_3/small' });
});

test('thumbnails are limited to one view, and responses without images have none', () => {
  const results = Array.from({ length: 1000 }, (_, id) => work(id, { image_available: true }));

  expect(Object.keys(metaOf('search_artworks', { results })!)).toHaveLength(THUMBNAILS_MAX);
  expect(metaOf('search_artworks', { results: [null, 'x', work(1, {})] })).toBeUndefined();
  expect(metaOf('verify_provenance', { matches: results })).toBeUndefined();
});
