import { sharp } from '@atelier/imaging/codecs/sharp.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { c2paProblems } from '../support/c2pa_problems.ts';
import { developmentCertificate } from '../support/open_manifests.ts';
import { openTestApp, type TestApp } from '../support/open_test_app.ts';
import { scene } from '../support/scene.ts';
import { needs } from '../support/test_requirements.ts';

/** Rights, marks of AI and manifests of images that are placed in others. */

const WALLET = '0x00000000000000000000000000000000000000e9';
const PAYER = { Authorization: `Bearer ${WALLET}` };
const AI = { system: 'Painter', version: '3', provider: 'Example Ltd', generated_at: '2026-01-20T10:11:12Z' };

describe.each([
  ['with a certificate', true],
  ['without one', false],
])('%s', (_name, isSigned) => {
  let app: TestApp;
  let photo: string;
  let ofAi: string;

  describe('', isSigned ? needs('OpenSSL') : {}, () => {
    beforeAll(async () => {
      const [C2PA_CERTIFICATE, C2PA_KEY] = isSigned ? developmentCertificate() : ['', ''];
      app = await openTestApp(isSigned ? { C2PA_CERTIFICATE, C2PA_KEY } : {});
      await app.post('/api/wallet/register', { wallet: WALLET });
      photo = await infused(3, {
        metadata: { copyright_holder: 'Jane Doe', data_mining: 'PROHIBITED-AIMLTRAINING' },
      });
      ofAi = await infused(5, { metadata: {}, ai: AI });
    }, 240_000);
    afterAll(() => app?.close());

    async function infused(seed: number, more: object): Promise<string> {
      const image = (
        await sharp(await scene(seed))
          .png()
          .toBuffer()
      ).toString('base64');
      const body = { image, metadata_mode: 'standard', ...more };
      const { status, body: answer } = await app.post('/api/tools/infuse_metadata', body, PAYER);
      expect(status, answer.detail).toBe(200);
      return answer.image_b64;
    }
    const verify = async (image: string) => (await app.post('/api/tools/verify_provenance', { image })).body;

    test.each(['png', 'jpeg', 'webp'])(
      'a composition in %s carries the rights and AI marks of its images',
      async (format) => {
        const { status, body } = await app.post('/api/tools/compose_image', {
          canvas: { width: 400, height: 200 },
          layers: [
            { type: 'image', image: photo, box: { x: 0, y: 0, width: 200, height: 200 } },
            {
              type: 'group',
              layers: [{ type: 'image', image: ofAi, box: { x: 200, y: 0, width: 200, height: 200 } }],
            },
          ],
          format,
        });
        expect(status, body.detail).toBe(200);
        expect(body.ingredients).toEqual([
          { layer: 'layers.0', rights: true, ai: false, c2pa: isSigned },
          { layer: 'layers.1.layers.0', rights: false, ai: true, c2pa: isSigned },
        ]);
        const file = Buffer.from(body.image_b64, 'base64');
        const text = file.toString('utf8');
        for (const said of [
          'Jane Doe',
          'DMI-PROHIBITED-AIMLTRAINING',
          'compositeWithTrainedAlgorithmicMedia',
        ])
          expect(text).toContain(said);
        if (isSigned && format !== 'webp') expect(await c2paProblems(file)).toEqual([]);
        const { marked_as_ai, ai_marks } = await verify(body.image_b64);
        expect(marked_as_ai).toBe('yes');
        const layers = ai_marks.map(({ layer }: { layer: string }) => layer);
        expect(layers).toContain('iptc');
        if (isSigned) expect(layers).toContain('c2pa');
      },
    );

    test('an AI-generated overlay marks the photograph under it', async () => {
      const { body } = await app.post('/api/tools/edit_image', {
        image: photo,
        operations: [{ op: 'overlay', image: ofAi, width: '30%', gravity: 'southeast' }],
      });
      expect(body.ingredients, body.detail).toMatchObject([{ ai: true }]);
      const file = Buffer.from(body.image_b64, 'base64');
      expect(file.toString('utf8')).toContain('compositeWithTrainedAlgorithmicMedia');
      expect(file.toString('utf8')).toContain('Jane Doe');
      if (isSigned) expect(await c2paProblems(file)).toEqual([]);
      expect((await verify(body.image_b64)).marked_as_ai).toBe('yes');
    });
  });
});
