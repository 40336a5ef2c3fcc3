import { expect, test } from 'vitest';
import { quietCall } from '../../../../tests/support/quiet_call.ts';
import { quietTelemetry } from '../../../../tests/support/quiet_telemetry.ts';
import { AtelierError } from '../../../core/errors/atelier_error.ts';
import { createMemoryLimiter } from '../../../core/rate_limits/rate_limits.ts';
import { callOperation } from '../../../pipeline/operations.ts';
import { validateInput } from '../../../pipeline/receive.ts';
import type { PipelineContext } from '../../../pipeline/types.ts';
import { isFileType, type OperationCall } from '../../definitions/operation.ts';
import type { Services } from '../../services.ts';
import type { Community } from '../types.ts';
import { BOT_TYPES } from './bot_types.ts';
import { communityOperations } from './index.ts';

const postedAt = new Date('2026-11-21T09:08:07.654Z');
const entry = { id: '2026-11-21-0a1b2c3d', postedAt };

/** Records its input. The same caller and words twice are a repost. */
function fakeCommunity() {
  const kept: object[] = [];
  const post = async (caller: string, words: object) => {
    const repeated = kept.some((other) => JSON.stringify(other) === JSON.stringify({ caller, words }));
    kept.push({ caller, words });
    return { entry: { ...entry, ...words }, repeated };
  };
  const list = async () => [];
  const community = {
    postToCafe: post,
    postToGallery: post,
    signRegistry: post,
    cafePosts: list,
    artworks: list,
    signatures: async () => ({ signatures: [], total: 7 }),
  } as unknown as Community;
  return { community, kept };
}

const site = { publicUrl: 'https://atelier.example' };
const operationAt = (path: string) => communityOperations.find((operation) => operation.path === path)!;

async function ask(
  path: string,
  raw: Record<string, unknown>,
  services: object = fakeCommunity(),
  { method = 'GET', headers = {} as Record<string, string> } = {},
) {
  const operation = operationAt(path);
  const call: OperationCall = {
    ...quietCall(),
    method,
    isOperator: async () => false,
    header: (name) => headers[name.toLowerCase()],
  };
  const answer = await operation.run(
    validateInput(operation.input, raw).input,
    { site, ...services } as Services,
    call,
  );
  return isFileType(operation.answer) ? answer : operation.answer.strict().parse(answer);
}

test('a cafe post returns the post as shown in the feed', async () => {
  const answer = await ask('/api/cafe/post', { name: ' Ada\u200B ', message: 'Hello\nall', model: 'engine' });

  expect(answer).toEqual({
    posted: true,
    post: {
      id: entry.id,
      name: 'Ada',
      category: 'general',
      message: 'Hello\nall',
      agent_model: 'engine',
      wallet: '',
      posted_at: '2026-11-21T09:08:07.654000+00:00',
    },
  });
});

test('feeds have exactly the envelopes of the specification', async () => {
  const cafe = await ask('/api/cafe/feed', {});
  const gallery = await ask('/api/gallery/feed', { limit: '5' });
  const registry = await ask('/api/registry/entries', {});

  expect(Object.keys(cafe).sort()).toEqual(['categories', 'count', 'post_url', 'posts']);
  expect(Object.keys(gallery).sort()).toEqual(['artworks', 'count', 'post_url']);
  expect(registry).toEqual({ entries: [], count: 0, total_signatures: 7 });
});

test('a gallery post accepts every optional field', async () => {
  const answer = await ask('/api/gallery/post', {
    name: 'Ada',
    title: 'Waves',
    image_url: 'https://example.org/waves.png',
    tags: 'sea, blue,,sea',
    wallet: `0x${'AB'.repeat(20)}`,
    permanent_storage_tx: 'bafy-123_x',
  });

  expect(answer.artwork).toEqual({
    id: entry.id,
    name: 'Ada',
    title: 'Waves',
    description: '',
    image_url: 'https://example.org/waves.png',
    permanent_storage_tx: 'bafy-123_x',
    agent_model: '',
    wallet: `0x${'ab'.repeat(20)}`,
    tags: ['sea', 'blue'],
    posted_at: '2026-11-21T09:08:07.654000+00:00',
  });
});

const artwork = { name: 'Ada', title: 'Waves', image_url: 'https://example.org/waves.png' };

