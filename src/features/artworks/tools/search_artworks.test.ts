import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestApp, type TestApp } from '../../../../tests/support/open_test_app.ts';

let app: TestApp;
beforeAll(async () => {
  app = await openTestApp();
});
afterAll(() => app?.close());

const search = (body: object) => app.post('/api/tools/search_artworks', body);

test('a new installation finds well-known works and states the source of its records', async () => {
  const { body, headers } = await search({ query: 'night watch', limit: 3 });
  expect(body.results[0]).toMatchObject({
    credit_id: 'rijks_SK-C-5',
    museum: 'rijks',
    why: expect.any(String),
  });
  expect(body.warnings).toEqual([expect.stringContaining('starter catalogue')]);
  expect(JSON.stringify(body)).not.toContain('npx atelier');
  expect(headers.get('ratelimit-policy')).toContain('"search";q=50;w=3600');
});

test('a new installation finds works by colour from shipped descriptors', async () => {
  const { body } = await search({ query: 'portrait', colors: ['#b03020', '#111'] });
  expect(body.results[0].why).toMatch(/colour #b03020: nearest is #\w{6} on \d+ %, distance 0\.\d{3}/);
  expect([body.looks_known, body.total_results]).toEqual([57, body.results.length]);
});

test('a query that cannot find anything is answered with the reason', async () => {
  const { status, body } = await search({ query: '"!?"' });
  expect([status, body.total_results]).toEqual([200, 0]);
  expect(body.warnings).toContainEqual(expect.stringContaining('no letters or digits'));
});

test('colours can be given by name', async () => {
  const byName = await search({ query: '', colors: ['dark green'] });
  const byHex = await search({ query: '', colors: ['#2b4a33'] });
  expect(byName.body.results.length).toBeGreaterThan(0);
  expect(byName.body.results).toEqual(byHex.body.results);
});

test('filters work alone and combined with words, colours and numbers', async () => {
  const { body } = await search({ query: '', medium: 'painting', century: '17th century', limit: 50 });
  expect(body.total_results).toBe(body.facets.medium.painting);
  expect(Object.keys(body.facets.century)).toEqual(['17']);
  const colored = await search({ query: '', colors: ['brown'], century: 19 });
  expect(Object.keys(colored.body.facets.century)).toEqual(['19']);
  const none = await search({ query: '', colors: ['brown'], century: 19, medium: 'coin' });
  expect(none.body.next_steps[0].params).toEqual({ query: '', limit: 20, colors: ['#6e4a2c'], century: 19 });
  expect((await search({ query: 'SK-C-5', century: 17 })).body.results).toHaveLength(1);
});

test.each([{ query: 'portrait' }, { query: '', medium: 'painting' }, { query: '', colors: ['brown'] }])(
  'pages of %j are consecutive',
  async (asked) => {
    const ids = async (part: object) =>
      (await search({ ...asked, ...part })).body.results.map((work: { credit_id: string }) => work.credit_id);
    const whole = await ids({ limit: 25 });
    expect([...(await ids({ limit: 10 })), ...(await ids({ limit: 15, offset: 10 }))]).toEqual(whole);
    const { body } = await search({ ...asked, offset: 900 });
    expect([body.results, body.has_more, body.warnings.join()]).toEqual([
      [],
      false,
      expect.stringContaining(`Only ${body.total_results} works were found`),
    ]);
  },
);

test('a filter without results suggests a call without the filter', async () => {
  const { body } = await search({ query: 'night watch', museum: 'rijks', century: 17, medium: 'photograph' });
  expect([body.total_results, body.left_out.medium > 0]).toEqual([0, true]);
  expect(body.warnings.join()).toContain(`medium ${body.left_out.medium}`);
  const { params } = body.next_steps[0];
  expect(params).toEqual({ query: 'night watch', museum: 'rijks', limit: 20, century: 17 });
  expect((await search(params)).body.total_results).toBe(body.left_out.medium);
});

test('a value of like that is not an image is rejected', async () => {
  const { body } = await search({ query: '', like: 'bm8gcGljdHVyZQ==' });
  expect(body).toMatchObject({ status: 415, errors: [{ field: 'like' }] });
});

test('a search without results returns 200', async () => {
  const { status, body } = await search({ query: 'zzzzzz qqqqqq', museum: 'met' });
  expect([status, body.total_results, body.results]).toEqual([200, 0, []]);
});

test.each([
  [{ query: '' }, 'query'],
  [{ query: '', colors: [] }, 'query'],
  [{ query: 'a', colors: ['bluish-ish'] }, 'colors.0'],
  [{ query: 'a', century: 'long ago' }, 'century'],
  [{ query: 'a', century: 17.5 }, 'century'],
  [{ query: 'a', century: { toString: 1 } }, 'century'],
  [{ query: 'a', medium: '%_%' }, 'medium'],
  [{ query: 'a', year_from: 1700, year_to: 1600 }, 'year_to'],
  [{ query: 'a', min_px: -1 }, 'min_px'],
  [{ query: 'a', has_image: 'maybe' }, 'has_image'],
  [{ query: 'a', licence: 'cc-by' }, 'licence'],
  [{ query: 'a', medium: 'x'.repeat(101) }, 'medium'],
  [{ query: 'a', colors: Array(6).fill('#000') }, 'colors'],
  [{ query: 'a', museum: 'louvre' }, 'museum'],
  [{ query: 'a', limit: 101 }, 'limit'],
  [{ query: 'a', offset: 901 }, 'offset'],
  [{ query: 'a', offset: -1 }, 'offset'],
  [{ query: 'x'.repeat(5000) }, 'query'],
])('%j is rejected', async (body, field) => {
  const answer = await search(body);
  expect([answer.status, answer.body.errors[0].field]).toEqual([400, field]);
});

test('the 51st search within an hour is rate limited', async () => {
  const own = await openTestApp();
  const statuses = [];
  for (let call = 0; call < 51; call += 1) {
    statuses.push((await own.post('/api/tools/search_artworks', { query: `cypresses ${call}` })).status);
  }
  await own.close();
  expect([statuses.indexOf(429), new Set(statuses).size]).toEqual([50, 2]);
});

test('an area filter finds works by place, as a circle or a box', async () => {
  const circle = await search({ query: '', area: '48.85,2.35,10', limit: 100 });
  const box = await search({ query: '', area: '48.8,2.3,48.9,2.4', limit: 100 });
  expect(circle.body.total_results).toBeGreaterThan(0);
  expect(box.body.results).toEqual(circle.body.results);
  const { body } = await search({ query: 'night watch', area: '48.85,2.35,10' });
  expect(body.left_out.area).toBeGreaterThan(0);
});

test('an invalid area is rejected with an example', async () => {
  const { status, body } = await search({ query: '', area: 'somewhere near Paris' });
  expect([status, body.errors[0].field, body.detail]).toEqual([
    400,
    'area',
    expect.stringContaining('48.85,2.35,50'),
  ]);
});
