import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type FakeMuseums, makePicture, startFakeMuseums } from '../../../../tests/support/fake_museums.ts';
import { forEachApp } from '../../../../tests/support/for_each_app.ts';
import { answerForMuseums, COMPLETED } from '../../../../tests/support/museum_answers.ts';
import type { TestApp } from '../../../../tests/support/open_test_app.ts';
import { newOwner } from '../../../../tests/support/owner.ts';

const TODAY = new Date().toISOString().slice(0, 10);

/** A new server, and museums that respond. */
forEachApp((open) => {
  let museums: FakeMuseums;
  let app: TestApp;
  let bare: Record<string, string>;

  beforeAll(async () => {
    museums = await startFakeMuseums();
    answerForMuseums(museums, await makePicture());
    app = await open({
      LIVE_WORKS: 'true',
      MUSEUM_MIRROR: museums.url,
      ALLOW_PRIVATE_FETCH: 'true',
      OPERATOR_CONTACT: 'op@example.org',
      SMITHSONIAN_API_KEY: 'key-si',
      PARIS_MUSEES_TOKEN: 'key-paris',
    });
    ({ bare } = await newOwner(app));
    // The first request installs the starter catalogue.
    await app.post('/api/tools/search_artworks', { query: 'watch' });
  });
  afterAll(async () => {
    await app?.close();
    museums?.close();
  });

  const get = (artifact_id: string, more: object = {}) =>
    app.post('/api/tools/get_artwork', { artifact_id, ...more }, bare);

  test.each(COMPLETED)('%s is completed from its museum on request', async (id, title, field, addresses) => {
    museums.asked();
    const told = (await get(id, { dry_run: true })).body;
    const { status, body } = await get(id);
    expect([status, body.metadata.title, body.cost.credit, told.quote.credit]).toEqual([200, title, 1, 1]);
    expect(museums.asked().map(({ address }) => address)).toEqual(addresses);
    expect(body.image).toMatchObject({ handle: `artwork:${id}`, certain: true });
    expect(body.licence.evidence?.field ?? null).toBe(field);
    // The National Gallery provides only the image.
    expect([body.licence.seen_on, body.metadata.record.asked_on]).toEqual([field && TODAY, TODAY]);
    const picture = await app.fetch(new Request(body.image.download_url));
    expect([picture.status, picture.headers.get('content-type')]).toEqual([200, 'image/jpeg']);
  });

  test('requests name the operator and send API keys only to their museum', async () => {
    museums.asked();
    await get('met_436532');
    const [request] = museums.asked();
    expect(request!.headers['user-agent']).toMatch(/^Atelier\/[\d.]+ \(op@example\.org\)$/);
    expect(JSON.stringify(request!.headers)).not.toMatch(/key-/);
  });

  test('a completed work has an image in every tool, in analysis and in search', async () => {
    museums.asked();
    const { body } = await app.post('/api/tools/extract_palette', { image: 'artwork:rijks_SK-C-5' });
    expect(body.colors[0].hex).toMatch(/^#3b6/);
    const analysed = (await app.post('/api/tools/get_artwork_oracle', { artifact_id: 'rijks_SK-C-5' }, bare))
      .body;
    expect([analysed.licence.basis, analysed.cost.credit]).toEqual(['museum_data', 0]);
    const found = (await app.post('/api/tools/search_artworks', { query: 'night watch', museum: 'rijks' }))
      .body;
    expect(found.results[0]).toMatchObject({ credit_id: 'rijks_SK-C-5', image_available: true });
    expect(museums.asked()).toEqual([]);
  });

  test('concurrent requests for a work send one request to its museum', async () => {
    museums.says('openaccess-api.clevelandart.org/api/artworks/136390', {
      data: { id: 136390, title: 'A Flight', share_license_status: 'CC0' },
    });
    museums.asked();
    const answers = await Promise.all(Array.from({ length: 5 }, () => get('cleveland_136390')));
    expect(new Set(answers.map(({ body }) => body.metadata.title))).toEqual(new Set(['A Flight']));
    expect(museums.asked()).toHaveLength(1);
    // The record was read, and the museum has no image, so the call is free.
    expect(answers[0]!.body).toMatchObject({ image: null, cost: { credit: 0 }, licence: { seen_on: TODAY } });
  });

  test.each([
    ['another work', { objectID: 1, isPublicDomain: true, title: 'Other' }, 'another work (met_1)'],
    ['a page', { code: 200, body: '<html>Just a moment…</html>' }, 'no valid record'],
    ['a message', { message: 'try later' }, 'an unknown format'],
    ['a refusal', { code: 403 }, 'status 403'],
    ['a gigabyte', { code: 200, headers: { 'content-length': '1073741824' }, body: '' }, 'more than 1 MB'],
    ['nothing', { code: 404 }, 'has no such resource'],
  ])(
    '%s instead of the record gives a clear note, stores nothing and charges nothing',
    async (kind, said, words) => {
      const [id, number] = OTHERS[kind]!;
      museums.says(`collectionapi.metmuseum.org/public/collection/v1/objects/${number}`, said);
      const owner = await newOwner(app);
      const { status, body } = await app.post('/api/tools/get_artwork', { artifact_id: id }, owner.bare);
      expect([status, body.image, body.cost.credit]).toEqual([200, null, 0]);
      expect(body.image_note).toContain(words);
      expect(body.metadata.record).toMatchObject({ basis: 'starter_catalogue', asked_on: null });
      const analysed = await app.post('/api/tools/get_artwork_oracle', { artifact_id: id }, owner.bare);
      expect([analysed.status, analysed.body.code]).toEqual([502, 'upstream_failed']);
      expect(analysed.body.detail).toContain('"atelier dataset pull met"');
      expect((await app.post('/api/tools/check_balance', { wallet: owner.wallet })).body.balance).toBe(10);
    },
  );

  test('the manifest counts fetched works separately from the starter catalogue snapshot', async () => {
    const { body } = await app.post('/api/tools/compliance_manifest', {});
    const counts = { works: 1, read: 1, pictures: 1, refused: 0, first: TODAY, last: TODAY };
    expect(body.live_works).toContainEqual({ museum: 'rijks', ...counts });
    expect(body.live_works).toContainEqual({ museum: 'nga', ...counts, read: 0 });
    expect(body.works_by_basis.museum_data).toBe(0);
    const batch = (await app.post('/api/tools/batch_download', { dry_run: true }, bare)).body;
    expect(batch.quote).toMatchObject({ credit: 0, works: { returned: 100, with_picture: 0 } });
  });

  test('a work without an open licence at its museum stays unchanged and says so', async () => {
    museums.says('openaccess-api.clevelandart.org/api/artworks/127115', {
      data: { id: 127115, title: 'A Head', share_license_status: 'Copyrighted' },
    });
    const { body } = await get('cleveland_127115');
    expect(body).toMatchObject({ image: null, cost: { credit: 0 }, licence: { basis: 'starter_catalogue' } });
    expect(body.licence.statement).toContain(`was asked on ${TODAY}, and its response was not used`);
  });
});

/** Works of the Met for each kind of invalid response: a failing museum is not asked again for a while. */
const numbers = readFileSync(new URL('../starter/met.txt', import.meta.url), 'utf8')
  .split('\n')
  .slice(10, 20)
  .map((line) => line.split('|')[0]!.trim());
const OTHERS = Object.fromEntries(
  ['another work', 'a page', 'a message', 'a refusal', 'a gigabyte', 'nothing'].map((kind, at) => [
    kind,
    [`met_${numbers[at]}`, numbers[at]!] as const,
  ]),
);
