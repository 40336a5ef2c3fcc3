import { expect, test } from 'vitest';
import { createLiveFigures } from './live_figures.ts';

function given() {
  const world = { asked: 0, isAway: false, ms: 0 };
  const figures = createLiveFigures({
    services: {
      jobs: { waiting: async () => [{ tool: 'resize_image', count: 2, oldestSeconds: 1 }] },
      artworks: {
        async statistics() {
          world.asked += 1;
          if (world.isAway) throw new Error('away');
          return { edition: { works: 7 } };
        },
      },
    },
    health: { check: async () => ({ database: true, storage: false }) as never },
    now: () => world.ms,
  });
  return { world, figures };
}

test('visitors within 10 s share figures from one query', async () => {
  const { world, figures } = given();
  const [first] = await Promise.all([figures(), figures(), figures()]);
  world.ms = 9_999;
  expect(await figures()).toBe(first);
  expect([world.asked, first]).toEqual([1, { jobsWaiting: 2, works: 7, checksFailing: 1 }]);
  world.ms = 10_000;
  await figures();
  expect(world.asked).toBe(2);
});

test('a failed query is retried', async () => {
  const { world, figures } = given();
  world.isAway = true;
  await expect(figures()).rejects.toThrow('away');
  world.isAway = false;
  expect(await figures()).toMatchObject({ works: 7 });
});
