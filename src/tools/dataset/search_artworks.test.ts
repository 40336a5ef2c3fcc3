import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestApp, type TestApp } from '../../../tests/support/open_test_app.ts';

let app: TestApp;
beforeAll(async () => {
  app = await openTestApp();
});
afterAll(() => app?.close());

const search = (body: object) => app.post('/api/tools/search_artworks', body);

test('a fresh machine finds well-known works and says how to get the others', async () => {
  const { body, headers } = await search({ query: 'night watch', limit: 3 });
  expect(body.results[0]).toMatchObject({
    credit_id: 'rijks_SK-C-5',
    museum: 'rijks',
    why: expect.any(String),
  });
  expect(body.warnings[0]).toContain('npx atelier dataset pull');
  expect(headers.get('ratelimit-policy')).toContain('"search";q=50;w=3600');
});

test('a fresh machine finds works by colour, as far as it knows their pictures', async () => {
  const { body } = await search({ query: 'portrait', colors: ['#b03020', '#111'] });
  expect(body.results[0].why).toMatch(/colour #b03020: nearest is #\w{6} on \d+ %, distance 0\.\d{3}/);
  expect([body.looks_known, body.total_results]).toEqual([57, body.results.length]);
});

test('what is no picture is no likeness', async () => {
  const { body } = await search({ query: '', like: 'bm8gcGljdHVyZQ==' });
  expect(body).toMatchObject({ status: 415, errors: [{ field: 'like' }] });
});

test('a search that finds nothing is an answer', async () => {
  const { status, body } = await search({ query: 'zzzzzz qqqqqq', museum: 'met' });
  expect([status, body.total_results, body.results]).toEqual([200, 0, []]);
});

test.each([
  [{ query: '' }, 'query'],
  [{ query: '', colors: [] }, 'query'],
  [{ query: 'a', colors: ['blue'] }, 'colors.0'],
  [{ query: 'a', colors: Array(6).fill('#000') }, 'colors'],
  [{ query: 'a', museum: 'louvre' }, 'museum'],
  [{ query: 'a', limit: 101 }, 'limit'],
  [{ query: 'x'.repeat(5000) }, 'query'],
])('%j is refused', async (body, field) => {
  const answer = await search(body);
  expect([answer.status, answer.body.errors[0].field]).toEqual([400, field]);
});

test('the 51st search of an hour has to wait', async () => {
  const own = await openTestApp();
  const statuses = [];
  for (let call = 0; call < 51; call += 1) {
    statuses.push((await own.post('/api/tools/search_artworks', { query: `cypresses ${call}` })).status);
  }
  await own.close();
  expect([statuses.indexOf(429), new Set(statuses).size]).toEqual([50, 2]);
});
