import { expect, test } from 'vitest';
import type { DirectBlob, DirectTerms } from '../../core/storage/objects/types.ts';
import { untrustedStoredFile } from '../../features/definitions/untrusted_file.ts';
import { storedFileResponse } from './respond.ts';

const ADDRESS = 'https://store.test/bucket/1?X-Amz-Signature=1';
const inStore = (terms: DirectTerms[] = []): DirectBlob =>
  Object.assign(new Blob(['bytes']), {
    addressFor: async (asked: DirectTerms) => {
      terms.push(asked);
      return ADDRESS;
    },
  });
const answer = (bytes: Blob, contentType = 'image/png', init: RequestInit = {}) =>
  storedFileResponse(
    new Request('https://atelier.test/api/results/1', init),
    untrustedStoredFile({ bytes, version: 'v', contentType }, 'private, max-age=60'),
    { cacheSeconds: 0 },
  );

test('a request for a stored file redirects to the object store with the requested lifetime', async () => {
  const terms: DirectTerms[] = [];
  const { status, headers } = await answer(inStore(terms));
  expect([status, headers.get('location'), headers.get('cache-control')]).toEqual([303, ADDRESS, 'no-store']);
  expect(terms).toEqual([
    { contentType: 'image/png', contentDisposition: 'inline', cacheControl: 'private, max-age=60' },
  ]);
});

test.each(['image/svg+xml', 'text/html', 'text/javascript'])(
  'active content from the object store is sent as an attachment: %s',
  async (contentType) => {
    const terms: DirectTerms[] = [];
    await answer(inStore(terms), contentType);
    expect(terms[0]?.contentDisposition).toBe('attachment');
  },
);

test.each([
  ['a file of this server', () => answer(new Blob(['bytes'])), 200],
  ['HEAD', () => answer(inStore(), undefined, { method: 'HEAD' }), 200],
  [
    'an image within a page',
    () => answer(inStore(), undefined, { headers: { 'Sec-Fetch-Dest': 'image' } }),
    200,
  ],
  [
    'a version that the client has',
    () => answer(inStore(), undefined, { headers: { 'If-None-Match': '"v"' } }),
    304,
  ],
])('no redirect is sent for %s', async (_what, ask, status) => {
  expect((await ask()).status).toBe(status);
});
