import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { importerProblems } from '../../../../tests/support/importer_rules.ts';
import { MUSEUM_NAMES, MUSEUMS, type MuseumName } from './museums.ts';

/** Files in the museums' own formats, all of whose records are invented. Each museum has at least one. */
const FILES: Record<MuseumName, readonly string[]> = {
  met: ['met/MetObjects.csv', 'met/objects.jsonl'],
  chicago: ['chicago/artworks.jsonl'],
  nga: ['nga'],
  rijks: ['rijks/page_1.xml'],
  smithsonian: ['smithsonian'],
  cleveland: ['cleveland/data.csv', 'cleveland/data.json'],
  paris: ['paris/answer.json'],
};
const FOLDER = resolve(import.meta.dirname, '../../../../tests/fixtures/museums');

test.each(MUSEUM_NAMES.flatMap((museum) => FILES[museum].map((path) => [museum, path] as const)))(
  '%s: %s keeps to the rules of importers, also with odd cells',
  async (museum, path) => {
    expect(await importerProblems(museum, join(FOLDER, path))).toEqual([]);
  },
);

test.each(MUSEUM_NAMES)('%s names pages that state its terms and prove them', (museum) => {
  const { home, policy, evidence } = MUSEUMS[museum];
  for (const page of [home, policy, evidence]) expect(new URL(page).protocol).toBe('https:');
});
