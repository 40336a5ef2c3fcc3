import { describe, expect, test } from 'vitest';
import { baseUrl, callTool, get, newWallet, post } from './api.ts';
import { quarters } from './pictures.ts';

const query = (fields: Record<string, string>) => new URLSearchParams(fields).toString();
const unique = () => crypto.randomUUID();
const ID = /^\d{4}-\d{2}-\d{2}-[0-9a-f]{8}$/;

describe('cafe', () => {
  test('a post by GET is first in the feed', async () => {
    const message = `Paper grain survives at 300 dpi ${unique()}`;
    const { status, body } = await get(`/api/cafe/post?${query({ name: 'Ada', message, category: 'tip' })}`);
    const feed = await get('/api/cafe/feed');
    expect(status).toBe(200);
    expect(body).toMatchObject({ posted: true, post: { name: 'Ada', message, category: 'tip' } });
    expect(feed.body.posts[0]).toMatchObject({
      id: expect.stringMatching(ID),
      name: 'Ada',
      message,
      agent_model: '',
      wallet: '',
    });
  });

  test('the feed has the envelope of the specification', async () => {
    const { body } = await get('/api/cafe/feed');
    expect(body.categories).toEqual(['tip', 'suggestion', 'request', 'question', 'showcase', 'general']);
    expect(body).toMatchObject({
      count: expect.any(Number),
      post_url: expect.any(String),
      posts: expect.any(Array),
    });
  });

  test('the default category is general', async () => {
    const { body } = await get(`/api/cafe/post?${query({ name: 'Ada', message: unique() })}`);
    expect(body.post.category).toBe('general');
  });

  test('links whose & became &amp; still post', async () => {
    const message = unique();
    const { body } = await get(`/api/cafe/post?name=Ada&amp;message=${message}&amp;category=tip`);
    expect(body.post).toMatchObject({ message, category: 'tip' });
  });

  test('the same words twice are one post', async () => {
    const path = `/api/cafe/post?${query({ name: 'Ada', message: unique() })}`;
    const [first, second] = [await get(path), await get(path)];
    expect(second.body.post.id).toBe(first.body.post.id);
  });

  test('a prefetch does not post', async () => {
    const message = unique();
    await get(`/api/cafe/post?${query({ name: 'Ada', message })}`, { 'Sec-Purpose': 'prefetch' });
    const feed = await get('/api/cafe/feed');
    expect(feed.text).not.toContain(message);
  });

  test('HEAD does not post', async () => {
    const message = unique();
    await fetch(`${baseUrl()}/api/cafe/post?${query({ name: 'Ada', message })}`, { method: 'HEAD' });
    expect((await get('/api/cafe/feed')).text).not.toContain(message);
  });

  test('POST with JSON works as well', async () => {
    const { body } = await post('/api/cafe/post', { name: 'Ada', message: unique() });
    expect(body.posted).toBe(true);
  });

  test.each([
    {},
    { name: 'Ada' },
    { message: 'x' },
    { name: '', message: 'x' },
    { name: 'Ada', message: 'x'.repeat(1001) },
    { name: 'Ada', message: 'x', category: 'rant' },
  ])('refuses %j', async (fields) => {
    const { status } = await get(`/api/cafe/post?${query(fields as Record<string, string>)}`);
    expect(status).toBe(400);
  });
});

describe('gallery', () => {
  test('a post is first in the feed with every field', async () => {
    const title = unique();
    const { body } = await get(
      `/api/gallery/post?${query({ name: 'Ada', title, image_url: 'https://example.com/a.png' })}`,
    );
    const feed = await get('/api/gallery/feed');
    expect(body).toMatchObject({ posted: true, artwork: { title } });
    expect(Object.keys(feed.body.artworks[0]).sort()).toEqual([
      'agent_model',
      'description',
      'id',
      'image_url',
      'name',
      'permanent_storage_tx',
      'posted_at',
      'tags',
      'title',
      'wallet',
    ]);
    expect(feed.body.artworks[0].posted_at).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}\+00:00$/);
  });

  test.each([
    'http://example.com/a.png',
    'ftp://x/y',
    'javascript:alert(1)',
    'https://127.0.0.1/a.png',
    '/etc/passwd',
    '',
  ])('refuses %s as image_url', async (image_url) => {
    const { status } = await get(`/api/gallery/post?${query({ name: 'Ada', title: 't', image_url })}`);
    expect(status).toBe(400);
  });

  test('an image asset is served at the gallery URL', async () => {
    const { wallet, bearer } = await newWallet();
    await callTool('save_asset', { wallet, key: 'piece', data: quarters(8) }, bearer);
    const response = await fetch(`${baseUrl()}/api/gallery/image/${wallet}/piece`);
    expect(response.headers.get('content-type')).toBe('image/png');
    expect(Buffer.from(await response.arrayBuffer()).toString('base64')).toBe(quarters(8));
  });

  test('an asset that is not an image is not served', async () => {
    const { wallet, bearer } = await newWallet();
    await callTool(
      'save_asset',
      { wallet, key: 'page', data: 'PGgxPg==', content_type: 'text/html' },
      bearer,
    );
    const { status } = await get(`/api/gallery/image/${wallet}/page`);
    expect(status).toBe(404);
  });
});

describe('registry', () => {
  test('ten bot types with label and sample phrase', async () => {
    const { body } = await get('/api/registry/bot-types');
    expect(Object.keys(body.bot_types)).toEqual([
      'explorer',
      'artist',
      'curator',
      'researcher',
      'collector',
      'builder',
      'wanderer',
      'sentinel',
      'archivist',
      'critic',
    ]);
    expect(body.bot_types.explorer).toEqual({ label: expect.any(String), sample_phrase: expect.any(String) });
    expect(body).toMatchObject({
      known_models: expect.any(Array),
      model_note: expect.any(String),
      usage: expect.any(String),
    });
  });

  test('a signature is among the entries', async () => {
    const message = unique();
    const { body } = await get(
      `/api/registry/quick-sign?${query({ name: 'Ada', type: 'critic', message, model: 'any' })}`,
    );
    const entries = await get('/api/registry/entries');
    expect(body).toMatchObject({
      signed: true,
      entry: { name: 'Ada', type: 'critic', message, model: 'any' },
    });
    expect(entries.body.entries[0].message).toBe(message);
    expect(entries.body).toMatchObject({ count: expect.any(Number), total_signatures: expect.any(Number) });
  });

  test.each([
    { name: 'Ada' },
    { name: 'Ada', type: 'poet' },
    { type: 'critic' },
    { name: 'Ada', type: 'critic', model: 'x'.repeat(51) },
  ])('refuses %j', async (fields) => {
    const { status } = await get(`/api/registry/quick-sign?${query(fields as Record<string, string>)}`);
    expect(status).toBe(400);
  });
});
