import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestApp, type TestApp } from '../../../../tests/support/open_test_app.ts';

let app: TestApp;
beforeAll(async () => {
  app = await openTestApp({ REGISTRY_SIGNATURES_PER_DAY: '100' });
});
afterAll(() => app?.close());

const look = async (path: string) => (await app.get(path, { Accept: 'text/html' })).text;
/** Posts a form as a browser without JavaScript does. */
const send = async (path: string, fields: Record<string, string>, headers: Record<string, string> = {}) => {
  const body = new URLSearchParams(fields).toString();
  const type = { 'Content-Type': 'application/x-www-form-urlencoded', Accept: 'text/html' };
  return app.post(path, body, { ...type, ...headers });
};

test('a form with too many fields is rejected before parsing', async () => {
  const body = 'a&'.repeat(1001);
  const parts = '--x\r\n'.repeat(1001);
  for (const [type, text] of [
    ['application/x-www-form-urlencoded', body],
    ['multipart/form-data; boundary=x', parts],
  ] as const)
    expect((await app.post('/cafe', text, { 'Content-Type': type })).body).toMatchObject({
      code: 'payload_too_large',
      detail: 'The form has more than 1,000 fields. Send fewer.',
    });
});

test('a post from the form appears in the public feed', async () => {
  const { status, headers } = await send('/cafe', { name: 'Ada', message: 'Ink is dry.', category: 'tip' });
  expect([status, headers.get('location')]).toEqual([303, '/cafe']);
  const { body } = await app.get('/api/cafe/feed');
  expect(body.posts[0]).toMatchObject({ name: 'Ada', message: 'Ink is dry.', category: 'tip' });
  expect(await look('/cafe?category=tip')).toContain('<p>Ink is dry.</p>');
  expect(await look('/cafe?category=question')).not.toContain('Ink is dry.');
});

test('a rejected form is shown again with the field named and all values kept', async () => {
  const { text } = await send('/gallery', { name: 'Ada', title: 'Night', image_url: 'ftp://x', tags: 'ink' });
  expect(text).toMatch(/role="alert">image_url must be/);
  expect(text).toMatch(/name="image_url"[^>]*aria-invalid="true"[^>]*value="ftp:\/\/x"/);
  expect(text).toMatch(/name="title"[^>]*value="Night"/);
  expect((await app.get('/api/gallery/feed')).body.artworks).toEqual([]);
});

test('a cross-site form submission is rejected', async () => {
  const origin = { Origin: 'https://evil.example', 'Sec-Fetch-Site': 'cross-site' };
  const { status } = await send('/registry', { name: 'Mallory', type: 'critic' }, origin);
  expect(status).toBe(403);
  expect(await look('/registry')).not.toContain('Mallory');
});

test('user content is HTML-escaped everywhere', async () => {
  const hostile = '"><script>alert(1)</script>';
  const url = 'https://example.org/picture.png';
  await app.post('/api/gallery/post', {
    name: hostile,
    title: hostile,
    description: hostile,
    tags: [hostile],
    image_url: url,
  });
  await app.post('/api/registry/quick-sign', {
    name: hostile,
    type: 'artist',
    message: hostile,
    model: hostile,
  });
  await app.post('/api/cafe/post', { name: hostile, message: hostile, model: hostile });
  for (const path of ['/gallery', '/registry', '/cafe']) {
    const text = await look(path);
    expect(text).toContain('&lt;script&gt;');
    expect(text).not.toContain('<script>alert');
  }
});

test('an image on another server is linked, not embedded', async () => {
  const text = await look('/gallery');
  expect(text).toContain('href="https://example.org/picture.png" rel="nofollow ugc noopener"');
  expect(text).not.toContain('src="https:');
});

test('feed pages are consecutive', async () => {
  for (let at = 1; at <= 30; at += 1)
    await app.post('/api/registry/quick-sign', { name: `Guest ${at}.`, type: 'explorer' });
  const [first, second] = [await look('/registry'), await look('/registry?from=24')];
  expect([first.includes('Guest 30.'), first.includes('Guest 7.'), first.includes('Guest 6.')]).toEqual([
    true,
    true,
    false,
  ]);
  expect([second.includes('Guest 7.'), second.includes('Guest 6.')]).toEqual([false, true]);
  expect(first).toContain('href="/registry?from=24"');
});
