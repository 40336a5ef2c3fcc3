import { afterAll, expect, test } from 'vitest';
import type { Services } from '../../services/services.ts';
import { createPixels } from '../../workers/index.ts';
import { EXAMPLE_PNG_B64 } from '../example_image.ts';
import type { CallContext } from '../tool.ts';
import { convertColorProfile } from './convert_color_profile.ts';

const pixels = createPixels({ workers: 1, pixelsInFlightMax: 1e6, queueLengthMax: 1, deadlineMs: 60_000 });
afterAll(() => pixels.close());
const kept: string[] = [];
const services = {
  pixels,
  results: {
    keep: async (_: Uint8Array, contentType: string) => {
      kept.push(contentType);
      return { handle: 'result:r1', url: 'https://here/r1', expiresAt: new Date(0) };
    },
  },
} as unknown as Pick<Services, 'pixels' | 'results'>;
const call = { signal: new AbortController().signal, onProgress() {}, warn() {} } as unknown as CallContext;
const image = {
  bytes: Buffer.from(EXAMPLE_PNG_B64, 'base64'),
  format: 'png' as const,
  width: 16,
  height: 12,
};

test('defaults are those of the specification', () => {
  const { target_profile, dpi } = convertColorProfile.input.parse({ image: 'x' });
  expect({ target_profile, dpi }).toEqual({ target_profile: 'cmyk', dpi: 300 });
});

test.each([{ dpi: 71 }, { dpi: 1201 }, { dpi: 72.5 }, { target_profile: 'p3' }])('refuses %o', (wrong) => {
  expect(convertColorProfile.input.safeParse({ image: 'x', ...wrong }).success).toBe(false);
});

test.each([
  ['cmyk', 'image/tiff', 'CMYK'],
  ['srgb', 'image/png', 'RGB'],
] as const)('%s answers %s and says what it holds', async (target_profile, content_type, color_mode) => {
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
  expect(answer.profile).toMatch(/^(Chemical proof|sRGB)$/);
});

test('every example is valid', () => {
  for (const example of convertColorProfile.examples)
    expect(convertColorProfile.input.safeParse(example).success).toBe(true);
});
