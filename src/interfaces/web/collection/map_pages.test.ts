import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestApp, type TestApp } from '../../../../tests/support/open_test_app.ts';
import { clusterPoints } from './map_page.ts';
import { frameAround, WORLD } from './world_map.ts';

let app: TestApp;
beforeAll(async () => {
  app = await openTestApp();
});
afterAll(async () => {
  await app?.close();
});

const page = async (path: string) => {
  const { text, status } = await app.get(path, { Accept: 'text/html' });
  return { text, status };
};
const hrefs = (text: string, of: RegExp) =>
  [...text.matchAll(of)].map(([, href]) => href!.replaceAll('&amp;', '&'));

test('the map has a labelled dot per place that links to its works', async () => {
  const { text } = await page('/collection/map');
  const [several] = hrefs(text, /<a href="([^"]+)" aria-label="[^":]+ near it: \d+ works"><circle/g);
  const [one] = hrefs(text, /<a href="([^"]+)" aria-label="[^": ]+: \d+ works?"><circle/g);
  expect((await page(several!)).text).toContain('Show the whole world');
  expect((await page(one!)).text).toContain('<li><a href="/works/');
});

test('each place listed below the map links to the stated number of works', async () => {
  const { text } = await page('/collection/map');
  const [, href = '', count] = /<li><a href="([^"]+)"><span>[^<]+<\/span> <span class="count">([\d,]+)/.exec(
    text,
  )!;
  const { text: list } = await page(href.replaceAll('&amp;', '&'));
  expect(list).toContain(`<b>${count} works</b>`);
});

test.each(['query=zzzzqqq', 'area=nowhere', 'century=x'])(
  '%s returns a page with an explanation',
  async (query) => {
    const { text, status } = await page(`/collection/map?${query}`);
    expect([status, /No works match|area must be|century must be/.test(text)]).toEqual([200, true]);
  },
);

test('overlapping points become one dot whose area contains all of them', () => {
  const point = (latitude: number, longitude: number, works: number) => ({ latitude, longitude, works });
  const dots = clusterPoints([point(52.37, 4.89, 5), point(52.01, 4.36, 3), point(35.69, 139.69, 1)], WORLD);
  expect(dots.map(({ places, works }) => [places, works])).toEqual([
    [2, 8],
    [1, 1],
  ]);
  expect(dots[0]!.area).toBe('51.96,4.31,52.42,4.94');
});

test('a map frame contains all its points and stays within world bounds', () => {
  const { west, width, north, height } = frameAround([{ latitude: 71, longitude: 178 }], 60);
  expect([west + width <= 180, north <= 90, north - height <= 71]).toEqual([true, true, true]);
});

test('a work opened from a search links to its neighbours and back to the search', async () => {
  const { text } = await page('/collection?query=portrait');
  const [, second] = hrefs(text, /<li><a href="(\/works\/[^"]+)"/g);
  const { text: work } = await page(second!);
  const [previous] = hrefs(work, /rel="prev" href="([^"]+)"/g);
  const [next] = hrefs(work, /rel="next" href="([^"]+)"/g);
  expect(previous).toContain('at=0');
  expect((await page(next!)).text).toContain('rel="prev"');
  expect(work).toContain('href="/collection?query=portrait"');
});

test('a stale search position shows the work without neighbours', async () => {
  const { text, status } = await page('/works/rijks_SK-C-5?search=query%3Dzzzzqqq&at=3');
  expect([status, text.includes('rel="next"')]).toEqual([200, false]);
});

test('a work page maps its places and states the role of each', async () => {
  const { text } = await page('/collection?area=48.85,2.35,10');
  const [first] = hrefs(text, /<li><a href="(\/works\/[^"]+)"/g);
  const { text: work } = await page(first!);
  expect(work).toMatch(/aria-label="Map: [^"]*Paris, (made|named|shown)/);
});
