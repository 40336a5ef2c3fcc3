import { sharp } from '@atelier/imaging/codecs/sharp.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type FakeMuseums, makePicture, startFakeMuseums } from '../../../../tests/support/fake_museums.ts';
import { forEachApp } from '../../../../tests/support/for_each_app.ts';
import { answerForMuseums, COMPLETED } from '../../../../tests/support/museum_answers.ts';
import type { TestApp } from '../../../../tests/support/open_test_app.ts';
import { imageIn } from '../../../../tests/support/workspace_calls.ts';

/** Token cost of an image for a model, by its vendor's rule: pixels / 750. */
const IMAGE_TOKENS_MAX = 1500;

forEachApp((open) => {
  let museums: FakeMuseums;
  let app: TestApp;
  beforeAll(async () => {
    museums = await startFakeMuseums();
    answerForMuseums(museums, await makePicture());
    app = await open({ LIVE_WORKS: 'true', MUSEUM_MIRROR: museums.url, ALLOW_PRIVATE_FETCH: 'true' });
  });
  afterAll(async () => {
    await app?.close();
    museums?.close();
  });

  const overMcp = async (args: object) => {
    const params = { name: 'search_artworks', arguments: args };
    return (await app.post('/mcp', { jsonrpc: '2.0', id: 1, method: 'tools/call', params })).body.result;
  };
  // Over MCP, a search may become a job on a busy machine.
  const search = async (args: object) => (await app.post('/api/tools/search_artworks', args)).body;

  test('results are drawn on one numbered contact sheet within the token limit', async () => {
    const result = await overMcp({ query: '', medium: 'painting', limit: 24, sheet: true });
    const { width, height } = await sharp(imageIn(result)).metadata();
    expect((width * height) / 750).toBeLessThan(IMAGE_TOKENS_MAX);
    expect(result.structuredContent.sheet).toMatchObject({ width, height, content_type: 'image/png' });
    expect(result.structuredContent.results).toHaveLength(24);
  });

  test('the contact sheet shows images fetched from museums', async () => {
    const found = await search({ query: COMPLETED[0]![0], sheet: true });
    expect(found.warnings?.join() ?? '').not.toContain('No image was available');
    const sheet = await (await app.fetch(new Request(found.sheet.result_url))).bytes();
    const area = { left: 100, top: 100, width: 1, height: 1 };
    const [red, , blue] = await sharp(sheet).extract(area).raw().toBuffer();
    expect(blue! - red!).toBeGreaterThan(40);
  });

  test('a contact sheet lists works without an image', async () => {
    const found = await search({ query: '', museum: 'paris', limit: 3, sheet: true });
    expect(found.warnings.join()).toContain('No image was available of these works');
  });

  test('term counts cover the collection, a museum or the results', async () => {
    const list = async (args: object) => (await search({ limit: 1, ...args })).terms;
    const all = await list({ query: '', terms: 'artist' });
    expect(all.values).toContainEqual({ term: 'Rembrandt van Rijn', works: expect.any(Number) });
    const rijks = await list({ query: '', museum: 'rijks', terms: 'artist' });
    const found = await list({ query: 'Rembrandt', terms: 'artist' });
    const worksOf = ({ values }: typeof all) =>
      values.find(({ term }: { term: string }) => term === 'Rembrandt van Rijn').works;
    expect(worksOf(found)).toBe(worksOf(all));
    expect([worksOf(rijks) < worksOf(all), rijks.works < all.works, all.total > 50]).toEqual([
      true,
      true,
      true,
    ]);
  });

  test('searching for a listed term finds the counted number of works', async () => {
    const listed = await search({ query: '', terms: 'subject', limit: 1 });
    const [{ term, works }] = listed.terms.values;
    const again = await search({ query: `"${term}"`, terms: 'subject', limit: 1 });
    expect(again.terms.values[0]).toEqual({ term, works });
  });
});
