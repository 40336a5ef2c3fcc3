import { sharp } from '@atelier/imaging/codecs/sharp.ts';
import { afterAll, expect, test } from 'vitest';
import { createPixels } from '../../../core/workers/workers.ts';
import { EXAMPLE_PNG_B64 } from '../../definitions/example_image.ts';
import type { PassthroughServices } from '../../definitions/passthrough_answer.ts';
import type { CallContext } from '../../definitions/tool.ts';
import type { Services } from '../../services.ts';
import { createPressProfiles } from '../profiles/press_profiles.ts';
import { convertColorProfile } from './convert_color_profile.ts';

const pixels = createPixels({ workers: 1, pixelsInFlightMax: 1e6, queueLengthMax: 1, deadlineMs: 60_000 });
afterAll(() => pixels.close());
const kept: string[] = [];
const services = {
  pixels,
  pressProfiles: createPressProfiles({ folder: undefined }),
  manifests: {},
  results: {
    keep: async (_: Uint8Array, contentType: string) => {
      kept.push(contentType);
      return { handle: 'result:r1', url: 'https://here/r1', expiresAt: new Date(0) };
    },
  },
} as unknown as Pick<Services, 'pressProfiles'> & PassthroughServices;
const call = { signal: new AbortController().signal, onProgress() {}, warn() {} } as unknown as CallContext;
const image = {
  bytes: Buffer.from(EXAMPLE_PNG_B64, 'base64'),
  format: 'png' as const,
  width: 16,
  height: 12,
};

test('defaults match the specification', () => {
  const { target_profile, dpi } = convertColorProfile.input.parse({ image: 'x' });
  expect({ target_profile, dpi }).toEqual({ target_profile: 'cmyk', dpi: 300 });
});

test.each([{ dpi: 71 }, { dpi: 1201 }, { dpi: 72.5 }, { target_profile: 'p3' }])('rejects %o', (wrong) => {
  expect(convertColorProfile.input.safeParse({ image: 'x', ...wrong }).success).toBe(false);
});

test.each([
  ['cmyk', 'image/tiff', 'CMYK'],
  ['srgb', 'image/png', 'RGB'],
] as const)('%s returns %s and describes its content', async (target_profile, content_type, color_mode) => {
  const input = { ...convertColorProfile.input.parse({ image: 'x', target_profile, dpi: 150 }), image };
  const answer = convertColorProfile.output
    .strict()
    .parse(await convertColorProfile.run(input, services, call));
  expect(answer).toMatchObject({
    content_type,
    color_mode,
    dpi: 150,
    width: 16,
    height: 12,
    degraded: false,
  });
  expect(kept.at(-1)).toBe(content_type);
  expect(answer.profile).toMatch(/^(Coated FOGRA39.*|sRGB)$/);
  expect(answer.report === undefined).toBe(target_profile === 'srgb');
  expect(answer.quality === undefined).toBe(target_profile === 'srgb');
});

test('a profile converts to its inks and reports ink coverage and gamut loss', async () => {
  const input = { ...convertColorProfile.input.parse({ image: 'x', profile: 'uncoated_fogra29' }), image };
  const answer = convertColorProfile.output
    .strict()
    .parse(await convertColorProfile.run(input, services, call));
  expect(answer).toMatchObject({
    content_type: 'image/tiff',
    color_mode: 'CMYK',
    profile: 'Uncoated FOGRA29 (280%)',
    engine: { name: 'atelier_icc' },
  });
  expect(answer.report!.ink_max_percent).toBeGreaterThan(50);
  const { cyan, magenta, yellow, black } = answer.report!.plates_percent;
  expect(cyan + magenta + yellow + black).toBeCloseTo(answer.report!.ink_mean_percent, 0);
});

test('preserved black uses only black ink', async () => {
  const text = await sharp({ create: { width: 20, height: 10, channels: 3, background: '#000' } })
    .extend({ top: 5, background: '#777' })
    .png()
    .toBuffer();
  const page = { bytes: text, format: 'png' as const, width: 20, height: 15 };
  const input = { ...convertColorProfile.input.parse({ image: 'x', black: 'keep' }), image: page };
  const { report } = await convertColorProfile.run(input, services, call);
  expect(report!.plates_percent).toMatchObject({ cyan: 0, magenta: 0, yellow: 0 });
  expect(report!.ink_max_percent).toBe(100);
});

test('a soft proof is an RGB image that differs from the original', async () => {
  const input = { ...convertColorProfile.input.parse({ image: 'x', soft_proof: true }), image };
  const answer = await convertColorProfile.run(input, services, call);
  expect(answer).toMatchObject({ content_type: 'image/png', color_mode: 'RGB', soft_proof: true, width: 16 });
  const [before, after] = await Promise.all(
    [image.bytes, Buffer.from(answer.image_b64!, 'base64')].map((bytes) =>
      sharp(bytes).removeAlpha().raw().toBuffer(),
    ),
  );
  expect(Buffer.compare(before!, after!)).not.toBe(0);
});

test('a soft proof simulates the paper, which lowers its colour accuracy', async () => {
  const white = await sharp({ create: { width: 20, height: 10, channels: 3, background: '#fff' } })
    .png()
    .toBuffer();
  const page = { bytes: white, format: 'png' as const, width: 20, height: 10 };
  const qualityWith = async (soft_proof: boolean) => {
    const input = { ...convertColorProfile.input.parse({ image: 'x', soft_proof }), image: page };
    return (await convertColorProfile.run(input, services, call)).quality!;
  };
  expect((await qualityWith(false)).delta_e00_mean).toBeLessThan(0.5);
  expect((await qualityWith(true)).delta_e00_mean).toBeGreaterThan(1);
});

test('an unknown profile is rejected with the available names', async () => {
  const input = { ...convertColorProfile.input.parse({ image: 'x', profile: 'swop' }), image };
  await expect(convertColorProfile.run(input, services, call)).rejects.toMatchObject({
    code: 'invalid_input',
    details: { errors: [{ field: 'profile' }] },
  });
});

test('every example is valid', () => {
  for (const example of convertColorProfile.examples)
    expect(convertColorProfile.input.safeParse(example).success).toBe(true);
});
