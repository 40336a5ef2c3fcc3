import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openTestApp, type TestApp } from '../support/open_test_app.ts';
import { scene } from '../support/scene.ts';
import { toppedUp } from '../support/topped_up.ts';

/** What is meant to break or fool the tools of provenance, through the whole service: told apart, never a crash, never believed. */

const WALLET = `0x${'9'.repeat(40)}`;
const BY = { Authorization: `Bearer ${WALLET}` };

let app: TestApp;
let image: string;
beforeAll(async () => {
  app = await openTestApp();
  await toppedUp(app.post, WALLET);
  image = (await scene(3, 512, 384)).toString('base64');
});
afterAll(() => app?.close());

const call = (tool: string, body: object, headers: Record<string, string> = BY) =>
  app.post(`/api/tools/${tool}`, body, headers);
const witnesses = (body: { witnesses: { witness: string; finding: string; sentence: string }[] }) =>
  Object.fromEntries(body.witnesses.map(({ witness, ...said }) => [witness, said]));

test('a payload of zeros, emoji and right-to-left text round-trips exactly, also on replay', async () => {
  const payload = '\0a\0👩‍👩‍👧‍👦 \u202eحقوق\0';
  const again = { ...BY, 'Idempotency-Key': 'zeros' };
  const marked = await call('watermark_embed', { image, payload }, again);
  const replayed = await call('watermark_embed', { image, payload }, again);
  expect([marked.status, marked.body.payload_embedded, replayed.body.payload_embedded]).toEqual([
    200,
    payload,
    payload,
  ]);
  const picture = { image: marked.body.image_b64 };
  expect((await call('watermark_detect', picture)).body).toMatchObject({
    payload_detected: payload,
    payload_source: 'picture',
  });
  const { watermark } = witnesses((await call('verify_provenance', picture)).body);
  expect(watermark).toMatchObject({ finding: 'absent', sentence: expect.not.stringMatching(/\p{C}/u) });
}, 240_000);

describe.each([
  ['five megabytes', { title: 'Wave', note: 'x'.repeat(5_000_000) }, [200, 400, 200]],
  ['two hundred thousand entries', { notes: Array.from({ length: 200_000 }, String) }, [413, 413, 413]],
  [
    'fifty levels',
    { title: 'Wave', more: JSON.parse(`${'['.repeat(50)}${']'.repeat(50)}`) },
    [400, 400, 400],
  ],
  ['a zero character', { title: 'Wave', note: 'a\0' }, [400, 400, 400]],
  ['what points at itself', { title: 'Wave', self: { $ref: '#' }, toJSON: 'no' }, [200, 200, 200]],
  ['XML', { title: ']]></rdf:li><!--&evil;<?xpacket end="w"?>' }, [200, 200, 200]],
])('metadata of %s', (_what, metadata, expected) => {
  test('is stored in full or refused with instructions', async () => {
    const replies = [
      await call('infuse_metadata', { image, metadata, metadata_mode: 'standard' }),
      await call('infuse_metadata', { image, metadata }),
      await call('store_permanent', { image, metadata }),
    ];
    expect(replies.map(({ status }) => status)).toEqual(expected);
    for (const { status, body } of replies) if (status !== 200) expect(body.detail).toMatch(/Send|Remove/);
    const codex = replies[1]!;
    if (codex.status !== 200) return;
    const { body } = await call('verify_provenance', { image: codex.body.image_b64 });
    expect(witnesses(body).metadata).toMatchObject({
      finding: 'agree',
      sentence: expect.stringContaining('codex match the signature'),
    });
  });
});

test.each(['standard', 'full_codex'])('an undecodable file is not charged in mode %s', async (mode) => {
  const bytes = Buffer.from(image, 'base64');
  // Everything behind the header: the pixels of the scene.
  bytes.fill(0xff, 100, bytes.length - 100);
  const balance = async () => (await app.post('/api/tools/check_balance', { wallet: WALLET })).body.balance;
  const before = await balance();
  const metadata = { title: 'Sea' };
  const broken = { image: bytes.toString('base64'), metadata, metadata_mode: mode };
  const { status, body } = await call('infuse_metadata', broken);
  expect([status, body.code]).toEqual([422, 'undecodable_image']);
  expect(await balance()).toBe(before);
});

test('a codex signed by another service proves neither origin nor registration', async () => {
  const other = await openTestApp();
  await toppedUp(other.post, WALLET);
  const body = { image: (await scene(4)).toString('base64'), metadata: { title: 'Mine', creator: 'Eve' } };
  const theirs = await other.post('/api/tools/infuse_metadata', body, BY);
  await other.close();
  const { body: verified } = await call('verify_provenance', { image: theirs.body.image_b64 });
  expect([verified.verdict, verified.match_found]).toEqual(['unknown', false]);
  expect(witnesses(verified).metadata).toMatchObject({
    finding: 'absent',
    sentence: expect.stringContaining('does not know the signer'),
  });
});

describe('a C2PA manifest', () => {
  let broken: string;
  beforeAll(() => {
    const bytes = readFileSync(join(import.meta.dirname, '../fixtures/c2pa/signed.jpg'));
    bytes.write('See', bytes.lastIndexOf('Sea</rdf:li>'));
    broken = bytes.toString('base64');
  });

  test('that is invalid gives the verdict conflicting', async () => {
    const { body } = await call('verify_provenance', { image: broken });
    expect([body.verdict, witnesses(body).c2pa?.finding]).toEqual(['conflicting', 'conflict']);
  });

  test('that is invalid fails no tool and is dropped from results', async () => {
    for (const [tool, more] of [
      ['watermark_embed', { payload: 'Ada' }],
      ['infuse_metadata', { metadata: { title: 'Sea' }, metadata_mode: 'standard' }],
    ] as const) {
      const { status, body } = await call(tool, { image: broken, ...more });
      expect([tool, status]).toEqual([tool, 200]);
      const verified = await call('verify_provenance', { image: body.image_b64 ?? body.result });
      expect(witnesses(verified.body).c2pa?.finding).toBe('absent');
    }
  });
});
