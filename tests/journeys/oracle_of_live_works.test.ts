import { sharp } from '@atelier/imaging/codecs/sharp.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type FakeMuseums, startFakeMuseums } from '../support/fake_museums.ts';
import { answerForMuseums, COMPLETED } from '../support/museum_answers.ts';
import { openTestApp, type TestApp } from '../support/open_test_app.ts';
import { newOwner } from '../support/owner.ts';
import { scene } from '../support/scene.ts';

/** The oracle as the first to ask for a work: of every museum that is asked for single works. */

let museums: FakeMuseums;
let app: TestApp;
let owner: Awaited<ReturnType<typeof newOwner>>;

beforeAll(async () => {
  museums = await startFakeMuseums();
  answerForMuseums(
    museums,
    await sharp(await scene(2))
      .jpeg()
      .toBuffer(),
  );
  app = await openTestApp({
    LIVE_WORKS: 'true',
    MUSEUM_MIRROR: museums.url,
    ALLOW_PRIVATE_FETCH: 'true',
    SMITHSONIAN_API_KEY: 'key-si',
    PARIS_MUSEES_TOKEN: 'key-paris',
  });
  owner = await newOwner(app);
  await app.post('/api/tools/search_artworks', { query: 'watch' });
});
afterAll(async () => {
  await app?.close();
  museums?.close();
});

const ask = (artifact_id: string, more: object = {}) =>
  app.post('/api/tools/get_artwork_oracle', { artifact_id, ...more }, owner.bare);

test.each(COMPLETED)('%s is analysed on demand without an earlier request', async (id, title) => {
  owner = await newOwner(app);
  const told = (await ask(id, { dry_run: true })).body;
  const { status, body } = await ask(id);
  expect([status, body.metadata?.work.title.value, body.cost.credit]).toEqual([200, title, 0]);
  expect(told.quote).toMatchObject({ credit: 0, degraded: true, degraded_reason: body.degraded_reason });
  expect(body.metadata.composition.overview.basis).toBe('measured');
  const known = Object.values<object>(body.metadata).flatMap((section) => Object.keys(section));
  expect(known.length + body.unknown.length).toBe(111);
  for (const [name, facts] of Object.entries<object>(body.metadata))
    expect([name, Object.keys(facts).length > 0]).toEqual([name, true]);
});

test('a work without an image is refused and names the field to check', async () => {
  museums.says('openaccess-api.clevelandart.org/api/artworks/136390', {
    data: { id: 136390, title: 'A Flight', share_license_status: 'CC0' },
  });
  const { status, body } = await ask('cleveland_136390');
  expect([status, body.code]).toEqual([422, 'unsuitable_image']);
  expect(body.detail).toContain('image_available');
});
