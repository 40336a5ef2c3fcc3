import { readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { importerProblems } from '../../../../tests/support/importer_rules.ts';
import { MUSEUM_NAMES, MUSEUMS, type MuseumName } from './museums.ts';

/**
 * Files in the museums' own formats with invented records. Each museum has at least one, in a folder of its
 * name.
 */
const FOLDER = resolve(import.meta.dirname, '../../../../tests/fixtures/museums');
/** Museums whose tables or folders are read together. */
const READ_TOGETHER: readonly MuseumName[] = ['nga', 'smithsonian'];

const filesOf = (museum: MuseumName): string[] =>
  READ_TOGETHER.includes(museum)
    ? [museum]
    : readdirSync(join(FOLDER, museum)).map((name) => join(museum, name));

test.each(MUSEUM_NAMES.flatMap((museum) => filesOf(museum).map((path) => [museum, path] as const)))(
  '%s: importing %s follows the importer rules, even with unusual cells',
  async (museum, path) => {
    expect(await importerProblems(museum, join(FOLDER, path))).toEqual([]);
  },
);

test.each(MUSEUM_NAMES)('%s has HTTPS URLs for its home, policy and evidence pages', (museum) => {
  const { home, policy, evidence } = MUSEUMS[museum];
  for (const page of [home, policy, evidence]) expect(new URL(page).protocol).toBe('https:');
});
