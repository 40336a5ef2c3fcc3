import { expect, test } from 'vitest';
import { forEachDatabase } from '../../../tests/support/for_each_database.ts';
import { createCommunity, REPOST_WINDOW_MS } from './community.ts';
import type { CafePost } from './types.ts';

const start = new Date('2026-11-21T09:08:07.654Z');
const words = { name: 'Ada', category: 'general', message: 'Hello', agentModel: '', wallet: '' };
const artwork = {
  name: 'Ada',
  title: 'Waves',
  description: '',
  imageUrl: 'https://example.org/waves.png',
  permanentStorageTx: '',
  agentModel: '',
  wallet: '',
  tags: ['sea', 'blue "quoted"', '{}'],
};

/** Clock that advances only when set. */
function stoppedClock() {
  let at = start;
  return {
    now: () => at,
    pass(ms: number) {
      at = new Date(at.getTime() + ms);
    },
  };
}

forEachDatabase((_name, open) => {
  test('a post appears in the feed as it was written', async () => {
    const community = createCommunity(await open(), stoppedClock());
    const { entry, repeated } = await community.postToCafe('1.2.3.4', words);

    expect(repeated).toBe(false);
    expect(entry.id).toMatch(/^2026-11-21-[0-9a-f]{8}$/);
    expect(await community.cafePosts({ limit: 1 })).toEqual([{ ...words, id: entry.id, postedAt: start }]);
  });

  test.each([
    '<script>alert("x")</script>',
    "Robert'); drop table cafe_posts;--",
    '$1 %s \\ \\u0000 {{x}}',
    '👨‍👩‍👧 日本語 עברית Z̷̢a̴l̶g̵o',
    '\uFFFD\u{10FFFD}',
    'é'.repeat(1000),
    '\n\ttabs\n',
  ])('a message of %j is stored unchanged', async (message) => {
    const community = createCommunity(await open());
    await community.postToCafe('1.2.3.4', { ...words, message });

    expect(await community.cafePosts({ limit: 1 })).toMatchObject([{ message }]);
  });

  test('a hidden post is excluded from feeds and counts until it is shown again', async () => {
    const community = createCommunity(await open());
    const post = await community.postToCafe('1.2.3.4', words);
    const picture = await community.postToGallery('1.2.3.4', artwork);
    const signature = await community.signRegistry('1.2.3.4', {
      name: 'Ada',
      type: 'artist',
      message: 'Here',
      model: '',
    });
    const ids = [post, picture, signature].map(({ entry }) => entry.id);
    const shown = async () => [
      (await community.cafePosts({ limit: 9 })).length,
      (await community.cafePosts({ limit: 9, category: 'general' })).length,
      (await community.artworks({ limit: 9 })).length,
      (await community.signatures({ limit: 9 })).total,
    ];
    expect(await shown()).toEqual([1, 1, 1, 1]);
    for (const id of ids) expect(await community.hide(id)).toBe(true);
    expect(await shown()).toEqual([0, 0, 0, 0]);
    for (const id of ids) expect(await community.unhide(id)).toBe(true);
    expect(await shown()).toEqual([1, 1, 1, 1]);
    expect(await community.hide('2026-01-01-00000000')).toBe(false);
  });

  test('feeds are sorted newest first, limited and filtered', async () => {
    const clock = stoppedClock();
    const community = createCommunity(await open(), clock);
    for (const category of ['tip', 'question', 'tip', 'request']) {
      await community.postToCafe('9.9.9.9', {
        ...words,
        category,
        message: `in order ${clock.now().getTime()}`,
      });
      clock.pass(1);
    }
    const categories = (posts: CafePost[]) => posts.map(({ category }) => category);

    expect(categories(await community.cafePosts({ limit: 3 }))).toEqual(['request', 'tip', 'question']);
    expect(categories(await community.cafePosts({ limit: 2, category: 'tip' }))).toEqual(['tip', 'tip']);
    expect(await community.cafePosts({ limit: 9, category: 'showcase' })).toEqual([]);
  });

  test('the same text from the same client returns the first post within the deduplication window', async () => {
    const clock = stoppedClock();
    const community = createCommunity(await open(), clock);
    const say = (caller: string, message = 'Only once') =>
      community.postToCafe(caller, { ...words, message });
    const first = await say('1.1.1.1');
    clock.pass(REPOST_WINDOW_MS - 1);

    expect(await say('1.1.1.1')).toEqual({ entry: first.entry, repeated: true });
    expect(await say('2.2.2.2')).toMatchObject({ repeated: false });
    expect(await say('1.1.1.1', 'Only twice')).toMatchObject({ repeated: false });
    clock.pass(1);
    expect(await say('1.1.1.1')).toMatchObject({ repeated: false });
  });

  test('twenty concurrent identical posts create one post', async () => {
    const community = createCommunity(await open());
    const message = 'All together now';
    const posted = await Promise.all(
      Array.from({ length: 20 }, () => community.postToCafe('5.5.5.5', { ...words, message })),
    );

    expect(posted.filter(({ repeated }) => !repeated)).toHaveLength(1);
    expect(new Set(posted.map(({ entry }) => entry.id)).size).toBe(1);
  });

  test('twenty concurrent different posts are all stored', async () => {
    const community = createCommunity(await open());
    const said = Array.from({ length: 20 }, (_, index) => `Voice ${index}`);
    await Promise.all(said.map((message) => community.postToCafe('6.6.6.6', { ...words, message })));
    const kept = await community.cafePosts({ limit: 20 });

    expect(kept.map(({ message }) => message).sort()).toEqual(said.sort());
  });

  test('an artwork stores its tags as a list', async () => {
    const community = createCommunity(await open(), stoppedClock());
    const { entry } = await community.postToGallery('1.2.3.4', artwork);
    const again = await community.postToGallery('1.2.3.4', artwork);

    expect(await community.artworks({ limit: 1 })).toEqual([{ ...artwork, id: entry.id, postedAt: start }]);
    expect(again).toEqual({ entry, repeated: true });
  });

  test('the signature count includes entries beyond the page', async () => {
    const community = createCommunity(await open());
    for (const type of ['artist', 'critic', 'explorer']) {
      await community.signRegistry('1.2.3.4', { name: 'Ada', type, message: 'Was here', model: '' });
    }
    const { signatures, total } = await community.signatures({ limit: 2 });

    expect(signatures.map(({ type }) => type)).toEqual(['explorer', 'critic']);
    expect(total).toBe(3);
  });

  test('after the deduplication window cleanup deletes the hash that identifies the author', async () => {
    const clock = stoppedClock();
    const database = await open();
    const community = createCommunity(database, clock);
    const { entry } = await community.postToCafe('7.7.7.7', { ...words, message: 'Soon forgotten' });
    const remembered = () =>
      database.query('select id from cafe_posts where id = $1 and words_sha256 is not null', [entry.id]);
    clock.pass(REPOST_WINDOW_MS - 1);
    await community.sweep(clock.now());
    const within = await remembered();
    clock.pass(1);
    await community.sweep(clock.now());

    expect([within.length, (await remembered()).length]).toEqual([1, 0]);
    expect(await community.postToCafe('7.7.7.7', { ...words, message: 'Soon forgotten' })).toMatchObject({
      repeated: false,
    });
  });
});
