import { randomBytes } from 'node:crypto';
import sharp from 'sharp';
import { expect, vi } from 'vitest';
import type { TestApp, TestReply } from './open_test_app.ts';
import { WAIT_MS_MAX } from './wait_ms_max.ts';

/** An asynchronous call. */
export const postJob = (
  app: TestApp,
  tool: string,
  body: object | string,
  headers: Record<string, string> = {},
): Promise<TestReply> => app.post(`/api/tools/${tool}`, body, { Prefer: 'respond-async', ...headers });

/**
 * Polls the job until its state is one of these. Uses these headers, or new ones each time: polling costs its
 * address CPU time.
 */
export const jobIn = (
  app: TestApp,
  id: string,
  states: readonly string[],
  headers: Record<string, string> | (() => Record<string, string>) = {},
  // biome-ignore lint/suspicious/noExplicitAny: a test says which shape it expects
): Promise<any> =>
  vi.waitFor(
    async () => {
      const sent = typeof headers === 'function' ? headers() : headers;
      const { status, body } = await app.get(`/api/jobs/${id}`, sent);
      expect({ status, state: body?.state }).toEqual({ status: 200, state: expect.toBeOneOf([...states]) });
      return body;
    },
    { timeout: WAIT_MS_MAX, interval: 100 },
  );

export const ENDED = ['succeeded', 'failed', 'canceled'];

/** An image of noise, which keeps vectorize_image busy for seconds. Base64 of a PNG. */
export async function noise(side: number): Promise<string> {
  const raw = { width: side, height: side, channels: 3 as const };
  const png = sharp(randomBytes(side * side * 3), { raw }).png({ compressionLevel: 0 });
  return (await png.toBuffer()).toString('base64');
}

/** Settings of vectorize_image that keep all details. */
export const EVERY_SPECK = { color_precision: 10, filter_speckle: 0, force: true, output: 'url' };
