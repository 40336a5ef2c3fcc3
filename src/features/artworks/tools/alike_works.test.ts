import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestApp, type TestApp } from '../../../../tests/support/open_test_app.ts';

/** Works of the starter catalogue: none has an image here, but 57 have a visual descriptor. */
let app: TestApp;
beforeAll(async () => {
  app = await openTestApp();
});
afterAll(() => app?.close());

const search = (body: object) => app.post('/api/tools/search_artworks', { query: '', ...body });
const idsOf = ({ results }: { results: { credit_id: string }[] }) =>
  results.map(({ credit_id }) => credit_id);

/** A work with a visual descriptor but no image. */
const POPLARS = 'met_437307';

test.each(['composition', 'color'])(
  'works similar by %s state their reason and exclude the work itself',
  async (by) => {
    const { body, status } = await search({ like_work: POPLARS, like_by: by });
    expect(status).toBe(200);
    expect(body.results.length).toBeGreaterThan(0);
    expect(idsOf(body)).not.toContain(POPLARS);
    const reason =
      by === 'color' ? /^colour: distance 0\.\d{3}; #/ : /^composition: light and dark \d+ % similar/;
    for (const { why } of body.results) expect(why).toMatch(reason);
  },
);

test('a work without an image has similar works by subject', async () => {
  const { body } = await search({ like_work: 'artwork:rijks_SK-C-5', like_by: 'subject', limit: 5 });
  expect(body.results[0].why).toMatch(/^subject: /);
  expect([idsOf(body).includes('rijks_SK-C-5'), body.looks_known]).toEqual([false, undefined]);
});

test('filters apply to similar works and pages are consecutive', async () => {
  const asked = { like_work: POPLARS, like_by: 'subject' };
  const { body: all } = await search({ ...asked, limit: 100 });
  const { body: page } = await search({ ...asked, limit: 5, offset: 5 });
  expect(idsOf(page)).toEqual(idsOf(all).slice(5, 10));
  const { body: filtered } = await search({ ...asked, century: 19, limit: 100 });
  expect(filtered.facets.century).toEqual({ 19: filtered.total_results });
  expect(filtered.total_results).toBeLessThan(all.total_results);
});

test('a misspelt, conflicting or missing parameter is rejected with a remedy', async () => {
  const spelled = await search({ like_work: POPLARS, like_by: 'colour' });
  expect(spelled.body.try).toEqual({ query: '', like_work: POPLARS, like_by: 'color' });
  const nothing = await search({ query: 'sea', like_by: 'subject' });
  expect([nothing.status, nothing.text]).toEqual([400, expect.stringContaining('needs like_work')]);
  expect((await search({ like: `artwork:${POPLARS}`, like_work: POPLARS })).status).toBe(400);
});

test('an unknown work returns 404 and a missing image suggests an alternative', async () => {
  expect((await search({ like_work: 'met_999999999', like_by: 'subject' })).status).toBe(404);
  const { body } = await search({ like_work: 'rijks_SK-C-5', like_by: 'composition' });
  expect(JSON.stringify(body)).toContain('like_by \\"subject\\" needs none');
});
