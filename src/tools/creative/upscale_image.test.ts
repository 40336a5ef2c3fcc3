import { expect, test } from 'vitest';
import type { Services } from '../../services/services.ts';
import { EXAMPLE_PNG_B64 } from '../example_image.ts';
import type { CallContext } from '../tool.ts';
import { modelOf, upscaleImage } from './upscale_image.ts';

const BYTES = Buffer.from(EXAMPLE_PNG_B64, 'base64');
const parsed = (more: object) => upscaleImage.input.parse({ image: 'x', ...more });
const weights = { path: '/w', form: 'pth', bytes: 1, sha256: 'a'.repeat(64), origin: 'official' };

function around({ origin = 'official', bytes = BYTES, size = [16, 12] } = {}) {
  const [asked, warnings] = [[] as unknown[], [] as string[]];
  const services = {
    models: {
      upscaler: async (name: string) => {
        asked.push(name);
        return { ...weights, name, origin };
      },
    },
    pixels: {
      run: async (...job: unknown[]) => {
        asked.push(...job);
        const engine = { name: 'e', version: '1', weights_sha256: weights.sha256 };
        return { bytes, contentType: 'image/png', width: 32, height: 24, engine };
      },
    },
    results: { keep: async () => ({ handle: 'result:r1', url: 'https://here/r1', expiresAt: new Date(0) }) },
  } as unknown as Pick<Services, 'pixels' | 'models' | 'results'>;
  const call = {
    signal: new AbortController().signal,
    onProgress() {},
    warn: (text: string) => warnings.push(text),
  };
  const image = { bytes: BYTES, format: 'png' as const, width: size[0]!, height: size[1]! };
  const run = (more: object = {}) =>
    upscaleImage.run({ ...parsed(more), image }, services, call as unknown as CallContext);
  return { run, asked, warnings };
}

test.each([
  [{}, 'realesrgan_x2plus'],
  [{ scale: 2 }, 'realesrgan_x2plus'],
  [{ scale: 4 }, 'realesrgan_x4plus'],
  [{ scale: 4, model: 'realesrgan_x2plus' }, 'realesrgan_x2plus'],
  [{ scale: 2, model: 'realesr_general_x4v3' }, 'realesr_general_x4v3'],
  [{ scale: 3, model: 'realesr_animevideov3' }, 'realesr_animevideov3'],
])('%o means %s', async (input, model) => {
  const { run, asked } = around();
  expect(modelOf(parsed(input))).toBe(model);
  expect(await run(input)).toMatchObject({ model, scale: model.includes('x2') ? 2 : 4 });
  expect(asked[0]).toBe(model);
});

test.each([{ scale: 3 }, { scale: 0 }, { scale: 2.5 }, { model: 'esrgan' }, { model: '' }])(
  'refuses %o',
  (wrong) => {
    expect(upscaleImage.input.safeParse({ image: 'x', ...wrong }).success).toBe(false);
  },
);

test('answers the picture with model, sizes, engine and weights', async () => {
  const answer = await around().run();
  expect(upscaleImage.output.strict().parse(answer)).toEqual({
    image_b64: EXAMPLE_PNG_B64,
    width: 32,
    height: 24,
    content_type: 'image/png',
    size_bytes: BYTES.length,
    result: 'result:r1',
    result_url: 'https://here/r1',
    model: 'realesrgan_x2plus',
    scale: 2,
    original_size_bytes: BYTES.length,
    upscaled_size_bytes: BYTES.length,
    engine: { name: 'e', version: '1', weights_sha256: weights.sha256 },
    degraded: false,
  });
});

test.each([
  ['official', 0],
  ['equivalent', 0],
  ['rounded', 1],
  ['unofficial', 1],
])('%s weights make %i warnings', async (origin, count) => {
  const { run, warnings } = around({ origin });
  await run();
  expect(warnings.length).toBe(count);
});

test('a picture that would become too large is refused before anything is done', async () => {
  const { run, asked } = around({ size: [6000, 4000] });
  await expect(run({ scale: 4 })).rejects.toMatchObject({
    code: 'image_too_large',
    message: expect.stringContaining('may have 6.25 million'),
  });
  expect(asked).toEqual([]);
  expect(await run({ scale: 2 })).toMatchObject({ scale: 2 });
});

test('a file too large for base64 is left to its link, and that is said', async () => {
  const { run, warnings } = around({ bytes: Buffer.alloc(129 * 1024 * 1024) });
  expect(await run()).not.toHaveProperty('image_b64');
  expect(warnings).toEqual([expect.stringContaining('result_url')]);
});