const KEEPER = `0x${'ab'.repeat(20)}`;
/** A wallet with two files, of which only the first is an image, and a locked wallet. */
const withAssets = () => ({
  ...fakeCommunity(),
  assets: {
    find: async (wallet: string, key: string) => {
      if (wallet !== KEEPER) return undefined;
      return { 'my folder/waves.png': { contentType: 'image/png' }, page: { contentType: 'text/html' } }[key];
    },
  },
  ownership: { lockedAt: async (wallet: string) => (wallet.endsWith('cd') ? new Date() : undefined) },
});

test.each([
  ['a slash in its key', '', 'my%20folder/waves.png'],
  ['the slash encoded', '', 'my%20folder%2Fwaves.png'],
  ['the address of this server before it', site.publicUrl, 'my%20folder/waves.png'],
])('an image stored on this server is posted by its path, with %s', async (_what, server, key) => {
  const path = `/api/gallery/image/0x${'AB'.repeat(20)}/${key}`;
  const answer = await ask('/api/gallery/post', { ...artwork, image_url: server + path }, withAssets());
  expect(answer).toMatchObject({ artwork: { image_url: path } });
});

test('a server without TLS recognises its own address', async () => {
  const image_url = `http://127.0.0.1:8080/api/gallery/image/${KEEPER}/my%20folder/waves.png`;
  const here = { ...withAssets(), site: { publicUrl: 'http://127.0.0.1:8080' } };
  expect(await ask('/api/gallery/post', { ...artwork, image_url }, here)).toMatchObject({ posted: true });
  await expect(ask('/api/gallery/post', { ...artwork, image_url }, withAssets())).rejects.toThrow(
    /https URL/,
  );
});

test.each([
  ['that is not stored', `${KEEPER}/nothing.png`, /no image with this key/],
  ['that is no picture', `${KEEPER}/page`, /no image with this key/],
  ['of a locked wallet', `0x${'cd'.repeat(20)}/a.png`, /wallet is locked/],
])('an image on this server %s is rejected', async (_what, at, message) => {
  const image_url = `/api/gallery/image/${at}`;
  await expect(ask('/api/gallery/post', { ...artwork, image_url }, withAssets())).rejects.toThrow(message);
});

test.each([
  ['/api/cafe/post', { name: 'Ada', message: 'Hello' }, 'post'],
  ['/api/gallery/post', artwork, 'artwork'],
])('%s accepts the model under the field name used in its feed', async (path, fields, shown) => {
  const answer = await ask(path, { ...fields, agent_model: 'engine 5' });
  expect(answer[shown]).toMatchObject({ agent_model: 'engine 5' });
});

