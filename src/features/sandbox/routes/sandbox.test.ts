import { sharp } from '@atelier/imaging/codecs/sharp.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { openTestApp, type TestApp, type TestReply } from '../../../../tests/support/open_test_app.ts';
import { validateInput } from '../../../pipeline/receive.ts';
import { sandboxContracts } from '../../definitions/contracts.ts';
import { highestPrice } from '../../definitions/price.ts';
import { upscaleImage } from '../../images/tools/upscale_image.ts';
import { modelOf, UPSCALE_MODELS } from '../../images/tools/upscale_plan.ts';

let app: TestApp;
beforeAll(async () => {
  app = await openTestApp();
});
afterAll(() => app?.close());

const get = (path: string): Promise<TestReply> => app.get(`/api/sandbox/${path}`);
const ask = async (path: string) => (await get(path)).body;

const FRAME = ['_note', '_sandbox', 'cost', 'next_steps'];
const KEYS: [path: string, keys: string[]][] = [
  ['enrich_metadata?tier=standard', ['fields', 'metadata', 'tier']],
  ['enrich_metadata?tier=premium', ['fields_count', 'metadata', 'tier']],
  [
    'upscale_image',
    [
      'available_models',
      'image_b64',
      'image_b64_note',
      'model',
      'original_size_bytes',
      'scale',
      'upscaled_size_bytes',
    ],
  ],
  ['compliance_manifest', ['dataset_id', 'manifests', 'regulation']],
  ['search_artworks', ['dataset', 'query', 'results', 'total_results']],
  ['verify_provenance', ['best_match', 'computed_hash', 'confidence', 'match_found', 'total_matches']],
];

test.each(KEYS)('%s returns exactly the keys of the specification', async (path, keys) => {
  const answer = await ask(path);

  expect(Object.keys(answer).sort()).toEqual([...FRAME, ...keys].sort());
  expect(answer).toMatchObject({ _sandbox: true, cost: { credit: 0, usd: 0 } });
});

test.each(sandboxContracts.map(({ name }) => name))('%s returns its sample', async (name) => {
  expect((await get(name)).status).toBe(200);
});

/** Fields of samples only: the table of choices, and a note about the image. */
const SAMPLE_ONLY = ['available_models', 'image_b64_note'];

test.each(sandboxContracts)(
  'the sample of $name contains only fields of the real response',
  ({ output, sandbox }) => {
    const shared = Object.keys(sandbox!.answer.shape).filter((name) => !SAMPLE_ONLY.includes(name));
    const strangers = shared.filter(
      (name) => !isMadeOf(required(sandbox!.answer.shape[name]), required(output.shape[name])),
    );

    expect(shared).not.toEqual([]);
    expect(strangers).toEqual([]);
  },
);

/** The same field, or an object whose fields all exist in the other one, which may have more. */
const isMadeOf = (part: unknown, whole: unknown): boolean =>
  part === whole ||
  (part instanceof z.ZodObject &&
    whole instanceof z.ZodObject &&
    Object.keys(part.shape).every((name) =>
      isMadeOf(required(part.shape[name]), required(whole.shape[name])),
    ));

/** Unwraps an optional field: a sample may always contain a field that responses sometimes omit. */
const required = (field: unknown): unknown => (field instanceof z.ZodOptional ? field.unwrap() : field);

test('the premium sample has the eleven keys of the specification', async () => {
  const { metadata } = await ask('enrich_metadata?tier=premium');

  expect(Object.keys(metadata as object).sort()).toEqual([
    'art_movements',
    'artist_analysis',
    'color_palette',
    'composition',
    'emotional_journey',
    'keywords',
    'lighting',
    'mood',
    'symbolism',
    'themes',
    'title',
  ]);
});

test.each(Object.entries(UPSCALE_MODELS))(
  '%s returns a valid PNG with the stated size',
  async (model, { scale }) => {
    const answer = await ask(`upscale_image?model=${model}`);
    const bytes = Buffer.from(answer.image_b64, 'base64');

    expect(await sharp(bytes).metadata()).toMatchObject({
      format: 'png',
      width: 24 * scale,
      height: 24 * scale,
    });
    expect(answer).toMatchObject({ model, scale, upscaled_size_bytes: bytes.length });
  },
);

test('the copy is matched by perceptual hash against the sample image only, not client registrations', async () => {
  const { best_match, computed_hash } = await ask('verify_provenance');
  const sent = sandboxContracts.find(({ name }) => name === 'verify_provenance')!.sandbox!.input({});
  const { body } = await app.post('/api/tools/verify_provenance', sent);

  expect(best_match.similarity).toBeGreaterThan(0.85);
  expect(best_match.similarity).toBeLessThan(1);
  expect(body).toMatchObject({ match_found: false, computed_hash });
});

