import { afterAll, beforeAll, expect, test } from 'vitest';
import { forEachApp } from '../../../../tests/support/for_each_app.ts';
import type { TestApp } from '../../../../tests/support/open_test_app.ts';
import { quietCall } from '../../../../tests/support/quiet_call.ts';
import { scene } from '../../../../tests/support/scene.ts';
import { EXAMPLE_PNG_B64 } from '../../definitions/example_image.ts';
import type { Services } from '../../services.ts';
import type { Match } from '../types.ts';
import { registerHash } from './register_hash.ts';

const WALLET = '0x00000000000000000000000000000000000000c1';
const OTHER = '0x00000000000000000000000000000000000000c2';
const by = (wallet: string) => ({ Authorization: `Bearer ${wallet}` });

forEachApp((open) => {
  let app: TestApp;
  let image: string;
  beforeAll(async () => {
    app = await open();
    for (const wallet of [WALLET, OTHER]) await app.post('/api/wallet/register', { wallet });
    image = (await scene(1)).toString('base64');
  });
  afterAll(() => app?.close());
  const register = (wallet: string, more: object = {}) =>
    app.post('/api/tools/register_hash', { image, ...more }, by(wallet));
  const balance = async (wallet: string) =>
    (await app.post('/api/tools/check_balance', { wallet })).body.balance;

  test('registers for one credit; a repeat is free; another wallet learns the first registrant', async () => {
    const first = await register(WALLET, { title: 'Waves', artist: 'Ada' });
    const again = await register(WALLET);
    const later = await register(OTHER);

    expect(first.body).toMatchObject({ registered: true, quality: 100, prior_art: [], cost: { credit: 1 } });
    expect(again.body).toMatchObject({
      registered: false,
      already_registered: true,
      hash_id: first.body.hash_id,
      cost: { credit: 0, note: expect.stringContaining('You were not charged') },
    });
    expect(later.body).toMatchObject({
      registered: true,
      prior_art: [{ credit_id: first.body.hash_id, title: 'Waves', artist: 'Ada', similarity: 1 }],
      warnings: [expect.stringContaining('later one')],
    });
    expect(await balance(WALLET)).toBe(9.05);
  });

  test('an asset and the same bytes sent inline share one registration and verification result', async () => {
    const data = (await scene(2)).toString('base64');
    await app.post('/api/tools/save_asset', { wallet: OTHER, key: 'waves', data }, by(OTHER));
    const verify = async (image: string) =>
      (await app.post('/api/tools/verify_provenance', { image }, by(OTHER))).body;
    const [asset, inline] = [
      await register(OTHER, { image: 'asset:waves' }),
      await register(OTHER, { image: data }),
    ];
    const [ofAsset, ofInline] = [await verify('asset:waves'), await verify(data)];

    const { hash_id, hash, quality, windows, sha256 } = asset.body;
    const same = { hash_id, hash, quality, windows, sha256 };
    expect(inline.body).toMatchObject({ ...same, already_registered: true, cost: { credit: 0 } });
    expect([asset.body.registered, ofAsset.best_match.credit_id]).toEqual([true, hash_id]);
    const { verdict, witnesses, difference, confidence } = ofAsset;
    expect(ofInline).toMatchObject({ verdict, witnesses, difference, confidence });
  });

  test('concurrent registrations are charged once, and a repeat works without credits', async () => {
    const wallet = '0x00000000000000000000000000000000000000c4';
    await app.post('/api/wallet/register', { wallet });
    for (let key = 0; key < 9; key++)
      await app.post('/api/tools/save_asset', { wallet, key: `spent-${key}`, data: image }, by(wallet));
    const [first, second] = [
      (await scene(3, 200, 150)).toString('base64'),
      (await scene(4, 200, 150)).toString('base64'),
    ];
    const racing = await Promise.all(Array.from({ length: 6 }, () => register(wallet, { image: first })));
    expect(racing.map(({ status }) => status)).toEqual(racing.map(() => 200));
    expect(new Set(racing.map(({ body }) => body.hash_id)).size).toBe(1);
    expect(racing.filter(({ body }) => body.registered)).toHaveLength(1);
    expect(await balance(wallet)).toBe(0.5);

    const asked = await register(wallet, { image: first, dry_run: true });
    expect(asked.body.quote).toMatchObject({ credit: 0, note: expect.stringContaining('You registered') });
    expect((await register(wallet, { image: first })).body).toMatchObject({ already_registered: true });
    expect((await register(wallet, { image: second })).status).toBe(402);
    expect((await app.get('/api/ledger/invariants')).body).toMatchObject({ balanced: true, held: 0 });
  });

  test('a failed call lets the next queued call proceed', async () => {
    const [one, other] = await Promise.all(
      [EXAMPLE_PNG_B64, EXAMPLE_PNG_B64].map((flat) => register(OTHER, { image: flat })),
    );
    expect([one!.status, other!.status]).toEqual([422, 422]);
    expect((await app.get('/api/ledger/invariants')).body).toMatchObject({ balanced: true, held: 0 });
  });

  test('a featureless image is rejected with the reason, free of charge', async () => {
    const before = await balance(WALLET);
    const { status, body } = await register(WALLET, { image: EXAMPLE_PNG_B64 });

    expect([status, body.code]).toEqual([422, 'unsuitable_image']);
    expect(body.detail).toContain('its quality is 1, the minimum is 50');
    expect(await balance(WALLET)).toBe(before);
  });

  test.each([
    [{ title: 'a\nb' }, 'title'],
    [{ artist: 'x'.repeat(301) }, 'artist'],
    [{ provenance_uri: 'javascript:alert(1)' }, 'provenance_uri'],
    [{ provenance_uri: 'https://a b' }, 'provenance_uri'],
  ])('rejects %j', async (more, field) => {
    const { status, body } = await register(WALLET, more);
    expect([status, body.errors[0].field]).toEqual([400, field]);
  });
});

test('a known work is reported, not registered, and free of charge', async () => {
  const work: Match = {
    id: 'met_45434',
    kind: 'work',
    title: 'Under the Wave',
    artist: 'Hokusai',
    registeredAt: null,
    wallet: null,
    provenanceUri: 'https://museum.test/45434',
    similarity: 0.99,
    confidence: 1,
    by: 'picture',
  };
  const services = {
    pixels: {
      run: async () => ({
        hashes: [new Uint8Array(32)],
        quality: 90,
        windows: new Uint8Array(64),
        engine: {},
      }),
    },
    hashes: { register: () => Promise.reject(new Error('not called')) },
    provenance: { priorArt: async () => [work] },
  } as unknown as Pick<Services, 'pixels' | 'hashes' | 'provenance'>;
  const waived: string[] = [];
  const image = { bytes: new Uint8Array(1), format: 'png' as const, width: 9, height: 9 };
  const input = { ...registerHash.input.parse({ image: 'x' }), image };
  const answer = await registerHash.run(
    input,
    services,
    quietCall({ waive: (why) => void waived.push(why) }),
  );

  expect(answer).toMatchObject({
    registered: false,
    hash_id: null,
    prior_art: [{ kind: 'work', credit_id: 'met_45434' }],
  });
  expect(waived).toEqual([expect.stringContaining('met_45434')]);
});
