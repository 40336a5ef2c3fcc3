import { afterAll, beforeAll, expect, test } from 'vitest';
import { type FakeMuseums, makePicture, startFakeMuseums } from '../../../../tests/support/fake_museums.ts';
import { answerForMuseums } from '../../../../tests/support/museum_answers.ts';
import { openTestApp, type TestApp } from '../../../../tests/support/open_test_app.ts';
import { byYear } from './found_works.ts';
import { PAGE_SEARCHES_PER_MINUTE } from './limits.ts';

/** Works of the starter catalogue; one of each museum is completed from a test server. */
let museums: FakeMuseums;
let app: TestApp;
beforeAll(async () => {
  museums = await startFakeMuseums();
  answerForMuseums(museums, await makePicture());
  app = await openTestApp({
    TRUSTED_PROXIES: '127.0.0.1',
    LIVE_WORKS: 'true',
    ALLOW_PRIVATE_FETCH: 'true',
    MUSEUM_MIRROR: museums.url,
  });
  // A page waits for a museum only briefly; after this request the image is cached.
  await app.get('/iiif/3/met_436535/info.json');
});
afterAll(async () => {
  await app?.close();
  museums?.close();
});

const page = async (path: string, sent: Record<string, string> = { Accept: 'text/html' }) => {
  const { text, status, headers } = await app.get(path, sent);
  return { text, status, policy: headers.get('content-security-policy') };
};
const worksOn = (text: string) => [...text.matchAll(/<li><a href="\/works\/([^"?]+)/g)].map(([, id]) => id!);
const linksOf = (text: string) =>
  [...text.matchAll(/href="(\/collection[^"]*)"/g)].map(([, href]) => href!.replaceAll('&amp;', '&'));

test('the collection page lists search results in rank order with the total count', async () => {
  const { body } = await app.post('/api/tools/search_artworks', { query: 'portrait', limit: 24 });
  const { text } = await page('/collection?query=portrait');
  expect(worksOn(text)).toEqual(body.results.map(({ credit_id }: { credit_id: string }) => credit_id));
  expect(text).toContain(`<b>${body.total_results} works</b>`);
});

test('image URLs stay the same for an hour', async () => {
  const { text } = await page('/collection');
  const ends = [...text.matchAll(/src="\/api\/artworks\/picture[^"]*exp=(\d+)/g)].map(([, exp]) =>
    Number(exp),
  );
  expect([ends.length > 0, ends.filter((exp) => exp % 3600 !== 0)]).toEqual([true, []]);
});

test('page searches are rate-limited per address, and cached searches are free', async () => {
  const search = async (word: string, from: string) =>
    (await page(`/collection?query=${word}`, { Accept: 'text/html', 'X-Forwarded-For': from })).status;
  for (let at = 0; at < PAGE_SEARCHES_PER_MINUTE; at += 1)
    expect([at, await search(`word${at}`, '198.51.100.7')]).toEqual([at, 200]);
  expect([await search('more', '198.51.100.7'), await search('more', '198.51.100.8')]).toEqual([429, 200]);
  // A cached query of another visitor costs nothing.
  expect(await search('more', '198.51.100.7')).toBe(200);
});

test('consecutive pages have no gaps', async () => {
  const first = await page('/collection');
  const next = linksOf(first.text).find((href) => href.includes('from=24'))!;
  const second = await page(next);
  const { body } = await app.post('/api/tools/search_artworks', {
    query: '',
    licence: 'public_domain',
    limit: 48,
  });
  expect([...worksOn(first.text), ...worksOn(second.text)]).toEqual(
    body.results.map(({ credit_id }: { credit_id: string }) => credit_id),
  );
});

test('pagination continues beyond the limit of one search', async () => {
  const seen = await Promise.all(
    [72, 96, 120].map(async (from) => worksOn((await page(`/collection?from=${from}`)).text)),
  );
  expect([seen.map(({ length }) => length), new Set(seen.flat()).size]).toEqual([[24, 24, 24], 72]);
});

test('a page past the last work links to the first, and year order ends with the search', async () => {
  expect((await page('/collection?query=portrait&from=888')).text).toContain('Go to the first page');
  expect((await page('/collection?query=portrait&order=oldest&from=960')).text).toMatch(/1 to \d+ of/);
});

