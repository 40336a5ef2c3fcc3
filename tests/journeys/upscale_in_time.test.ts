import { sharp } from '@atelier/imaging/codecs/sharp.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Check } from '../../src/pipeline/dry_run.ts';
import { openTestApp, type TestApp } from '../support/open_test_app.ts';
import { newOwner } from '../support/owner.ts';

/** Six million pixels in that time would take 150 thousand million multiplications a second. */
const DEADLINE_MS = 24_000;
let app: TestApp;
let image: string;
beforeAll(async () => {
  // A job has time enough, on a machine that is slow as well.
  const settings = { TOOL_DEADLINE_MS: String(DEADLINE_MS), JOB_DEADLINE_MS: '3600000' };
  app = await openTestApp(settings);
  image = (
    await sharp({ create: { width: 2500, height: 2400, channels: 3, background: '#808080' } })
      .png()
      .toBuffer()
  ).toString('base64');
});
afterAll(() => app?.close());

const upscale = (body: object, headers: Record<string, string>) =>
  app.post('/api/tools/upscale_image', { model: 'realesr_animevideov3', image, ...body }, headers);

test('an upscale that cannot finish in time is refused free, as its dry run predicts', async () => {
  const owner = await newOwner(app);
  const dry = await upscale({ dry_run: true }, owner.bare);
  const started = performance.now();
  const refused = await upscale({}, owner.bare);
  const ms = performance.now() - started;
  const { body: wallet } = await app.post('/api/tools/check_balance', { wallet: owner.wallet });
  expect(dry.body.quote.estimated_seconds).toBeGreaterThan(DEADLINE_MS / 1000);
  expect((dry.body.checks as Check[]).find(({ check }) => check === 'time')?.state).toBe('failed');
  expect([refused.status, refused.body.code, ms < DEADLINE_MS]).toEqual([413, 'image_too_large', true]);
  expect(refused.body).toMatchObject({
    deadline_seconds: 24,
    as_job: true,
    detail: expect.stringContaining('respond-async'),
  });
  const { width, height } = refused.body.largest;
  expect([width < 2500, width > 100, Math.abs(width / height - 2500 / 2400) < 0.02]).toEqual([
    true,
    true,
    true,
  ]);
  expect([wallet.balance, wallet.held]).toEqual([10, 0]);
});

test('a small upscale runs and is charged as usual', async () => {
  const owner = await newOwner(app);
  const small = await sharp({ create: { width: 40, height: 30, channels: 3, background: '#808080' } })
    .png()
    .toBuffer();
  const { status, body } = await upscale({ image: small.toString('base64') }, owner.bare);
  expect([status, body.width, body.height]).toEqual([200, 160, 120]);
});
