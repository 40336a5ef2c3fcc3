import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { needs } from './support/judge.ts';
import { openTestApp, type TestApp } from './support/open_test_app.ts';
import { bearer } from './support/owner.ts';
import { toppedUp } from './support/topped_up.ts';

/** Museums' own photographs of works the starter knows. */
const PICTURES = join(import.meta.dirname, '../../shared/images/artworks');
const WALLET = `0x${'7'.repeat(40)}`;

let app: TestApp;
beforeAll(async () => {
  app = await openTestApp();
  await toppedUp(app.post, WALLET);
});
afterAll(() => app?.close());

const smaller = (name: string) => sharp(readFileSync(join(PICTURES, name))).resize(300);

describe('a photograph', needs('../shared'), () => {
  test('finds the work it shows', async () => {
    const copy = await smaller('met-437980-vincent-van-gogh-cypresses.jpg').webp({ quality: 40 }).toBuffer();
    const { body } = await app.post('/api/tools/search_artworks', {
      ...{ query: '', like: copy.toString('base64'), limit: 3 },
    });
    expect(body.results[0]).toMatchObject({
      credit_id: 'met_437980',
      why: expect.stringContaining('the same picture'),
    });
  });

  test('of a known work is described from its record', async () => {
    const copy = await smaller('met-10790-asher-brown-durand-in-the-woods.jpg')
      .jpeg({ quality: 70 })
      .toBuffer();
    const asked = { image: copy.toString('base64'), tier: 'standard' };
    const { body } = await app.post('/api/tools/enrich_metadata', asked, bearer(WALLET));
    expect(body).toMatchObject({
      metadata: { title: 'In the Woods' },
      evidence: { title: { basis: 'record' } },
      warnings: [expect.stringContaining('met_10790')],
    });
  });
});