test('works sort by year, with unknown years last in both directions', () => {
  const works = [1700, null, -300, 1889].map((year_from) => ({ year_from }));
  const years = (order: 'oldest' | 'newest') => works.toSorted(byYear(order)).map((work) => work.year_from);
  expect(years('oldest')).toEqual([-300, 1700, 1889, null]);
  expect(years('newest')).toEqual([1889, 1700, -300, null]);
});

test('a facet link returns the stated number of works and can be removed', async () => {
  const { text } = await page('/collection?query=portrait');
  const [, href, count] = /href="([^"]*museum=[^"]*)"[^>]*><span>[^<]*<\/span><span class="count">(\d+)/.exec(
    text,
  )!;
  const { text: narrowed } = await page(href!.replaceAll('&amp;', '&'));
  expect(narrowed).toMatch(new RegExp(`<b>${count} works?</b>`));
  expect(linksOf(narrowed)).toContain('/collection?query=portrait');
});

test('an invalid value is reported next to its field, and the other values are kept', async () => {
  const { text, status } = await page('/collection?query=sea&century=nonsense');
  expect(status).toBe(200);
  expect(text).toMatch(/<p class="lead" id="misasked" role="alert">century must be a single period/);
  expect(text).toMatch(/<input name="century"[^>]*value="nonsense"[^>]*aria-invalid="true"/);
  expect(text).toMatch(/name="query" value="sea"/);
});

test('an empty result suggests filters to remove', async () => {
  const { text } = await page('/collection?query=xyzzyq&museum=met');
  expect(text).toContain(
    'No works match. To find more, <a href="/collection?query=xyzzyq">look in all museums',
  );
});

test('query values are HTML-escaped', async () => {
  const hostile = encodeURIComponent('"><script>alert(1)</script>');
  for (const field of ['query', 'colors', 'medium', 'museum', 'like', 'century', 'order', 'from']) {
    const { text } = await page(`/collection?${field}=${hostile}`);
    expect([field, text]).toEqual([field, expect.not.stringContaining('<script>alert')]);
  }
});

test('the rights record of a fetched work names the source field and the date', async () => {
  const { text } = await page('/works/met_436535');
  expect(text).toContain('<b>Yes, for any purpose.</b>');
  expect(text).toMatch(
    /Its field <code>isPublicDomain<\/code> says <code>true<\/code>. Read \d+ \w+ \d{4}\./,
  );
  expect(text).toMatch(
    /src="\/iiif\/3\/met_436535\/full\/600,400\/0\/default.webp"[^>]*width="600" height="400"/,
  );
});

test('a work that was not fetched from its museum has unknown rights', async () => {
  const { text, status } = await page('/works/met_437853');
  expect(status).toBe(200);
  expect(text).toContain('<b>Unknown. The record was not read from the museum.</b>');
  expect(text).not.toContain('<b>Yes, for any purpose.</b>');
  expect(text).toContain('class="absent"');
});

test('an unknown work id returns 404', async () => {
  for (const id of ['nobody_1', 'a%2F..%2Fb', '%3Cscript%3E'])
    expect([id, (await page(`/works/${id}`)).status]).toEqual([id, 404]);
});

test('the zoom page loads scripts only from this server', async () => {
  const { text, policy } = await page('/works/met_436535/zoom');
  expect(text).toContain('data-service="/iiif/3/met_436535"');
  expect(text).toMatch(/<script defer src="\/pages\/openseadragon\.[0-9a-f]{16}\.js">/);
  expect(policy).toContain("script-src 'self'");
  expect((await page('/works/met_437853/zoom')).status).toBe(404);
});

test('a work page shows a row for each kind of similarity, and the search offers the rest', async () => {
  const { text } = await page('/works/met_437307');
  for (const label of ['composition', 'colours', 'subject'])
    expect(text).toContain(`<h2>Similar ${label}</h2>`);
  const { text: all } = await page('/collection?like=artwork%3Amet_437307&like_by=composition');
  expect(worksOn(all)).not.toContain('met_437307');
  expect(all).toMatch(/like_by=composition" aria-current="true">Composition/);
  expect(linksOf(all)).toContain('/collection?like=artwork%3Amet_437307&like_by=subject');
});
