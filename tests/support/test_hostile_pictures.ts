import { afterAll, beforeAll, expect, test } from 'vitest';
import { EXAMPLE_PNG_B64 } from '../../src/features/definitions/example_image.ts';
import type { HostilePicture } from '../fixtures/hostile/hostile_pictures.ts';
import { hostileCalls, imageTools, problemWith, walletOf } from './hostile_calls.ts';
import { inParallel } from './in_parallel.ts';
import { openTestApp, type TestApp } from './open_test_app.ts';
import { bearer } from './owner.ts';
import { toppedUp } from './topped_up.ts';

/** Packs of 1600 credits each: the most expensive tool takes 15 for each of 300 files. */
const PACKS = 3;

/** Sends every tool that takes an image the images selected for it, and expects a result or a clear error. */
export function testHostilePictures(picturesFor: (toolAt: number) => readonly HostilePicture[]): void {
  let app: TestApp;
  beforeAll(async () => {
    app = await openTestApp();
  });
  afterAll(() => app?.close());

  test.each(imageTools.map((tool, at) => [tool.name, tool, at] as const))(
    '%s answers every one with a result or a clear 4xx',
    async (_name, tool, at) => {
      for (let packs = 0; packs < PACKS; packs++) await toppedUp(app.post, walletOf(tool));
      const wrong: string[] = [];
      await inParallel(hostileCalls(tool, picturesFor(at)), 6, async ({ picture, body, wallet }) => {
        const reply = await app.post(`/api/tools/${tool.name}`, body, bearer(wallet));
        const problem = problemWith(reply, picture);
        if (problem) wrong.push(`${picture.name} (${picture.kind}): ${problem}`);
      });
      expect(wrong).toEqual([]);
      const ordinary = { image: EXAMPLE_PNG_B64, width: 4, height: 4 };
      expect((await app.post('/api/tools/resize_image', ordinary)).status).toBe(200);
    },
    180_000,
  );
}