test('concurrent requests share one generated sample', async () => {
  const two = await Promise.all([ask('mockup_image'), ask('mockup_image')]);

  expect(two[0].result).toBe(two[1].result);
});

test('an invalid query value is rejected with the valid choices', async () => {
  expect((await ask('enrich_metadata?tier=gold')).detail).toMatch(/one of standard, premium/);
  expect((await ask('upscale_image?model=x9')).detail).toMatch(/realesr_animevideov3/);
});

test('the note states the price of the real call', async () => {
  const standard = await ask('enrich_metadata?tier=standard');
  const premium = await ask('enrich_metadata');

  expect(standard.cost).toMatchObject({ note: expect.stringContaining('1 credit (0.10 USD)') });
  expect(premium.cost).toMatchObject({ note: expect.stringContaining('2 credits (0.20 USD)') });
});

test.each(sandboxContracts)(
  'next steps, samples and examples of $name are valid input',
  ({ examples, input, sandbox }) => {
    for (const example of [...examples, sandbox!.input({})])
      expect(() => validateInput(input, example)).not.toThrow();
    for (const { tool, params } of sandbox!.next) {
      const contract = sandboxContracts.find(({ name }) => name === tool);
      if (contract) expect(() => validateInput(contract.input, params)).not.toThrow();
    }
  },
);

const paid = sandboxContracts.filter(({ price }) => highestPrice(price) > 0);

test.each(paid)(
  '402 from $name equals the response of the tool to an unpaid call',
  async ({ name, sandbox }) => {
    const rehearsed = await get(`${name}?force_error=402`);
    const real = await app.post(`/api/tools/${name}`, { ...sandbox!.input({}) });
    const { _sandbox, instance, request_id, ...problem } = rehearsed.body;

    expect(real.body).toEqual({ ...problem, instance: real.body.instance, request_id: real.body.request_id });
    for (const header of ['www-authenticate', 'link', 'payment-required'])
      expect(rehearsed.headers.get(header)).toBe(real.headers.get(header));
    expect(_sandbox).toBe(true);
  },
);

test.each([
  ['429', 429, 'rate_limited'],
  ['503', 503, 'busy'],
])('%s includes Retry-After', async (failure, status, code) => {
  const { body, headers, ...reply } = await get(`search_artworks?force_error=${failure}`);

  expect(reply.status).toBe(status);
  expect(body).toMatchObject({ code, _sandbox: true, retryable: true });
  expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
});

test('429 includes the rate limit fields of the tool', async () => {
  const { body, headers } = await get('upscale_image?force_error=429');

  expect(body.violated_policies).toEqual(['paid-tools']);
  expect(headers.get('x-ratelimit-remaining')).toBe('0');
});

test('refund states that nothing was charged and what the ledger records', async () => {
  const { status, body } = await get('enrich_metadata?tier=standard&force_error=refund');

  expect(status).toBe(504);
  expect(body.detail).toContain('You were not charged');
  expect(body.ledger).toMatchObject({
    journal: [
      { phase: 'pending', credit: 1 },
      { phase: 'void', credit: 1 },
    ],
    charged: { credit: 0 },
  });
});

test.each([
  ['upscale_image?force_error=418', /402, 429, 503, refund/],
  ['search_artworks?force_error=402', /is free/],
  ['extract_palette?force_error=refund', /is free/],
])('%s is rejected with the valid choices', async (path, words) => {
  const { status, body } = await get(path);

  expect(status).toBe(400);
  expect(body.detail).toMatch(words);
});

test('scale selects the model unless a model is given', () => {
  const parse = (raw: object) =>
    validateInput(upscaleImage.input, { image: 'x', ...raw }).input as Parameters<typeof modelOf>[0];

  expect(
    [parse({}), parse({ scale: 4 }), parse({ scale: 4, model: 'realesrgan_x2plus' })].map(modelOf),
  ).toEqual(['realesrgan_x2plus', 'realesrgan_x4plus', 'realesrgan_x2plus']);
  expect(modelOf(parse({ scale: 3, model: 'realesr_general_x4v3' }))).toBe('realesr_general_x4v3');
  expect(modelOf(parse({ scale: 6 }))).toBe('realesrgan_x4plus');
  expect(() => parse({ scale: 5 })).toThrow(/2, 3, 4, 6 or 8/);
});
