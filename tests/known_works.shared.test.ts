import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openTestApp, type TestApp } from './support/open_test_app.ts';
import { bearer } from './support/owner.ts';
import { needs } from './support/test_requirements.ts';
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
      query: '',
      like: copy.toString('base64'),
      limit: 3,
    });
    expect(body.results[0]).toMatchObject({
      credit_id: 'met_437980',
      why: expect.stringContaining('the same image'),
    });
  });

  test.each([
    'met-437980-vincent-van-gogh-cypresses.jpg',
    'met-435809-pieter-bruegel-the-elder-the-harvesters.jpg',
    'met-10790-asher-brown-durand-in-the-woods.jpg',
  ])('%s is recognised cropped and framed, and a crop of it may still be registered', async (name) => {
    const [, number] = /^met-(\d+)/.exec(name) ?? [];
    const whole = sharp(readFileSync(join(PICTURES, name)));
    const { width, height } = await whole.metadata();
    const [left, top] = [Math.round(width * 0.08), Math.round(height * 0.12)];
    const crop = await whole
      .clone()
      .extract({ left, top, width: width - 2 * left, height: height - 2 * top })
      .jpeg({ quality: 75 })
      .toBuffer();
    const side = Math.round(width / 8);
    const frame = await whole
      .clone()
      .extend({ top: side, bottom: side, left: side, right: side, background: '#532' })
      .jpeg()
      .toBuffer();
    for (const copy of [crop, frame]) {
      const { body } = await app.post('/api/tools/verify_provenance', { image: copy.toString('base64') });
      expect(body.matches[0]).toMatchObject({
        kind: 'work',
        credit_id: `met_${number}`,
        found_by: 'windows',
      });
      expect([body.verdict, body.chance_match < 1e-6]).toEqual(['altered', true]);
    }
    const registered = await app.post(
      '/api/tools/register_hash',
      { image: crop.toString('base64') },
      bearer(WALLET),
    );
    expect(registered.body).toMatchObject({
      registered: true,
      prior_art: [{ credit_id: `met_${number}` }],
    });
  });

  test('of a known work is described from its record', async () => {
    const copy = await smaller('met-10790-asher-brown-durand-in-the-woods.jpg')
      .jpeg({ quality: 70 })
      .toBuffer();
    const asked = {
      image: copy.toString('base64'),
      tier: 'standard',
      observations: { subject: 'a forest' },
    };
    const { body } = await app.post('/api/tools/enrich_metadata', asked, bearer(WALLET));
    expect(body).toMatchObject({
      metadata: { title: 'In the Woods' },
      evidence: { title: { basis: 'record' } },
      warnings: [expect.stringContaining('met_10790')],
    });
  });
});
