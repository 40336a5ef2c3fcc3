import { expect, test } from 'vitest';
import { readKnownWorks } from '../../provenance/hashes/known_works.ts';
import { loadStarter } from './install_starter.ts';

test('every work with a shipped visual descriptor is in the starter catalogue', async () => {
  const starter = new Set((await loadStarter()).map(({ id }) => id));
  expect(
    readKnownWorks()
      .map(({ id }) => id)
      .filter((id) => !starter.has(id)),
  ).toEqual([]);
});