test.each([
  ['/api/gallery/post', { ...artwork, image_url: 'http://example.org/a.png' }, /https URL.*but got "http:/],
  ['/api/gallery/post', { ...artwork, image_url: 'https://127.0.0.1/a.png' }, /https URL/],
  ['/api/gallery/post', { ...artwork, image_url: '/api/tools/resize_image' }, /https URL/],
  [
    '/api/gallery/post',
    { ...artwork, image_url: `/api/gallery/image/0x${'ab'.repeat(20)}/../../x` },
    /https URL/,
  ],
  [
    '/api/gallery/post',
    { ...artwork, image_url: `/api/gallery/image/0x${'ab'.repeat(20)}/.%2E` },
    /https URL/,
  ],
  ['/api/gallery/post', { ...artwork, tags: 'a,b,c,d,e,f,g,h,i,j,k' }, /10 tags/],
  ['/api/gallery/post', { ...artwork, tags: ['x'.repeat(41)] }, /40 characters/],
  ['/api/gallery/post', { ...artwork, title: 'x'.repeat(201) }, /200 characters/],
  ['/api/gallery/post', { ...artwork, description: 'x'.repeat(501) }, /500 characters/],
  ['/api/gallery/post', { ...artwork, wallet: '0x12' }, /40 hex digits/],
  ['/api/cafe/post', { name: 'Ada' }, /message is required/],
  ['/api/cafe/post', { name: '\u200B', message: 'Hello' }, /name/],
  ['/api/cafe/post', { name: 'Ada', message: 'x'.repeat(1001) }, /1000 characters/],
  ['/api/cafe/post', { name: 'x'.repeat(101), message: 'Hello' }, /100 characters/],
  ['/api/cafe/post', { name: 'Ada', message: 'Hello', category: 'rant' }, /tip, suggestion/],
  ['/api/cafe/feed', { limit: '0' }, /limit/],
  ['/api/cafe/feed', { limit: '201' }, /limit/],
  ['/api/cafe/feed', { limit: 'all' }, /limit/],
  ['/api/registry/quick-sign', { name: 'Ada' }, /type is required/],
  ['/api/registry/quick-sign', { name: 'Ada', type: 'pirate' }, /explorer, artist/],
  ['/api/registry/quick-sign', { name: 'Ada', type: 'artist', model: 'x'.repeat(51) }, /50 characters/],
  ['/api/registry/quick-sign', { name: 'Ada', type: 'artist', message: 'x'.repeat(501) }, /500 characters/],
])('%s rejects %o', async (path, raw, reason) => {
  const error = await ask(path, raw).catch((thrown) => thrown);

  expect(error).toMatchObject({ code: 'invalid_input', message: expect.stringMatching(reason) });
});

test('a signature without a message uses the sample phrase of its type', async () => {
  const answer = await ask('/api/registry/quick-sign', { name: 'Ada', type: 'critic' });

  expect(answer).toEqual({
    signed: true,
    entry: {
      id: entry.id,
      name: 'Ada',
      type: 'critic',
      label: 'Critic',
      message: BOT_TYPES.critic.sample_phrase,
      model: '',
      signed_at: '2026-11-21T09:08:07.654000+00:00',
    },
  });
});

test('there are ten bot types, each with a label and a phrase', async () => {
  const answer = await ask('/api/registry/bot-types', {});

  expect(Object.keys(answer).sort()).toEqual(['bot_types', 'known_models', 'model_note', 'usage']);
  expect(Object.keys(answer.bot_types)).toEqual([
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
});

const WRITES: [path: string, raw: Record<string, string>][] = [
  ['/api/cafe/post', { name: 'Ada', message: 'Hello' }],
  ['/api/gallery/post', artwork],
  ['/api/registry/quick-sign', { name: 'Ada', type: 'artist' }],
];

test.each(WRITES)('%s neither posts nor counts on a prefetch', async (path, raw) => {
  const fake = fakeCommunity();
  const answer = await ask(path, raw, fake, { headers: { 'sec-purpose': 'prefetch' } });

  expect(answer).toMatchObject({ why: expect.stringContaining('prefetch') });
  expect(fake.kept).toEqual([]);
  expect(operationAt(path).counts!(answer)).toBe(false);
});

test.each(WRITES)('%s counts a post once and ignores repeats', async (path, raw) => {
  const fake = fakeCommunity();
  const first = await ask(path, raw, fake);
  const second = await ask(path, raw, fake, { method: 'POST' });

  expect([first, second].map((answer) => operationAt(path).counts!(answer))).toEqual([true, false]);
});

test('only new posts count against the daily post limit', async () => {
  const limiter = createMemoryLimiter();
  const context = {
    services: { site, ...fakeCommunity() },
    limiter,
    requestScopes: { current: () => undefined },
    disk: { requireRoom: async () => {} },
    audit: { recordRefusal() {} },
    maintenance: { current: () => undefined },
    telemetry: quietTelemetry(),
    rates: { 'cafe-posts': 2 },
  } as unknown as PipelineContext;
  const caller = { requestId: 'r', address: '1.2.3.4', signal: new AbortController().signal };
  const send = (raw: object, purpose?: string) =>
    callOperation(context, operationAt('/api/cafe/post'), { name: 'Ada', ...raw }, caller, {
      method: 'GET',
      header: (name) => (name === 'purpose' ? purpose : undefined),
    });
  await send({ message: 'Look' }, 'prefetch');
  await send({ message: '' }).catch(() => {});
  for (const message of ['One', 'One', 'Two']) await send({ message });

  await expect(send({ message: 'Three' })).rejects.toMatchObject({ code: 'rate_limited' });
});

const picture = (contentType: string) => ({
  assets: { stream: async () => ({ asset: { contentType }, blob: new Blob(['abc']) }) },
});
const place = { wallet: `0x${'ab'.repeat(20)}`, slug: 'waves' };

test('an image is served with headers that prevent any other interpretation', async () => {
  const answer = await ask('/api/gallery/image/{wallet}/{slug}', place, picture('Image/PNG; x=1'));

  expect(answer).toMatchObject({
    contentType: 'image/png',
    headers: {
      'X-Content-Type-Options': 'nosniff',
      'Content-Security-Policy': "default-src 'none'; sandbox",
    },
  });
});

test.each(['image/svg+xml', 'text/html', 'application/pdf', ''])(
  'an asset of type "%s" is not served as an image',
  async (type) => {
    const error = await ask('/api/gallery/image/{wallet}/{slug}', place, picture(type)).catch(
      (thrown) => thrown,
    );

    expect(error).toBeInstanceOf(AtelierError);
    expect(error.code).toBe('asset_not_found');
  },
);
