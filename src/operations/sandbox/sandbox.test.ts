import sharp from 'sharp';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { parseInput } from '../../call/parse_input.ts';
import type { CatalogueIndex } from '../../catalogue/contract.ts';
import type { Services } from '../../services/contract.ts';
import { sandboxContracts } from '../../tools/contracts.ts';
import { modelOf, UPSCALE_MODELS, upscaleImage } from '../../tools/creative/upscale_image.ts';
import { FREE } from '../../tools/price.ts';
import type { AnyTool } from '../../tools/tool.ts';
import type { OperationCall } from '../operation.ts';
import { sandboxOperations } from './index.ts';

/** Every tool by its contract; others as free tools without one. */
const catalogue = {
  find: (name: string) =>
    sandboxContracts.find((contract) => contract.name === name) ??
    ({ name, price: FREE, input: z.object({}) } as unknown as AnyTool),
} as CatalogueIndex;

async function ask(tool: string, query: Record<string, unknown> = {}) {
  const operation = sandboxOperations.find(({ path }) => path === `/api/sandbox/${tool}`)!;
  const { input } = parseInput(operation.input, query);
  const answer = await operation.run(input, { catalogue } as Services, {} as OperationCall);
  return operation.answer.strict().parse(answer);
}

const FRAME = ['_note', '_sandbox', 'cost', 'next_steps'];
const KEYS: [tool: string, query: Record<string, string>, keys: string[]][] = [
  ['enrich_metadata', { tier: 'standard' }, ['fields', 'metadata', 'tier']],
  ['enrich_metadata', { tier: 'premium' }, ['fields_count', 'metadata', 'tier']],
  [
    'upscale_image',
    {},
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
  ['compliance_manifest', {}, ['dataset_id', 'manifests', 'regulation']],
  ['search_artworks', {}, ['dataset', 'query', 'results', 'total_results']],
  ['verify_provenance', {}, ['best_match', 'computed_hash', 'confidence', 'match_found', 'total_matches']],
];

test.each(KEYS)('%s %o answers exactly the keys of the specification', async (tool, query, keys) => {
  const answer = await ask(tool, query);

  expect(Object.keys(answer).sort()).toEqual([...FRAME, ...keys].sort());
  expect(answer).toMatchObject({ _sandbox: true, cost: { credit: 0, usd: 0 } });
});

/** What only a sample needs: the table of choices, and a word about the picture. */
const SAMPLE_ONLY = ['available_models', 'image_b64_note'];

test.each(sandboxContracts)(
  'the sample of $name is made of the fields of the real answer',
  ({ output, sandbox }) => {
    const shared = Object.keys(sandbox!.answer.shape).filter((name) => !SAMPLE_ONLY.includes(name));
    const strangers = shared.filter(
      (name) => !isMadeOf(required(sandbox!.answer.shape[name]), required(output.shape[name])),
    );

    expect(shared).not.toEqual([]);
    expect(strangers).toEqual([]);
  },
);

/** The same field, or an object whose fields all are; the real one may have more. */
const isMadeOf = (part: unknown, whole: unknown): boolean =>
  part === whole ||
  (part instanceof z.ZodObject &&
    whole instanceof z.ZodObject &&
    Object.keys(part.shape).every((name) =>
      isMadeOf(required(part.shape[name]), required(whole.shape[name])),
    ));

/** The field an optional one wraps: a sample may always have what an answer sometimes leaves out. */
const required = (field: unknown): unknown => (field instanceof z.ZodOptional ? field.unwrap() : field);

test('the premium sample has the eleven keys of the specification', async () => {
  const { metadata } = await ask('enrich_metadata', { tier: 'premium' });

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

test.each(Object.entries(UPSCALE_MODELS))('%s shows a real PNG of true size', async (model, { scale }) => {
  const answer = await ask('upscale_image', { model });
  const bytes = Buffer.from(answer.image_b64 as string, 'base64');

  expect(await sharp(bytes).metadata()).toMatchObject({
    format: 'png',
    width: 24 * scale,
    height: 24 * scale,
  });
  expect(answer).toMatchObject({ model, scale, upscaled_size_bytes: bytes.length });
});

test('a wrong query value is refused with the choices', async () => {
  await expect(ask('enrich_metadata', { tier: 'gold' })).rejects.toThrow(/one of standard, premium/);
  await expect(ask('upscale_image', { model: 'x9' })).rejects.toThrow(/realesr_animevideov3/);
});

test('the note names what the real call costs', async () => {
  const standard = await ask('enrich_metadata', { tier: 'standard' });
  const premium = await ask('enrich_metadata');

  expect(standard.cost).toMatchObject({ note: expect.stringContaining('1 credit (0.10 USD)') });
  expect(premium.cost).toMatchObject({ note: expect.stringContaining('2 credits (0.20 USD)') });
});

test.each(sandboxContracts)(
  'next steps and examples of $name can be sent as they stand',
  ({ examples, input, sandbox }) => {
    for (const example of examples) expect(() => parseInput(input, example)).not.toThrow();
    for (const { tool, params } of sandbox!.next) {
      const contract = sandboxContracts.find(({ name }) => name === tool);
      if (contract) expect(() => parseInput(contract.input, params)).not.toThrow();
    }
  },
);

test('scale selects the model unless a model is given', () => {
  const parse = (raw: object) =>
    parseInput(upscaleImage.input, { image: 'x', ...raw }).input as Parameters<typeof modelOf>[0];

  expect(
    [parse({}), parse({ scale: 4 }), parse({ scale: 4, model: 'realesrgan_x2plus' })].map(modelOf),
  ).toEqual(['realesrgan_x2plus', 'realesrgan_x4plus', 'realesrgan_x2plus']);
  expect(modelOf(parse({ scale: 3, model: 'realesr_general_x4v3' }))).toBe('realesr_general_x4v3');
  expect(() => parse({ scale: 3 })).toThrow(/2 or 4/);
});
