import sharp from 'sharp';
import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  type FakeImageProvider,
  type ImageConduct,
  type ImageWire,
  startFakeImageProvider,
} from '../../../tests/support/fake_image_provider.ts';
import { readConfig } from '../../config/config.ts';
import type { Amount, VisionBudget } from '../enrichment/vision_budget/vision_budget.ts';
import { openGeneration } from './service.ts';
import type { ImageRequest } from './types.ts';

/**
 * Recorded responses of four providers, in their own formats, and what the libraries and this service make of
 * them.
 */

const KEY = 'key-1234';
const SECRET = 'a secret cat';
const WIRES: ImageWire[] = ['openai', 'google', 'black_forest_labs', 'openai_compatible'];
const MODELS: Record<ImageWire, string> = {
  openai: 'gpt-image-1',
  google: 'gemini-2.5-flash-image',
  black_forest_labs: 'flux-kontext-pro',
  openai_compatible: 'painter-1',
};

let png: Buffer;
let server: FakeImageProvider;
let settled: Amount[];
let logged: string[];
let reserved: number[];
beforeAll(async () => {
  png = await sharp({ create: { width: 96, height: 64, channels: 3, background: '#456' } })
    .png()
    .toBuffer();
});
beforeEach(() => {
  settled = [];
  logged = [];
  reserved = [];
});
afterEach(() => server?.close());

const budget: VisionBudget = {
  reserve: async () => ({ settle: async (used) => void settled.push(used) }),
  refusal: async () => undefined,
  sweep: async () => 0,
};
const log = (entry: unknown) => void logged.push(JSON.stringify(entry));

async function make(
  wire: ImageWire,
  conducts: ImageConduct[],
  {
    request = {},
    settings = {},
  }: { request?: Partial<ImageRequest>; settings?: Record<string, string> } = {},
) {
  server = await startFakeImageProvider(wire, png, ...conducts);
  const config = readConfig({
    GENERATION_PROVIDER: wire,
    GENERATION_MODEL: MODELS[wire],
    GENERATION_BASE_URL: server.url,
    GENERATION_API_KEY: KEY,
    GENERATION_USD: '0.04',
    ...settings,
  });
  const generation = openGeneration(config, {
    budget,
    reserve: async (bytes) => void reserved.push(bytes),
    logger: { info: log, warn: log } as never,
  })!;
  const call = { signal: new AbortController().signal, deadlineMs: 60_000 };
  return generation.make({ prompt: SECRET, ...request }, call);
}

describe.each(WIRES)('%s', (wire) => {
  test('a generated image is returned unchanged, and its cost is settled', async () => {
    const image = await make(wire, ['makes it'], { request: { aspect: '3:2' } });
    expect(image).toMatchObject({ format: 'png', width: 96, height: 64 });
    expect(Buffer.from(image.bytes).equals(png)).toBe(true);
    expect(settled).toEqual([{ tokens: 0, usd: 0.04 }]);
    expect(server.requests).toHaveLength(1);
    expect(server.requests[0]?.key).toMatch(KEY);
    expect(reserved).toHaveLength(1);
  });

  test('an edit request includes the source image', async () => {
    await make(wire, ['makes it'], { request: { image: png } });
    const [{ body, contentType, path }] = server.requests as [FakeImageProvider['requests'][0]];
    expect(body).toContain(SECRET);
    if (/openai/.test(wire)) {
      expect(path).toBe('/v1/images/edits');
      expect(contentType).toMatch(/^multipart\/form-data/);
      expect(body).toContain(png.toString('latin1'));
    } else expect(body).toContain(png.toString('base64'));
  });

  const refusals: ImageConduct[] =
    wire === 'openai' || wire === 'openai_compatible' ? ['declines'] : ['declines', 'declines otherwise'];
  test.each(refusals)(
    'a model that %s is called once, and the error says what to change',
    async (conduct) => {
      await expect(make(wire, [conduct])).rejects.toMatchObject({
        code: 'prompt_declined',
        message: expect.stringMatching(/declined.*not charged/),
      });
      expect(server.requests).toHaveLength(1);
    },
  );

  test.each<[ImageConduct, string, RegExp]>([
    ['does not know the size', 'upstream_failed', /failed/],
    ['fails', 'upstream_failed', /failed/],
    ['is overloaded', 'upstream_failed', /in 7 s/],
    ['has another key', 'model_unavailable', /operator/],
    ['makes no image', 'upstream_failed', /form/],
  ])('a model that %s fails with %s', async (conduct, code, words) => {
    const failure = await make(wire, [conduct]).catch((error: Error) => error);
    expect(failure).toMatchObject({ code, message: expect.stringMatching(words) });
    expect(JSON.stringify([failure, ...logged])).not.toMatch(new RegExp(`${KEY}|${SECRET}`));
  });

  test.each<[ImageConduct, number]>([
    ['has another key', 0],
    ['is overloaded', 0],
    ['makes no image', 0.04],
  ])('when a model %s, %d dollars are counted', async (conduct, usd) => {
    await make(wire, [conduct]).catch(() => {});
    expect(settled).toEqual([{ tokens: 0, usd }]);
  });

  test('an unresponsive model times out and counts as paid', async () => {
    await expect(
      make(wire, ['is silent'], { settings: { GENERATION_TIMEOUT_MS: '300' } }),
    ).rejects.toMatchObject({ code: 'upstream_failed', message: expect.stringMatching(/async: true/) });
    expect(settled).toEqual([{ tokens: 0, usd: 0.04 }]);
  });

  test('after a failure the request is retried once', async () => {
    await make(wire, ['fails', 'makes it']);
    expect(server.requests).toHaveLength(2);
  });
});

test.each<ImageWire>(['openai', 'google', 'openai_compatible'])(
  'an empty response of %s is an error',
  async (wire) => {
    await expect(make(wire, ['makes nothing'])).rejects.toMatchObject({ code: 'upstream_failed' });
  },
);

test('a 40 MB response is not read to the end', async () => {
  await expect(make('openai', ['answers too much'])).rejects.toMatchObject({ code: 'upstream_failed' });
});
