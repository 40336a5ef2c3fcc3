import { beforeAll, expect, test } from 'vitest';
import { STARTER_MUSEUMS } from '../museums/museums.ts';
import type { ArtworkRecord } from '../records/record.ts';
import { loadStarter } from './install_starter.ts';

let works: ArtworkRecord[] = [];
beforeAll(async () => {
  works = await loadStarter();
});

test.each(STARTER_MUSEUMS)('%s has at least fifty works', (museum) => {
  expect(works.filter((work) => work.museum === museum).length).toBeGreaterThanOrEqual(50);
});

test('no work is duplicated and none is later than 1926', () => {
  expect(new Set(works.map(({ id }) => id)).size).toBe(works.length);
  expect(works.filter(({ year_to: to }) => to === null || to > 1926)).toEqual([]);
});
