import { join, resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { importerProblems } from '../../../../tests/support/importer_rules.ts';
import { needs } from '../../../../tests/support/test_requirements.ts';
import type { MuseumName } from './museums.ts';

const SHARED = resolve(import.meta.dirname, '../../../../../shared/museums');

describe('real files', needs('../shared'), () => {
  test.each<[MuseumName, string]>([
    ['met', 'met/MetObjects.csv.gz'],
    ['met', 'met/met-api-objects.jsonl.gz'],
    ['chicago', 'chicago/artworks.jsonl.gz'],
    ['rijks', 'rijks/oai_dc-pages.tar.gz'],
    ['cleveland', 'cleveland/data.csv.gz'],
    ['cleveland', 'cleveland/data.json.gz'],
    ['smithsonian', 'smithsonian'],
    ['nga', 'nga'],
  ])('%s: importing %s follows the importer rules', async (museum, path) => {
    expect(await importerProblems(museum, join(SHARED, path))).toEqual([]);
  });
});
