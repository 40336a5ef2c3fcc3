import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestApp, type TestApp } from '../../../../tests/support/open_test_app.ts';
import { pageFile } from '../../../core/html/page_files.ts';
import { tools } from '../../../features/tools.ts';
import { SHOWN_RESULTS } from './shown_results.ts';

const HTML = { Accept: 'text/html' };
let app: TestApp;
beforeAll(async () => {
  app = await openTestApp();
});
afterAll(() => app?.close());

const look = (path: string) => app.get(path, HTML);

test('the tools page lists every tool', async () => {
  const { text } = await look('/tools');
  expect(tools.filter(({ name }) => !text.includes(`href="/tools/${name}`)).map(({ name }) => name)).toEqual(
    [],
  );
});

test('every result image exists, and every preview belongs to a tool with previews', () => {
  for (const [name, { image, preview }] of Object.entries(SHOWN_RESULTS)) {
    if (image) expect(pageFile(image.file).bytes.length).toBeGreaterThan(500);
    if (preview)
      expect([name, tools.find((tool) => tool.name === name)?.preview]).toEqual([name, expect.anything()]);
  }
});

test('a search lists matching tools, or alternatives when none match', async () => {
  const { text } = await look('/tools?query=make+a+photo+larger');
  expect(/<li><a href="\/tools\/(\w+)/.exec(text)?.[1]).toBe('upscale_image');
  expect(text).not.toContain('See what each tool does with your image');
  expect((await look('/tools?query=compose+a+song+as+mp3')).text).toContain('This server cannot');
});

test('every preview offered for an image returns a result', async () => {
  const { text } = await look('/tools?image=sample:pear');
  const tried = [...text.matchAll(/data-tool="(\w+)" data-settings="([^"]+)"/g)];
  expect(tried.length).toBeGreaterThan(4);
  for (const [, tool, settings] of tried.filter(([, name]) => !/upscale|background|vectorize/.test(name!))) {
    const body = new FormData();
    const fields = JSON.parse(settings!.replaceAll('&quot;', '"')) as Record<string, string>;
    for (const [name, value] of Object.entries(fields)) body.set(name, value);
    const reply = await app.fetch(
      new Request(`http://atelier.test/previews/${tool}`, { method: 'POST', body }),
    );
    expect([tool, reply.status]).toEqual([tool, 200]);
  }
});

test.each([
  ['upload:nothere', 404],
  ['https://example.org/a.png', 400],
  ['"><script>alert(1)</script>', 400],
])('for the image %s the page explains why it cannot be shown', async (image, status) => {
  const reply = await look(`/tools?${new URLSearchParams({ image })}`);
  expect(reply.status).toBe(status);
  expect(reply.text).toContain('role="alert"');
  expect(reply.text).not.toContain('<script>alert');
});

test('a posted image redirects to the page with that image', async () => {
  const body = new FormData();
  body.set(
    'image',
    new File([Buffer.from(pageFile('sample_pear.webp').bytes as Uint8Array)], 'pear.webp', {
      type: 'image/webp',
    }),
  );
  const reply = await app.fetch(
    new Request('http://atelier.test/tools', { method: 'POST', body, headers: HTML }),
  );
  expect([reply.status, reply.headers.get('location')]).toEqual([
    303,
    expect.stringMatching(/^\/tools\?image=upload%3A/),
  ]);
  expect((await look(reply.headers.get('location')!)).status).toBe(200);
});
