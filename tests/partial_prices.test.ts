import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readConfig } from '../src/config/config.ts';
import { openDataset } from '../src/features/artworks/open_dataset.ts';
import { type FakeFacilitator, startFakeFacilitator } from './support/fake_facilitator.ts';
import { ENDED, jobIn, postJob } from './support/job_calls.ts';
import { newSchema, type Schema } from './support/new_schema.ts';
import { openTestApp, type TestApp } from './support/open_test_app.ts';
import { newOwner } from './support/owner.ts';
import { needs } from './support/test_requirements.ts';
import { makeOperatorTokens, startIssuer } from './support/token_issuer.ts';
import { decoded, newPayer, v2, X402_SETTINGS } from './support/x402_payer.ts';

/** Works with a picture are what get_artwork and batch_download are paid for, by every way of paying, on both databases. */

const WITH_PICTURE = 103;
const FIRST = { has_image: true };
/** Three works of the 103 with a picture, and nothing behind them. */
const LAST = { has_image: true, offset: 100 };

const serverUrl = process.env.TEST_DATABASE_URL;
describe('embedded', () => suite());
describe('postgresql', needs('PostgreSQL'), () => suite(serverUrl));

function suite(postgresql?: string): void {
  let facilitator: FakeFacilitator;
  let schema: Schema | undefined;
  let app: TestApp;
  let folder: string;
  let issuer: Awaited<ReturnType<typeof startIssuer>>;

  beforeAll(async () => {
    facilitator = await startFakeFacilitator();
    issuer = await startIssuer();
    schema = postgresql === undefined ? undefined : await newSchema(postgresql);
    folder = mkdtempSync(join(tmpdir(), 'atelier-prices-'));
    const settings = { DATA_DIR: folder, LOG_LEVEL: 'silent', ...(schema && { DATABASE_URL: schema.url }) };
    const works = Array.from({ length: WITH_PICTURE + 2 }, (_, at) => ({
      objectID: 1000 + at,
      isPublicDomain: true,
      title: `Work ${at}`,
      objectDate: '1885',
      primaryImage: at < WITH_PICTURE ? `https://images.test/${at}.jpg` : '',
    }));
    const path = join(folder, 'works.jsonl');
    writeFileSync(path, works.map((work) => JSON.stringify(work)).join('\n'));
    const dataset = await openDataset(readConfig(settings));
    await dataset.import({ museum: 'met', path, signal: new AbortController().signal, onProgress() {} });
    await dataset.close();
    app = await openTestApp({ ...settings, ...issuer.settings, ...X402_SETTINGS(facilitator.url) });
  });
  afterAll(async () => {
    expect((await app.get('/api/ledger/invariants')).body).toMatchObject({ balanced: true, problems: [] });
    await app.close();
    await facilitator.close();
    await issuer.close();
    await schema?.drop();
    rmSync(folder, { recursive: true, force: true });
  });

  const batch = (body: object, headers: Record<string, string> = {}) =>
    app.post('/api/tools/batch_download', body, headers);
  const balanceOf = async (wallet: string) => (await app.post('/api/tools/check_balance', { wallet })).body;
  async function card(wallet?: string) {
    const asked = { tool_name: 'batch_download', ...(wallet && { wallet }) };
    const { payment_intent_id: id } = (await app.post('/api/create-payment-intent', asked)).body;
    await app.post('/api/dev/confirm-payment-intent', { payment_intent_id: id });
    return { 'X-Payment-Intent': id as string };
  }

  test('the last three works cost one credit: stated in advance, charged to the wallet, and on the receipt', async () => {
    const { wallet, bare } = await newOwner(app);
    const told = (await batch({ ...LAST, dry_run: true }, bare)).body;
    const { status, body } = await batch(LAST, bare);
    expect([status, body.quantity_returned, body.quantity_with_picture]).toEqual([200, 3, 3]);
    expect(body.cost).toEqual({ credit: 1, usd: 0.1, note: expect.stringContaining('3 of the 3 works') });
    expect(told.quote).toMatchObject({
      ...body.cost,
      works: { returned: 3, with_picture: 3 },
      balance_after: 9.05,
    });
    expect(await balanceOf(wallet)).toMatchObject({ balance: 9.05, held: 0, totals: { spent: 1 } });
    const claims = JSON.parse(Buffer.from(body.payment.receipt.split('.')[1], 'base64url').toString());
    expect(claims).toMatchObject({ cost: { credit: 1 }, payment: { credit_back: 0.05 } });
  });

  test('a hundred cost the price of the table, which a new wallet does not have', async () => {
    const { bare } = await newOwner(app);
    const { status, body } = await batch(FIRST, bare);
    expect([status, body.cost.credit]).toEqual([402, 50]);
    const paid = (await batch(FIRST, await card())).body;
    expect(paid).toMatchObject({ quantity_returned: 100, cost: { credit: 50 } });
    expect(paid.cost.note).toBe('Paid by card. No credits were charged.');
  });

  test('records without an image are free, but a paid tool requires a payer', async () => {
    const { wallet, bare } = await newOwner(app);
    const { body } = await batch({}, bare);
    expect([body.quantity_returned, body.quantity_with_picture]).toEqual([100, 0]);
    expect(body.cost).toEqual({ credit: 0, usd: 0, note: expect.stringContaining('None of the 100 works') });
    expect(body).not.toHaveProperty('payment');
    expect((await balanceOf(wallet)).balance).toBe(10);
    expect((await batch({})).status).toBe(402);
    const told = (await batch({ dry_run: true })).body;
    expect(told.quote.credit).toBe(0);
    expect(told.checks).toContainEqual(expect.objectContaining({ check: 'payer', state: 'failed' }));
  });

  test('get_artwork without an image returns the record for free, as its dry run reports', async () => {
    const { wallet, bare } = await newOwner(app);
    const get = (artifact_id: string, more: object = {}) =>
      app.post('/api/tools/get_artwork', { artifact_id, ...more }, bare);
    const told = (await get(`met_${1000 + WITH_PICTURE}`, { dry_run: true })).body;
    const { status, body } = await get(`met_${1000 + WITH_PICTURE}`);
    expect([status, body.image, body.metadata.title]).toEqual([200, null, `Work ${WITH_PICTURE}`]);
    expect(body.cost).toEqual({ credit: 0, usd: 0, note: expect.stringContaining('no image') });
    expect(told.quote).toEqual(body.cost);
    expect((await get('met_1000')).body.cost.credit).toBe(1);
    expect((await balanceOf(wallet)).balance).toBe(9.05);
    expect((await get('met_9', { dry_run: true })).body.code).toBe('artwork_not_found');
  });

  test('get_artwork_oracle: the dry run rejects the same input as the run', async () => {
    const { bare } = await newOwner(app);
    for (const artifact_id of [`met_${1000 + WITH_PICTURE}`, 'met_9']) {
      const ask = (more: object) => app.post('/api/tools/get_artwork_oracle', { artifact_id, ...more }, bare);
      const [told, ran] = [await ask({ dry_run: true }), await ask({})];
      expect([told.status, told.body.code, told.body.detail]).toEqual([
        ran.status,
        ran.body.code,
        ran.body.detail,
      ]);
      expect(ran.status).toBeGreaterThanOrEqual(400);
    }
  });

  test('a job holds and charges the price of its batch', async () => {
    const { wallet, bare } = await newOwner(app);
    const { body: accepted } = await postJob(app, 'batch_download', LAST, bare);
    const job = await jobIn(app, accepted.job_id, ENDED, bare);
    expect(accepted.credits.held).toBe(1);
    expect(job).toMatchObject({ state: 'succeeded', credits: { held: 0, charged: 1 } });
    expect(job.result.cost).toEqual({
      credit: 1,
      usd: 0.1,
      note: expect.stringContaining('3 of the 3 works'),
    });
    expect(await balanceOf(wallet)).toMatchObject({ balance: 9.05, held: 0 });
  });

  test('a card payment beyond the batch becomes credits in the wallet', async () => {
    const { wallet } = await newOwner(app);
    const { body } = await batch(LAST, await card(wallet));
    expect(body.cost).toMatchObject({ credit: 1, note: expect.stringMatching(/3 of the 3.*Paid by card/) });
    expect(body.payment).toMatchObject({ charged_usd: 5, surplus_credits: 49, calls_left: 0, wallet });
    expect((await balanceOf(wallet)).balance).toBe(10 + 49 + 0.05);
  });

  test('without a wallet, the remainder pays for calls of the same tool', async () => {
    const headers = await card();
    const first = (await batch(LAST, headers)).body.payment;
    const second = (await batch({ ...LAST, format: 'jsonl' }, headers)).body.payment;
    expect(first).toMatchObject({ charged_usd: 5, calls_left: 49 });
    expect(second).toMatchObject({ charged_usd: 0, calls_left: 48 });
  });

  test('x402 charges exactly the price of the batch', async () => {
    const demanded = decoded((await batch(LAST)).headers.get('payment-required'));
    expect(demanded.accepts[0].amount).toBe('100000');
    const payer = newPayer();
    const { status, body } = await batch(LAST, v2(await payer.pay()));
    expect([status, body.cost.credit, body.payment.amount]).toEqual([200, 1, '100000']);
    expect(facilitator.transfers.filter((one) => one.payer === payer.wallet)).toHaveLength(1);
    const free = newPayer();
    expect((await batch({}, v2(await free.pay()))).body.cost.credit).toBe(0);
    expect(facilitator.transfers.filter((one) => one.payer === free.wallet)).toEqual([]);
  });

  // The last test: what a rule has quoted holds for minutes.
  test('under a price rule x402, jobs and cards take half, and a price quoted before the rule still pays', async () => {
    const [thirteen, { wallet, bare }] = [{ has_image: true, offset: 90 }, await newOwner(app)];
    const { money } = await makeOperatorTokens(app, issuer.tokenOf(['staff']));
    const asked = async () =>
      decoded((await batch(thirteen)).headers.get('payment-required')).accepts[0].amount;
    const before = await asked();
    const rule = { name: 'half', percent: 50, tools: 'batch_download', reason: 'a test' };
    expect((await app.post('/api/operator/price', rule, money)).status).toBe(200);
    const now = await asked();
    expect([before, now]).toEqual(['600000', '300000']);
    for (const [value, credit] of [
      [now, 3],
      [before, 6],
    ] as const) {
      const paid = await batch(thirteen, v2(await newPayer().pay({ value }, { amount: value })));
      expect([paid.status, paid.body.cost.credit, paid.body.payment?.amount]).toEqual([200, credit, value]);
    }
    expect(
      (await batch(thirteen, v2(await newPayer().pay({ value: '400000' }, { amount: '400000' })))).status,
    ).toBe(402);
    const { body: accepted } = await postJob(app, 'batch_download', thirteen, bare);
    const job = await jobIn(app, accepted.job_id, ENDED, bare);
    expect(job).toMatchObject({ state: 'succeeded', credits: { held: 0, charged: 3 } });
    expect((await balanceOf(wallet)).balance).toBe(10 - 3 + 0.15);
    expect((await batch(thirteen, await card())).body.cost.credit).toBe(3);
  });
}
