import { expect, test } from 'vitest';
import { NOTHING_CARRIED } from '../../../../tests/support/nothing_carried.ts';
import { EXAMPLE_PNG_B64 } from '../../definitions/example_image.ts';
import type { PassthroughServices } from '../../definitions/passthrough_answer.ts';
import { coercionOf } from '../../definitions/spellings.ts';
import type { CallContext } from '../../definitions/tool.ts';
import { mockupImage } from './mockup_image.ts';

const SHOWN = { lostPercent: 0, magnification: 1, isBlank: false };

async function run(more: object, shown: object = {}, loaded: object = {}) {
  const jobs: unknown[] = [];
  const warnings: string[] = [];
  const services = {
    pixels: {
      run: async (...job: unknown[]) => {
        jobs.push(job[1]);
        return {
          bytes: Buffer.of(1),
          contentType: 'image/png',
          width: 2000,
          height: 2000,
          engine: { name: 'e', version: '1' },
          metadata: NOTHING_CARRIED,
          ...SHOWN,
          ...shown,
        };
      },
    },
    manifests: {},
    results: { keep: async () => ({ handle: 'result:r1', url: 'https://here/r1', expiresAt: new Date(0) }) },
  } as unknown as PassthroughServices;
  const image = {
    bytes: Buffer.from(EXAMPLE_PNG_B64, 'base64'),
    format: 'png' as const,
    width: 16,
    height: 12,
  };
  const input = { ...mockupImage.input.parse({ image: 'x', ...more }), image, ...loaded };
  const call = {
    signal: new AbortController().signal,
    onProgress() {},
    warn: (text: string) => warnings.push(text),
  } as unknown as CallContext;
  return { answer: await mockupImage.run(input, services, call), jobs, warnings };
}

test('defaults and price match the specification', () => {
  expect(mockupImage.input.parse({ image: 'x' })).toMatchObject({
    product: 'tshirt',
    background_color: '#f5f5f5',
    view: 'front',
    size: 2000,
  });
  expect(mockupImage.price).toEqual({ kind: 'flat', credits: 1 });
});

test.each([
  { product: 'surfboard' },
  { background_color: 'red' },
  { background_color: '#12345' },
  { background_color: '#gggggg' },
  { product_color: '' },
  { view: 'behind' },
  { size: 4001 },
])('rejects %j', (wrong) => {
  expect(mockupImage.input.safeParse({ image: 'x', ...wrong }).success).toBe(false);
});

test.each([
  ['throw pillow', 'cushion'],
  ['MacBook', 'laptop'],
  ['visiting card', 'business_card'],
  ['iPhone', 'phone'],
  ['packaging', 'box'],
  ['hoarding', 'billboard'],
])('%s is an alias of %s', (said, product) => {
  expect(coercionOf(mockupImage.input.shape.product)!(said)).toBe(product);
});

test('the next step for a business card is print_ready', async () => {
  const { answer } = await run({ product: 'business_card' });
  const [first] = mockupImage.next!(answer as never, { image: { handle: 'asset:x' } } as never, {} as never);
  expect(first).toMatchObject({ tool: 'print_ready', params: { custom_width_mm: 85, custom_height_mm: 55 } });
});

test('fit reaches the engine for products, and stretching is limited to scenes', async () => {
  const { jobs } = await run({ product: 'cushion', fit: 'contain' });
  const { jobs: stretched } = await run({ product: 'cushion', fit: 'fill' });
  const { jobs: absent } = await run({ product: 'cushion' });
  expect([jobs[0], stretched[0]]).toMatchObject([{ fit: 'contain' }, { fit: 'cover' }]);
  expect(absent[0]).not.toHaveProperty('fit');
});

test('colours reach the engine as RGB samples, and the response describes the mockup', async () => {
  const { answer, jobs } = await run({ product: 'mug', background_color: '0af', product_color: '#102030' });
  expect(jobs[0]).toMatchObject({ product: 'mug', background: [0, 170, 255], color: [16, 32, 48] });
  expect(mockupImage.output.strict().parse(answer)).toMatchObject({
    product: 'mug',
    width: 2000,
    content_type: 'image/png',
  });
});

test('the default background is chosen by the product', async () => {
  const { jobs } = await run({ product: 'billboard' });
  expect(jobs[0]).not.toHaveProperty('background');
});

test('view and size reach the engine', async () => {
  const { jobs, warnings } = await run({ view: 'angle', size: 4000 });
  expect(jobs[0]).toMatchObject({ view: 'angle', side: 4000 });
  expect(warnings).toEqual([]);
});

test.each([
  [{ lostPercent: 62 }, /62 % of the salient content.*upright crop/],
  [{ magnification: 6.04 }, /enlarged 6\.0 times/],
  [{ isBlank: true }, /transparent/],
])('a print defect causes a warning: %j', async (shown, told) => {
  const { warnings } = await run({ product: 'phone_case' }, shown);
  expect(warnings).toEqual([expect.stringMatching(told)]);
});

test('scene corners are sent as fractions and returned in pixels', async () => {
  const scene = { bytes: Buffer.of(1), format: 'jpeg', width: 800, height: 400 };
  const found = {
    corners: [
      [0.25, 0.25],
      [0.75, 0.25],
      [0.75, 0.75],
      [0.25, 0.75],
    ],
    foundBy: 'caller',
    surface: 'flat',
    fit: 'cover',
    hiddenPercent: 3,
    ingredients: [{ layer: 'scene', rights: true, ai: false, c2pa: false }],
  };
  const corners = [
    [200, 100],
    ['75%', 100],
    [600, 300],
    ['25%', '75%'],
  ];
  const { answer, jobs } = await run({ scene: 'x', corners }, found, { scene });
  expect(jobs[0]).toMatchObject({ corners: found.corners, photo: scene.bytes });
  expect(mockupImage.output.strict().parse(answer)).toMatchObject({
    product: null,
    ingredients: [{ layer: 'scene', rights: true }],
    scene: {
      corners: [
        [200, 100],
        [600, 100],
        [600, 300],
        [200, 300],
      ],
      hidden_percent: 3,
    },
  });
});

test('a print on a uniform area is reported as a guess', async () => {
  const scene = { bytes: Buffer.of(1), format: 'jpeg', width: 800, height: 400 };
  const found = {
    corners: [],
    foundBy: 'area',
    surface: 'cloth',
    fit: 'contain',
    hiddenPercent: 0,
    ingredients: [],
  };
  const { warnings } = await run({ scene: 'x' }, found, { scene });
  expect(warnings).toEqual([expect.stringContaining('send corners')]);
});

test('a scene preview has its corners in percent, as its photo is downscaled', () => {
  const scene = { bytes: Buffer.of(1), format: 'jpeg' as const, width: 800, height: 400 };
  const sent = {
    ...mockupImage.input.parse({
      image: 'x',
      scene: 'y',
      corners: [
        [200, 100],
        [600, 100],
        [600, 300],
        [200, 300],
      ],
    }),
    scene,
  };
  const { corners } = mockupImage.preview!.scaled(sent as never, 0.5, sent as never) as { corners?: unknown };
  expect(corners).toEqual([
    ['25%', '25%'],
    ['75%', '25%'],
    ['75%', '75%'],
    ['25%', '75%'],
  ]);
});
