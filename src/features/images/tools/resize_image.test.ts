import { expect, test } from 'vitest';
import { NOTHING_CARRIED } from '../../../../tests/support/nothing_carried.ts';
import { EXAMPLE_PNG_B64 } from '../../definitions/example_image.ts';
import type { PassthroughServices } from '../../definitions/passthrough_answer.ts';
import type { CallContext } from '../../definitions/tool.ts';
import { resizeImage } from './resize_image.ts';

const BYTES = Buffer.from(EXAMPLE_PNG_B64, 'base64');
const call = { signal: new AbortController().signal, onProgress() {}, warn() {} } as unknown as CallContext;
const resized = {
  bytes: BYTES,
  contentType: 'image/webp',
  width: 9,
  height: 7,
  engine: { name: 'e', version: '1' },
  metadata: NOTHING_CARRIED,
  notes: [],
};

function servicesThatSee(seen: unknown[]): PassthroughServices {
  return {
    pixels: {
      run: async (...job: unknown[]) => {
        seen.push(...job);
        return resized;
      },
    },
    manifests: {},
    results: { keep: async () => ({ handle: 'result:r1', url: 'https://here/r1', expiresAt: new Date(0) }) },
  } as unknown as PassthroughServices;
}
const inputOf = (more: object) => ({
  ...resizeImage.input.parse({ image: 'x', width: 90, height: 70, ...more }),
  image: { bytes: BYTES, format: 'png' as const, width: 16, height: 12 },
});

test('defaults match the specification', () => {
  const { mode, format, quality, output } = resizeImage.input.parse({ image: 'x', width: 1, height: 8192 });
  expect({ mode, format, quality, output }).toEqual({
    mode: 'contain',
    format: 'png',
    quality: 90,
    output: 'base64',
  });
});

test.each([
  { width: 0 },
  { width: 8193 },
  { height: 1.5 },
  { mode: 'fill' },
  { format: 'svg' },
  { max_bytes: 99 },
  { frames: 'some' },
  { quality: 0 },
  { quality: 101 },
  { light: 'lab' },
])('rejects %o', (wrong) => {
  expect(resizeImage.input.safeParse({ image: 'x', width: 5, height: 5, ...wrong }).success).toBe(false);
});

test('returns the image as base64, link and handle, with both sizes', async () => {
  const answer = await resizeImage.run(inputOf({ format: 'webp' }), servicesThatSee([]), call);
  expect(resizeImage.output.strict().parse(answer)).toEqual({
    image_b64: EXAMPLE_PNG_B64,
    width: 9,
    height: 7,
    content_type: 'image/webp',
    size_bytes: BYTES.length,
    result: 'result:r1',
    result_url: 'https://here/r1',
    expires_at: new Date(0).toISOString(),
    mode: 'contain',
    format: 'webp',
    original_width: 16,
    original_height: 12,
    engine: { name: 'e', version: '1' },
    metadata: NOTHING_CARRIED,
    degraded: false,
  });
});

test('output "url" omits the base64', async () => {
  const answer = await resizeImage.run(inputOf({ output: 'url' }), servicesThatSee([]), call);
  expect(answer).not.toHaveProperty('image_b64');
});

test('the job is counted with the pixels of input and output, fitted within the bounds', async () => {
  const seen: unknown[] = [];
  await resizeImage.run(inputOf({}), servicesThatSee(seen), call);
  expect(seen).toEqual([
    'resize',
    {
      bytes: BYTES,
      width: 90,
      height: 70,
      mode: 'contain',
      format: 'png',
      quality: 90,
      frames: 'all',
      color: 'keep',
      frameCount: 1,
      light: 'linear',
      isMeasured: false,
      carry: { keep: 'all', keepLocation: false, shows: 'whole' },
    },
    expect.objectContaining({ pixels: 16 * 12 + 90 * 67.5, signal: call.signal }),
  ]);
});

test('every example is valid', () => {
  for (const example of resizeImage.examples) expect(resizeImage.input.safeParse(example).success).toBe(true);
});
