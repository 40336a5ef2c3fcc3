import { setTimeout as sleep } from 'node:timers/promises';
import { sharp } from '@atelier/imaging/codecs/sharp.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { EXAMPLE_PNG_B64 } from '../src/features/definitions/example_image.ts';
import { c2paProblems } from './support/c2pa_problems.ts';
import {
  type FakeImageProvider,
  type ImageConduct,
  startFakeImageProvider,
} from './support/fake_image_provider.ts';
import { forEachApp } from './support/for_each_app.ts';
import { developmentCertificate } from './support/open_manifests.ts';
import type { TestApp } from './support/open_test_app.ts';
import { scene } from './support/scene.ts';
import { needs } from './support/test_requirements.ts';

/** An image model behind the whole service: what is offered, what it costs, and how its images are marked. */

const WALLET = '0x00000000000000000000000000000000000000f7';
const PAYER = { Authorization: `Bearer ${WALLET}` };
const PROMPT = 'A lighthouse at dawn';

forEachApp((open) => {
  let provider: FakeImageProvider;
  let app: TestApp;
  let png: Buffer;

  const closeAll = async () => {
    await app?.close();
    await provider?.close();
  };
  afterAll(closeAll);
  const openWith = async (settings: Record<string, string>, ...conducts: ImageConduct[]) => {
    await closeAll();
    png = await sharp(await scene(4))
      .png()
      .toBuffer();
    provider = await startFakeImageProvider('openai', png, ...conducts);
    app = await open({
      GENERATION_PROVIDER: 'openai',
      GENERATION_MODEL: 'gpt-image-1',
      GENERATION_API_KEY: 'k',
      GENERATION_BASE_URL: provider.url,
      GENERATION_USD: '0.17',
      ...settings,
    });
    await app.post('/api/wallet/register', { wallet: WALLET });
  };
  const generate = (body: object = {}, headers: Record<string, string> = PAYER) =>
    app.post('/api/tools/generate_image', { prompt: PROMPT, ...body }, headers);
  const balance = async () => (await app.post('/api/tools/check_balance', { wallet: WALLET })).body.balance;
  const bytesOf = (body: { image_b64: string }) => Buffer.from(body.image_b64, 'base64');
  const verify = async (image_b64: string) =>
    (await app.post('/api/tools/verify_provenance', { image: image_b64 }, PAYER)).body;

  describe('without a provider', () => {
    beforeAll(async () => {
      await closeAll();
      app = await open();
    });

    test('the tools are in no list', async () => {
      const { tools } = (await app.post('/api/tools/search_tools', {})).body;
      const names = tools.map(({ name }: { name: string }) => name);
      expect(names).not.toContain('generate_image');
      expect((await app.get('/openapi.json')).text).not.toMatch(/generate_image|edit_with_words/);
      expect((await app.get('/pricing.json')).text).not.toContain('generate_image');
    });

    test.each(['generate_image', 'edit_with_words'])(
      'a call of %s says what the operator would set',
      async (name) => {
        const { status, body } = await app.post(`/api/tools/${name}`, { prompt: PROMPT }, PAYER);
        expect({ status, code: body.code }).toEqual({ status: 404, code: 'unknown_tool' });
        expect(body.detail).toMatch(/cannot generate images.*GENERATION_PROVIDER/);
      },
    );
  });

  describe('a model that makes images', () => {
    beforeAll(() => openWith({ GENERATION_USD_A_DAY: '5', GENERATION_SHARE_PERCENT: '100' }));

    test('the price is quoted before it is charged, in every interface', async () => {
      // 0.17 USD and 20 % are 0.204 USD: 3 credits of 0.10 USD.
      expect((await generate({ dry_run: true })).body.quote).toMatchObject({ credit: 3, affordable: true });
      const unpaid = await generate({}, {});
      expect(unpaid.status).toBe(402);
      expect(unpaid.text).toContain('3 credits');
      expect((await app.get('/pricing.json')).body.tools).toContainEqual(
        expect.objectContaining({ name: 'generate_image', cost: { credit: 3, usd: 0.3 } }),
      );
      expect(provider.requests).toHaveLength(0);
    });

    test('an image costs its price and names its generator in every layer', async () => {
      const before = await balance();
      const { status, body } = await generate();
      expect(status).toBe(200);
      expect(body).toMatchObject({
        cost: { credit: 3 },
        model: { name: 'gpt-image-1', provider: 'OpenAI' },
        marks: { digital_source_type: 'trainedAlgorithmicMedia', watermark: true, c2pa_manifest: false },
      });
      expect(before - (await balance())).toBeCloseTo(3 * 0.95, 5);
      const { marked_as_ai, ai_marks } = await verify(body.image_b64);
      expect(marked_as_ai).toBe('yes');
      const layers = ai_marks.map(({ layer }: { layer: string }) => layer);
      expect(layers).toEqual(expect.arrayContaining(['iptc', 'watermark']));
      expect(bytesOf(body).toString('latin1')).toContain(PROMPT);
    });

    test('proportions that the model does not support are reported', async () => {
      const { body } = await generate({ aspect: '16:9', output: 'url' });
      expect(body.warnings.join(' ')).toMatch(/instead of 16:9.*edit_image/);
    });

    test('a changed image keeps its rights, and is marked as composite', async () => {
      const owned = await app.post(
        '/api/tools/infuse_metadata',
        {
          image: png.toString('base64'),
          metadata: { copyright_holder: 'Jane Doe', title: 'Sea' },
          metadata_mode: 'standard',
        },
        PAYER,
      );
      const { status, body } = await app.post(
        '/api/tools/edit_with_words',
        { image: owned.body.image_b64, prompt: 'make it winter' },
        PAYER,
      );
      expect(status).toBe(200);
      expect(body.marks.digital_source_type).toBe('compositeWithTrainedAlgorithmicMedia');
      const text = bytesOf(body).toString('latin1');
      expect(text).toContain('Jane Doe');
      expect(text).toContain('make it winter');
      expect(provider.requests.at(-1)?.body).not.toContain('Jane Doe');
    });
  });

  describe('with a certificate', needs('OpenSSL'), () => {
    beforeAll(async () => {
      const [C2PA_CERTIFICATE, C2PA_KEY] = developmentCertificate();
      await openWith({ C2PA_CERTIFICATE, C2PA_KEY });
    });

    test('a signed manifest names the model, and another implementation accepts it', async () => {
      const { body } = await generate();
      expect(body.marks.c2pa_manifest).toBe(true);
      expect(await c2paProblems(bytesOf(body))).toEqual([]);
      const { ai_marks } = await verify(body.image_b64);
      expect(ai_marks).toContainEqual(expect.objectContaining({ layer: 'c2pa', is_ai: true }));
    });
  });

  describe('a model that declines', () => {
    beforeAll(() => openWith({}, 'declines'));

    test('costs nothing', async () => {
      const before = await balance();
      const { status, body } = await generate();
      expect({ status, code: body.code }).toEqual({ status: 422, code: 'prompt_declined' });
      expect(await balance()).toBe(before);
    });
  });

  describe('a client that leaves', () => {
    beforeAll(() => openWith({}, 'is slow'));

    test.each([
      ['generate_image', { prompt: PROMPT }],
      ['edit_with_words', { prompt: PROMPT, image: EXAMPLE_PNG_B64 }],
      [
        'run_recipe',
        {
          steps: [
            { tool: 'generate_image', params: { prompt: `${PROMPT}!` }, save_as: 'made' },
            { tool: 'extract_palette', params: { image: '$made.result' } },
          ],
        },
      ],
    ])(
      'pays for the image of %s that the provider bills',
      async (tool, more) => {
        const [before, asked] = [await balance(), provider.requests.length];
        const connection = new AbortController();
        const calling = app.fetch(
          new Request(`http://atelier.test/api/tools/${tool}`, {
            method: 'POST',
            headers: { 'Content-Type': 'application/json', ...PAYER },
            body: JSON.stringify(more),
            signal: connection.signal,
          }),
        );
        while (provider.requests.length === asked) await sleep(5);
        connection.abort();
        await Promise.allSettled([calling]);
        expect(before - (await balance())).toBeCloseTo(3 * 0.95, 5);
      },
      60_000,
    );
  });

  describe('a job', () => {
    beforeAll(() => openWith({}, 'is slow'));

    test('that a provider works on cannot be canceled, and is charged', async () => {
      const before = await balance();
      const { job_id } = (await generate({ async: true })).body;
      while (provider.requests.length === 0) await sleep(5);
      const { body } = await app.post('/api/tools/cancel_job', { job_id }, PAYER);
      const state = async () => (await app.post('/api/tools/get_job', { job_id }, PAYER)).body.state;
      while ((await state()) === 'running') await sleep(50);
      expect([body.state, await state()]).toEqual(['running', 'succeeded']);
      expect(before - (await balance())).toBeCloseTo(3 * 0.95, 5);
    });
  });

  describe('a client whose quota of results is used up', () => {
    beforeAll(() => openWith({ RESULTS_BYTES_MAX: String(16 * 1024 * 1024), KEPT_SHARE_PERCENT: '1' }));

    test('is rejected before the provider is called', async () => {
      const { body } = await generate();
      expect({ code: body.code, asked: provider.requests.length }).toEqual({
        code: 'too_much_kept',
        asked: 0,
      });
    });
  });

  describe('a day with room for one image', () => {
    beforeAll(() => openWith({ GENERATION_USD_A_DAY: '0.2', GENERATION_SHARE_PERCENT: '100' }));

    test('the second is rejected until the next day, as the dry run reports', async () => {
      expect((await generate({ output: 'url' })).status).toBe(200);
      const { status, headers, body } = await generate();
      expect({ status, code: body.code }).toEqual({ status: 503, code: 'image_budget_spent' });
      expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
      const { checks } = (await generate({ dry_run: true })).body;
      expect(checks).toContainEqual({ check: 'vision', state: 'failed', detail: body.detail });
      expect(provider.requests).toHaveLength(1);
    });
  });
});
