import { readMetadata } from '@atelier/imaging/metadata/read_metadata.ts';
import { readSoulmark } from '@atelier/imaging/provenance/soulmark/read_soulmark.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ORIGINAL_PNG_B64 } from '../src/features/definitions/sample_pictures.ts';
import { openTestApp, type TestApp } from './support/open_test_app.ts';

const WALLET = '0x00000000000000000000000000000000000000e1';
const PAYER = { Authorization: `Bearer ${WALLET}` };

let app: TestApp;
beforeAll(async () => {
  app = await openTestApp();
  await app.post('/api/wallet/register', { wallet: WALLET });
});
afterAll(() => app?.close());

const SEEN = { subject: 'two hills', setting: 'under a low sun' };
const enrich = (body: object) =>
  app.post('/api/tools/enrich_metadata', { image: ORIGINAL_PNG_B64, observations: SEEN, ...body }, PAYER);
const balance = async () => (await app.post('/api/tools/check_balance', { wallet: WALLET })).body.balance;

test('the same call is charged once and reports it', async () => {
  const first = await enrich({ tier: 'standard', context: 'Two hills.' });
  expect(first.body.cost).toEqual({ credit: 1, usd: 0.1 });
  const left = await balance();
  const asked = await enrich({ tier: 'standard', context: 'Two hills.', dry_run: true });
  expect(asked.body.quote).toMatchObject({
    credit: 0,
    usd: 0,
    note: expect.stringMatching(/^The same call succeeded on .* are free\.$/),
  });
  const second = await enrich({ tier: 'standard', context: 'Two hills.' });
  expect(second.body).toMatchObject({
    metadata: first.body.metadata,
    engine: first.body.engine,
    cost: {
      credit: 0,
      usd: 0,
      note: expect.stringMatching(/^The same call succeeded on \d{4}-\d\d-\d\d/),
    },
  });
  expect(second.body).not.toHaveProperty('payment');
  expect(await balance()).toBe(left);
});

test('of eight simultaneous calls beyond the balance, one is charged', async () => {
  const wallet = '0x00000000000000000000000000000000000000e2';
  await app.post('/api/wallet/register', { wallet });
  const body = { image: ORIGINAL_PNG_B64, tier: 'premium', context: 'Racing.', observations: SEEN };
  const racing = await Promise.all(
    Array.from({ length: 8 }, () =>
      app.post('/api/tools/enrich_metadata', body, { Authorization: `Bearer ${wallet}` }),
    ),
  );
  expect(racing.map(({ body }) => body.cost.credit).toSorted()).toEqual([0, 0, 0, 0, 0, 0, 0, 2]);
  expect((await app.post('/api/tools/check_balance', { wallet })).body.balance).toBe(8.1);
});

test('the file contains the analysis unchanged, including the whisper', async () => {
  const soul_whisper = { message: 'Keep it dry.\nAnd look often.', sender: 'Ada' };
  const { body } = await enrich({ tier: 'premium', title: 'Two Hills', soul_whisper });
  expect(body.metadata.soul_whisper).toEqual(soul_whisper);
  const infused = await app.post(
    '/api/tools/infuse_metadata',
    { image: ORIGINAL_PNG_B64, metadata: body.metadata },
    PAYER,
  );
  expect(infused.status).toBe(200);
  expect(infused.body.fields_written).toEqual(
    expect.arrayContaining(['title', 'description', 'keywords', 'alt_text']),
  );
  const reading = await readSoulmark({ bytes: Buffer.from(infused.body.image_b64, 'base64') });
  expect(reading?.codex).toEqual(body.metadata);
  const { result, image_b64: image } = infused.body;
  const verified = (await app.post('/api/tools/verify_provenance', { image: result })).body;
  expect(verified.codex).toEqual({
    state: 'signed_here',
    soul_whisper: { ...soul_whisper, place: 'codex' },
    content: body.metadata,
  });
  expect(readMetadata(Buffer.from(image, 'base64')).xmp).toMatchObject({
    'atelier:SoulWhisper': soul_whisper.message,
    'atelier:SoulWhisperSender': 'Ada',
  });
});

