import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { readClaims } from '@atelier/imaging/metadata/read_metadata.ts';
import { describe, expect, test } from 'vitest';
import { needs } from '../../../../tests/support/test_requirements.ts';
import { runReadManifest } from '../../../core/workers/run_c2pa.ts';
import { markedAsAi } from './evidence.ts';

/** Files written by other programs. */
const FIXTURES = resolve(import.meta.dirname, '../../../../../shared/fixtures/metadata');

describe('third-party files', needs('../shared'), () => {
  test.each([
    'c2pa/adobe-20220124-C.jpg',
    'c2pa/adobe-20220124-XCA.jpg',
    'c2pa/adobe-20220124-A.jpg',
    'c2pa/libpng-test_with_url.png',
    'c2pa/sample1.webp',
    'exiftool/XMP.jpg',
    'iptc/IPTC-PhotometadataRef-Std2017.1.jpg',
  ])('%s declares no AI, and none is reported', async (name) => {
    const bytes = readFileSync(resolve(FIXTURES, name));
    const manifest = await runReadManifest({ bytes });
    expect(markedAsAi({ claims: readClaims({ bytes }), manifest }).verdict).toBe('no_trace');
  });
});
