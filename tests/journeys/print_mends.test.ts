import { randomBytes } from 'node:crypto';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { forEachApp } from '../support/for_each_app.ts';
import type { TestApp } from '../support/open_test_app.ts';
import { newOwner } from '../support/owner.ts';

/** What a preflight report offers is sent as it stands, and the fault is gone. */

interface Check {
  check: string;
  status: string;
  mend?: { action: string; endpoint: string; params: object };
  other_mends?: Check['mend'][];
}

/** Noise of so many pixels a side. */
async function pictureOf(side: number): Promise<string> {
  const raw = { width: side, height: side, channels: 3 as const };
  return (
    await sharp(randomBytes(3 * side * side), { raw })
      .png()
      .toBuffer()
  ).toString('base64');
}

forEachApp((open) => {
  let app: TestApp;
  beforeAll(async () => {
    app = await open();
  });
  afterAll(() => app.close());

  test.each([
    ['one enlargement reaches the sheet', 120, 40, 2],
    ['one of eight times reaches the sheet', 100, 80, 2],
    ['two enlargements reach the sheet', 128, 200, 4],
  ])('%s, and a smaller sheet needs no enlargement', async (_, side, mm, credits) => {
    const { bare: headers } = await newOwner(app);
    const sheet = { product_size: 'custom', custom_width_mm: mm, custom_height_mm: mm, output: 'url' };
    const asked = { ...sheet, image: await pictureOf(side) };
    const { body } = await app.post('/api/tools/print_ready', asked, headers);
    const soft = body.preflight.checks.find(({ check }: Check) => check === 'resolution') as Check;
    expect(soft.status).toBe('fail');
    for (const mend of [soft.mend!, ...(soft.other_mends ?? [])]) {
      const { status, body: mended } = await app.post(mend!.endpoint.slice(5), mend!.params, headers);
      const made = mended.steps?.at(-1)?.answer ?? mended;
      expect([mend!.action, status]).toEqual([mend!.action, 200]);
      const resolution = made.preflight.checks.find(({ check }: Check) => check === 'resolution');
      expect([mend!.action, resolution.status]).toEqual([mend!.action, 'pass']);
    }
    expect(soft.mend!).toMatchObject({ cost: `${credits} credits (0.${credits}0 USD)` });
  });
});
