import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ORIGINAL_PNG_B64 } from '../src/features/definitions/sample_pictures.ts';
import { SEEN } from './support/ask_vision.ts';
import { type FakeProvider, type Page, startFakeProvider } from './support/fake_provider.ts';
import { forEachApp } from './support/for_each_app.ts';
import type { TestApp } from './support/open_test_app.ts';
import { answerOf, type Conduct } from './support/provider_answers.ts';

/** A vision model behind the whole service: what its failures cost, and how far a day's budget reaches. */

const WALLET = '0x00000000000000000000000000000000000000f1';
const PAYER = { Authorization: `Bearer ${WALLET}` };
const said = (conduct: Conduct): Page => ({
  page: JSON.stringify(answerOf('anthropic', conduct, JSON.stringify(SEEN))),
});

forEachApp((open) => {
  let provider: FakeProvider;
  let app: TestApp;

  const closeAll = async () => {
    await app?.close();
    await provider?.close();
  };
  afterAll(closeAll);
  const openWith = async (settings: Record<string, string>, ...pages: Page[]) => {
    await closeAll();
    provider = await startFakeProvider('anthropic', ...pages);
    app = await open({
      VISION_PROVIDER: 'anthropic',
      VISION_MODEL: 'eyes-1',
      VISION_API_KEY: 'k',
      VISION_BASE_URL: provider.url,
      ...settings,
    });
    await app.post('/api/wallet/register', { wallet: WALLET });
  };
  const enrich = (body: object) =>
    app.post('/api/tools/enrich_metadata', { image: ORIGINAL_PNG_B64, ...body }, PAYER);
  const balance = async () => (await app.post('/api/tools/check_balance', { wallet: WALLET })).body.balance;

  describe('a day with room for little', () => {
    beforeAll(() =>
      openWith(
        { VISION_TOKENS_A_DAY: '15000', VISION_SHARE_PERCENT: '100' },
        said('refuses'),
        said('answers'),
      ),
    );

    test('a refusal is not charged, and its tokens count', async () => {
      const before = await balance();
      const { status, body } = await enrich({ context: 'A war.' });
      expect({ status, code: body.code }).toEqual({ status: 502, code: 'upstream_failed' });
      expect(body.detail).toMatch(/declined.*You were not charged/);
      expect(await balance()).toBe(before);
    });

    test('tokens are in the response', async () => {
      const { body } = await enrich({ tier: 'standard' });
      expect(body.usage).toEqual({ input_tokens: 1200, output_tokens: 400 });
    });

    test('an exhausted daily budget is reported by the dry run and the run, with its reset time', async () => {
      const before = await balance();
      const told = (await enrich({ dry_run: true })).body;
      const { status, headers, body } = await enrich({});
      expect({ status, code: body.code }).toEqual({ status: 503, code: 'vision_budget_spent' });
      expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
      expect(body.available_at).toMatch(/^\d{4}-\d\d-\d\dT00:00:00Z$/);
      expect(told.checks).toContainEqual({ check: 'vision', state: 'failed', detail: body.detail });
      expect(provider.requests).toHaveLength(2);
      expect(await balance()).toBe(before);
    });

    test('a paid result is returned again for free, as the dry run reports', async () => {
      const { checks } = (await enrich({ tier: 'standard', dry_run: true })).body;
      expect(checks).not.toContainEqual(expect.objectContaining({ check: 'vision' }));
      expect((await enrich({ tier: 'standard' })).body).toMatchObject({ cost: { credit: 0 } });
    });

    test('the built-in engine continues, free of charge', async () => {
      const { status, body } = await enrich({ engine: 'built_in' });
      expect({ status, state: body.state, credit: body.cost.credit }).toEqual({
        status: 200,
        state: 'needs_observations',
        credit: 0,
      });
    });
  });
});
