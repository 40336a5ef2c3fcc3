import { expect, test } from 'vitest';
import type { CallContext } from '../../definitions/tool.ts';
import type { Services } from '../../services.ts';
import { compareUpscalers } from './compare_upscalers.ts';

type Figures = {
  name: string;
  condition?: string;
  scale: number;
  detail: number;
  departureLevels: number;
  noise?: number;
};
const kernel = { name: 'lanczos', scale: 4, detail: 1, departureLevels: 1 };
const own = (scale: number, kind: '' | '_spoiled', detail: number): Figures => ({
  name: `own_x${scale}${kind}`,
  condition: kind ? 'spoiled' : 'clean',
  scale,
  detail,
  departureLevels: 3,
});
const official = (name: string, detail: number, departureLevels = 5): Figures => ({
  name,
  scale: name.includes('x2') ? 2 : 4,
  detail,
  departureLevels,
});

async function compare(
  networks: Figures[],
  { kind = 'clean', skipped = [] as string[], image = 'upload:1', isDrawing = false } = {},
) {
  const warnings: string[] = [];
  const services = {
    models: {
      upscalersAtHand: async () =>
        networks.map(({ name, condition, scale }) => ({
          name,
          ...(condition && { condition }),
          architecture: { scale },
        })),
    },
    pixels: {
      run: async () => ({
        bytes: Buffer.from('sheet'),
        contentType: 'image/png',
        width: 8,
        height: 8,
        crop: { left: 8, top: 0, width: 10, height: 10 },
        condition: { kind, reason: 'it is' },
        isDrawing,
        compared: [kernel, ...networks].map((row) => ({
          noise: 1,
          ...row,
          overshootLevels: 0.123,
          sharpness: 1.2,
          seconds: 0.5,
        })),
        skipped,
        engine: { name: 'onnxruntime', version: '1' },
      }),
    },
    results: { keep: async () => ({ handle: 'result:1', url: 'https://here/1', expiresAt: new Date(0) }) },
  } as unknown as Pick<Services, 'pixels' | 'models' | 'results'>;
  const call = { warn: (text: string) => warnings.push(text) } as unknown as CallContext;
  const source = { bytes: Buffer.from('x'), format: 'png' as const, width: 20, height: 20 };
  const answer = compareUpscalers.output
    .strict()
    .parse(await compareUpscalers.run({ image: source, output: 'base64' }, services, call));
  const [next] = compareUpscalers.next!(answer, { image: image as never, output: 'base64' }, {});
  return { answer, warnings, next };
}

test('the model with the most detail and low deviation is recommended, with the call that runs it', async () => {
  const { answer, next } = await compare([
    official('realesrgan_x4plus_anime', 2, 30),
    official('realesrgan_x4plus', 1.9),
    official('realesr_general_x4v3', 1.4),
  ]);
  expect(answer.recommended).toBe('realesrgan_x4plus');
  expect(next).toMatchObject({
    tool: 'upscale_image',
    params: { image: 'upload:1', model: 'realesrgan_x4plus' },
  });
  expect(answer.not_installed).toEqual(['realesrgan_x2plus', 'realesr_animevideov3']);
});

test.each([
  [false, 'realesr_general_x4v3'],
  [true, 'realesrgan_x4plus_anime'],
])('a model for another kind of image is not recommended (drawing: %s)', async (isDrawing, model) => {
  const networks = [
    official('realesrgan_x4plus_anime', 2),
    official('realesr_general_x4v3', 1.4),
    official('realesrgan_x4plus', 2.5, 40),
  ];
  const { answer } = await compare(networks, { isDrawing });
  expect(answer).toMatchObject({ recommended: model, kind: isDrawing ? 'drawing' : 'photograph' });
  const [only] = networks;
  const alone = (await compare([only!], { isDrawing })).answer;
  expect(alone.recommended).toBe(isDrawing ? 'realesrgan_x4plus_anime' : undefined);
});

test('a model of the project is offered only where upscale_image would run it', async () => {
  const networks = [own(2, '', 1.2), own(2, '_spoiled', 1), own(4, '', 1.5), own(4, '_spoiled', 1.3)];
  const callable = async (more: Figures[], kind: string) =>
    (await compare([...networks, ...more], { kind })).answer.models.flatMap(({ model, call }) =>
      call ? [[model, call]] : [],
    );
  expect(await callable([], 'clean')).toEqual([
    ['own_x2', { scale: 2 }],
    ['own_x4', { scale: 4 }],
  ]);
  expect(await callable([official('realesrgan_x4plus', 1)], 'spoiled')).toEqual([
    ['own_x2_spoiled', { scale: 2 }],
    ['realesrgan_x4plus', { model: 'realesrgan_x4plus' }],
  ]);
});

test('models for clean images are called by scale and replace the models of the project', async () => {
  const networks = [own(2, '', 1.2), own(2, '_spoiled', 1), official('span_x2', 1.4)];
  const clean = (await compare(networks)).answer;
  expect(clean).toMatchObject({ recommended: 'span_x2' });
  expect(clean.models.map(({ call }) => call)).toEqual([undefined, undefined, undefined, { scale: 2 }]);
  const spoiled = (await compare(networks, { kind: 'spoiled' })).answer;
  expect(spoiled.models.map(({ call }) => call)).toEqual([undefined, undefined, { scale: 2 }, undefined]);
});

test('the noise-preserving model is recommended for clean images only, as noise counts as detail', async () => {
  const networks = [official('realesr_general_x4v3', 1.1), official('realesr_general_wdn_x4v3', 2)];
  expect((await compare(networks)).answer).toMatchObject({ recommended: 'realesr_general_wdn_x4v3' });
  const { answer, next } = await compare(networks, { kind: 'spoiled' });
  expect(answer).toMatchObject({ recommended: 'realesr_general_x4v3' });
  expect(answer.models.map(({ model }) => model)).toContain('realesr_general_wdn_x4v3');
  expect(next?.params).toEqual({ image: 'upload:1', model: 'realesr_general_x4v3' });
});

test('if every model deviates strongly, the one with the least deviation is recommended', async () => {
  const { answer } = await compare([
    official('realesrgan_x4plus', 2, 40),
    official('realesr_general_x4v3', 1, 20),
  ]);
  expect(answer.recommended).toBe('realesr_general_x4v3');
  expect(answer.recommended_because).toContain('20 levels');
});

test('times are reported for the sample and the whole image; skipped models are named', async () => {
  const { answer, warnings } = await compare([official('realesrgan_x4plus', 2)], {
    skipped: ['realesrgan_x2plus'],
  });
  expect(answer.models[1]).toMatchObject({ seconds: 0.5, estimated_seconds: 2, overshoot_levels: 0.12 });
  expect(warnings).toEqual([expect.stringContaining('realesrgan_x2plus')]);
});

test('an image sent as base64 is not repeated in the next step', async () => {
  const { next } = await compare([official('realesrgan_x4plus', 2)], { image: 'A'.repeat(5000) });
  expect(next?.params).toEqual({ model: 'realesrgan_x4plus' });
});

test('for a degraded image, no model that amplifies noise is recommended', async () => {
  const networks = [
    { ...official('realesrgan_x4plus', 2), noise: 1.4 },
    { ...official('realesr_general_x4v3', 1.4), noise: 0.3 },
  ];
  const { answer } = await compare(networks, { kind: 'spoiled' });
  expect(answer.recommended).toBe('realesr_general_x4v3');
  expect(answer.recommended_because).toContain('sharpen noise are excluded');
  expect((await compare(networks)).answer.recommended).toBe('realesrgan_x4plus');
});
