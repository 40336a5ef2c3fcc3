import { readFileSync } from 'node:fs';
import { manifestsIn } from '@atelier/imaging/provenance/c2pa/jumbf.ts';
import { manifestStoreIn } from '@atelier/imaging/provenance/c2pa/manifest_store.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { runReadManifest } from '../../src/core/workers/run_c2pa.ts';
import { c2paProblems } from '../support/c2pa_problems.ts';
import { developmentCertificate } from '../support/open_manifests.ts';
import { openTestApp, type TestApp } from '../support/open_test_app.ts';
import { needs } from '../support/test_requirements.ts';
import { toppedUp } from '../support/topped_up.ts';

/** A picture with a C2PA manifest goes through tools of a server that has a certificate. */

const WALLET = '0x00000000000000000000000000000000000000c3';
const image = readFileSync(new URL('../fixtures/c2pa/signed.jpg', import.meta.url)).toString('base64');
const WAYS = [
  ['resize_image', { width: 200, height: 200, format: 'png' }, 'c2pa.resized'],
  ['resize_image', { width: 200, height: 200, format: 'jpeg' }, 'c2pa.resized'],
  ['resize_image', { width: 200, height: 200, format: 'webp' }, 'c2pa.resized'],
  ['watermark_embed', { payload: 'Ada' }, 'c2pa.watermarked.unbound'],
  ['convert_color_profile', { target_profile: 'cmyk' }, 'c2pa.converted'],
] as const;

const activeIn = (file: Buffer) => manifestsIn(manifestStoreIn(file)!)!.at(-1)!.id;

describe('with a certificate', needs('OpenSSL'), () => {
  let app: TestApp;
  beforeAll(async () => {
    const [C2PA_CERTIFICATE, C2PA_KEY] = developmentCertificate();
    app = await openTestApp({ C2PA_CERTIFICATE, C2PA_KEY });
    await toppedUp(app.post, WALLET);
  }, 240_000);
  afterAll(() => app?.close());

  test.each(WAYS)(
    '%s %j: the re-signed result has the input as ingredient and the edit as action',
    async (tool, input, action) => {
      const { body } = await app.post(
        `/api/tools/${tool}`,
        { image, ...input },
        { Authorization: `Bearer ${WALLET}` },
      );
      const bytes = Buffer.from(body.image_b64, 'base64');
      expect(body.metadata.changed.map(({ what }: { what: string }) => what)).toContain('c2pa');
      expect(await runReadManifest({ bytes })).toMatchObject({
        state: 'valid',
        actions: ['c2pa.opened', action],
      });
      // The manifest that was there is inside, as that of the ingredient.
      expect(bytes.toString('latin1').match(/urn:c2pa:[0-9a-f-]{36}/g)!.length).toBeGreaterThan(1);
    },
    240_000,
  );

  test('another C2PA library finds no problems in the result', async () => {
    const { body } = await app.post('/api/tools/resize_image', { image, width: 90, height: 90 });
    expect(await c2paProblems(Buffer.from(body.image_b64, 'base64'))).toEqual([]);
  });

  test('a manifest that is its own ingredient fails no call and is not trusted', async () => {
    const { body } = await app.post('/api/tools/resize_image', { image, width: 200, height: 200 });
    const text = Buffer.from(body.image_b64, 'base64').toString('latin1');
    const [sent, own] = [image, body.image_b64].map((file) => activeIn(Buffer.from(file, 'base64')));
    const looped = text.replaceAll(`/c2pa/${sent}`, `/c2pa/${own}`);
    expect(looped).not.toBe(text);
    const again = { image: Buffer.from(looped, 'latin1').toString('base64') };
    const verified = await app.post('/api/tools/verify_provenance', again);
    const said = verified.body.witnesses.find(({ witness }: { witness: string }) => witness === 'c2pa');
    expect(verified.status).toBe(200);
    expect(said).toMatchObject({ finding: 'absent', sentence: expect.stringContaining('is damaged') });
    const resized = await app.post('/api/tools/resize_image', { ...again, width: 50, height: 50 });
    expect(resized.status).toBe(200);
    expect(resized.body.metadata.dropped).toContainEqual({ what: 'c2pa', why: expect.any(String) });
    const infused = await app.post(
      '/api/tools/infuse_metadata',
      { ...again, metadata: { title: 'Sea' }, metadata_mode: 'standard' },
      { Authorization: `Bearer ${WALLET}` },
    );
    expect([infused.status, infused.body.c2pa_manifest]).toEqual([200, true]);
    expect(infused.body.warnings.join(' ')).toContain('cannot be read');
  }, 240_000);

  test('an image without a manifest gets none unless requested', async () => {
    const plain = (await app.post('/api/tools/resize_image', { image, width: 90, height: 90, keep: 'none' }))
      .body;
    const { body } = await app.post('/api/tools/resize_image', {
      image: plain.result,
      width: 50,
      height: 50,
    });
    expect(await runReadManifest({ bytes: Buffer.from(body.image_b64, 'base64') })).toBeUndefined();
  });
});