test('in mode standard the whisper is a plain field, reported as unsigned', async () => {
  const infused = await app.post(
    '/api/tools/infuse_metadata',
    {
      image: ORIGINAL_PNG_B64,
      metadata: { title: 'Two Hills', soul_whisper: { message: 'Hello.' } },
      metadata_mode: 'standard',
    },
    PAYER,
  );
  expect(infused.body.fields_written).toEqual(['title', 'soul_whisper']);
  expect(infused.body).not.toHaveProperty('warnings');
  const { body } = await app.post('/api/tools/verify_provenance', { image: infused.body.result });
  expect(body.codex).toEqual({
    state: 'unsigned',
    soul_whisper: { message: 'Hello.', sender: '', place: 'field' },
    content: null,
  });
});

test.each([
  ['standard', 'standard'],
  ['premium', 'full_codex'],
])('what was sent with tier %s is in the file, by its metadata alone', async (tier, metadata_mode) => {
  const payer = { Authorization: `Bearer 0x${'e'.repeat(39)}${tier.length % 10}` };
  await app.post('/api/wallet/register', { wallet: payer.Authorization.slice(7) });
  const sent = { artist_name: 'Ada Lovelace', copyright_holder: 'Ada Ltd', creation_year: '1843' };
  const asked = { image: ORIGINAL_PNG_B64, tier, title: 'Two Hills', observations: SEEN, ...sent };
  const { metadata } = (await app.post('/api/tools/enrich_metadata', asked, payer)).body;
  const infusing = { image: ORIGINAL_PNG_B64, metadata, metadata_mode };
  const { body } = await app.post('/api/tools/infuse_metadata', infusing, payer);
  expect(readMetadata(Buffer.from(body.image_b64, 'base64')).fields).toMatchObject({
    title: 'Two Hills',
    creator: ['Ada Lovelace'],
    copyright_holder: 'Ada Ltd',
    copyright_notice: 'Ada Ltd',
    creation_year: '1843',
  });
});

test('without observations the response is free with a reason, and the call with them costs the price of the tier', async () => {
  const wallet = '0x00000000000000000000000000000000000000e3';
  const payer = { Authorization: `Bearer ${wallet}` };
  await app.post('/api/wallet/register', { wallet });
  const asked = { image: ORIGINAL_PNG_B64, tier: 'standard' };
  const send = (more: object) => app.post('/api/tools/enrich_metadata', { ...asked, ...more }, payer);
  const told = (await send({ dry_run: true })).body;
  const { body } = await send({});
  expect(body).toMatchObject({
    state: 'needs_observations',
    degraded: true,
    degraded_reason: expect.stringContaining('VISION_PROVIDER'),
    cost: { credit: 0, note: expect.stringContaining('send `observations`') },
  });
  expect(told.quote).toMatchObject({ credit: 0, degraded: true, degraded_reason: body.degraded_reason });
  const { pathname, search } = new URL(body.preview.result_url);
  expect((await app.get(pathname + search)).status).toBe(200);
  const [step] = body.next_steps;
  expect((await send({ observations: step.params.observations, context: 'x' })).body.cost.credit).toBe(1);
});

test('the 402 of an unpaid call carries the brief', async () => {
  const { status, body } = await app.post('/api/tools/enrich_metadata', {});
  expect(status).toBe(402);
  expect(body.observer).toMatchObject({
    brief: expect.stringContaining('observations'),
    example: { subject: expect.any(String) },
  });
});

test('20 MB of observations are refused', async () => {
  const { status } = await enrich({ observations: { subject: 'a fox', prose: 'x'.repeat(20_000_000) } });
  expect([400, 413]).toContain(status);
});

test('an image that fails is not charged', async () => {
  const left = await balance();
  const { status } = await app.post(
    '/api/tools/enrich_metadata',
    { image: Buffer.from(ORIGINAL_PNG_B64, 'base64').subarray(0, 200).toString('base64') },
    PAYER,
  );
  expect(status).toBe(422);
  expect(await balance()).toBe(left);
});
