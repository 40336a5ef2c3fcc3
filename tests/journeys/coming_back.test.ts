import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { sharp } from '@atelier/imaging/codecs/sharp.ts';
import { manifestsIn } from '@atelier/imaging/provenance/c2pa/jumbf.ts';
import { manifestStoreIn } from '@atelier/imaging/provenance/c2pa/manifest_store.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { forEachApp } from '../support/for_each_app.ts';
import { certificateOf, MAKERS, signAs } from '../support/foreign_manifests.ts';
import { developmentCertificate } from '../support/open_manifests.ts';
import type { TestApp } from '../support/open_test_app.ts';
import { newOwner, type Owner } from '../support/owner.ts';
import { scene } from '../support/scene.ts';
import { needs } from '../support/test_requirements.ts';
import { toppedUp } from '../support/topped_up.ts';

/** A picture that lost its metadata comes back to its C2PA manifest, byte for byte. */

const SIGNED = readFileSync(join(import.meta.dirname, '../fixtures/c2pa/signed.jpg'));
const BASE = '/api/c2pa';
const WATERMARK = 'io.github.atelier.watermark.1';
const PDQ = 'io.github.atelier.pdq.1';

const base64 = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64');
const sha256Of = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

/** A picture as it comes out of a network that strips and crops: saved again, ten percent gone from each side. */
async function spoiled(picture: Uint8Array): Promise<Buffer> {
  const { width, height } = await sharp(picture).metadata();
  const area = {
    left: Math.round(width * 0.1),
    top: Math.round(height * 0.1),
    width: Math.round(width * 0.8),
    height: Math.round(height * 0.8),
  };
  return sharp(picture).extract(area).jpeg({ quality: 75 }).toBuffer();
}

const asking = (app: TestApp) => ({
  byContent: async (picture: Uint8Array, query = '', type = 'image/jpeg') => {
    const reply = await app.fetch(
      new Request(`http://atelier.test${BASE}/matches/byContent${query}`, {
        method: 'POST',
        headers: { 'Content-Type': type },
        body: new Uint8Array(picture),
      }),
    );
    // biome-ignore lint/suspicious/noExplicitAny: a test says which shape it expects
    return { status: reply.status, body: (await reply.json()) as any };
  },
  byBinding: (alg: string, value: Uint8Array) =>
    app.get(`${BASE}/matches/byBinding?${new URLSearchParams({ alg, value: base64(value) })}`),
  store: async (id: string, query = '') => {
    const reply = await app.fetch(
      new Request(`http://atelier.test${BASE}/manifests/${encodeURIComponent(id)}${query}`),
    );
    return { status: reply.status, headers: reply.headers, bytes: Buffer.from(await reply.arrayBuffer()) };
  },
});

forEachApp((open, database) => {
  describe('on a server with a certificate', needs('OpenSSL'), () => {
    let app: TestApp;
    let owner: Owner;
    let ask: ReturnType<typeof asking>;
    beforeAll(async () => {
      const [certificate, key] = developmentCertificate();
      app = await open({ C2PA_CERTIFICATE: certificate, C2PA_KEY: key });
      ask = asking(app);
      owner = await newOwner(app);
      await toppedUp(app.post, owner.wallet);
    });
    afterAll(() => app?.close());
    const call = async (tool: string, body: object) =>
      (await app.post(`/api/tools/${tool}`, body, owner.bare)).body;
    const infuse = async (image: Uint8Array, more: object = {}) => {
      const body = await call('infuse_metadata', {
        image: base64(image),
        metadata: { title: 'Sea' },
        ...more,
      });
      return { ...body, bytes: Buffer.from(body.image_b64, 'base64') };
    };

    const formats =
      database === 'embedded' ? (['png', 'jpeg', 'webp', 'tiff'] as const) : (['jpeg'] as const);
    test.each(formats)(
      'a stripped, re-encoded and cropped %s leads to its manifest, byte for byte',
      async (format) => {
        const seed = { png: 11, jpeg: 12, webp: 13, tiff: 14 }[format];
        const made = await infuse(
          await sharp(await scene(seed))
            .toFormat(format)
            .toBuffer(),
        );
        const copy = await spoiled(made.bytes);
        const { body } = await ask.byContent(copy);
        const [match] = body.matches;
        const back = await ask.store(match.manifestId);

        expect(manifestStoreIn(copy)).toBeUndefined();
        expect(match).toEqual({
          manifestId: made.kept_manifest.manifest_id,
          sha256: made.kept_manifest.sha256,
          similarityScore: expect.any(Number),
        });
        expect([back.status, back.headers.get('content-type')]).toEqual([200, 'application/c2pa']);
        expect(back.bytes).toEqual(manifestStoreIn(made.bytes));
      },
      240_000,
    );

    test('a watermark leads to the manifest written after it, also in standard mode', async () => {
      const marked = await call('watermark_embed', { image: base64(await scene(15)), payload: 'Ada, 17' });
      const made = await infuse(Buffer.from(marked.image_b64, 'base64'), { metadata_mode: 'standard' });
      const value = Buffer.from(marked.registry_id, 'hex');
      const expected = {
        matches: [
          {
            manifestId: made.kept_manifest.manifest_id,
            similarityScore: 100,
            sha256: made.kept_manifest.sha256,
          },
        ],
      };
      expect((await ask.byBinding(WATERMARK, value)).body).toEqual(expected);
      const posted = await app.post(`${BASE}/matches/byBinding`, { alg: WATERMARK, value: base64(value) });
      expect(posted.body).toEqual(expected);
      expect((await ask.byContent(await spoiled(made.bytes), `?alg=${WATERMARK}`)).body).toEqual(expected);
      expect((await ask.byContent(await spoiled(made.bytes), `?alg=${PDQ}`)).body).toEqual({ matches: [] });
    }, 240_000);

    test('a hash finds the manifest, alone or as a hint with a blank image', async () => {
      const made = await infuse(await scene(16));
      const hash = Buffer.from(made.registration.hash, 'hex');
      const expected = [{ manifestId: made.kept_manifest.manifest_id, similarityScore: 100 }];
      expect((await ask.byBinding(PDQ, hash)).body.matches).toMatchObject(expected);
      const hint = new URLSearchParams({ hintAlg: PDQ, hintValue: base64(hash) });
      expect((await ask.byContent(await scene(17), `?${hint}`)).body.matches).toMatchObject(expected);
      expect((await ask.byContent(await scene(17))).body.matches).toEqual([]);
      const verified = await call('verify_provenance', { image: base64(await spoiled(made.bytes)) });
      expect(verified.kept_manifests).toEqual([made.kept_manifest]);
    }, 240_000);

    test('after a chain of edits, the whole store or the active manifest is retrievable', async () => {
      const first = await infuse(await scene(18));
      const second = await infuse(first.bytes, { metadata: { title: 'Shore' } });
      const { manifest_id: id } = second.kept_manifest;
      const whole = await ask.store(id);
      const active = await ask.store(id, '?returnActiveManifest=true');

      expect(manifestsIn(whole.bytes)!.map((manifest) => manifest.id)).toEqual([
        first.kept_manifest.manifest_id,
        id,
      ]);
      expect(manifestsIn(active.bytes)!.map((manifest) => manifest.id)).toEqual([id]);
      expect(whole.bytes.includes(active.bytes.subarray(-1000))).toBe(true);
    }, 240_000);

    test('manifests of edits by the signed-in owner are stored and found from copies', async () => {
      const first = await infuse(await scene(20));
      const made = async (headers: Record<string, string>, tool: string, input: object) =>
        (await app.post(`/api/tools/${tool}`, { image: base64(first.bytes), ...input }, headers)).body;
      const size = { width: 700, height: 700 };
      const stranger = await newOwner(app);
      const unkept = [
        await made(owner.bare, 'resize_image', size),
        await made(await stranger.signIn(), 'resize_image', size),
        await made(await owner.signIn(), 'mockup_image', { product: 'mug' }),
      ];
      const resized = await made(await owner.signIn(), 'resize_image', size);
      const marked = await made(await owner.signIn(), 'watermark_embed', { payload: 'Ada' });
      const kept = [first, resized, marked].map((body) => body.kept_manifest.manifest_id);
      const idsOf = ({ body }: { body: { matches: { manifestId: string }[] } }) =>
        body.matches.map(({ manifestId }) => manifestId);

      expect(unkept.map((body) => [body.metadata?.changed.at(-1).what, body.kept_manifest])).toEqual(
        Array(3).fill(['c2pa', undefined]),
      );
      const copy = await spoiled(Buffer.from(resized.image_b64, 'base64'));
      expect(idsOf(await ask.byContent(copy, `?alg=${PDQ}`))).toEqual(kept);
      expect(idsOf(await ask.byBinding(WATERMARK, Buffer.from(marked.registry_id, 'hex')))).toEqual([
        kept[2],
      ]);
      const store = await ask.store(kept[1]);
      expect(store.bytes).toEqual(manifestStoreIn(Buffer.from(resized.image_b64, 'base64')));
    }, 240_000);

    test('no manifest is stored for edits of bytes that fail their stored manifest', async () => {
      const jpeg = await sharp(await scene(21))
        .jpeg()
        .toBuffer();
      const { bytes } = await infuse(jpeg);
      const image = base64(changedAt(bytes, bytes.length - 400));
      const size = { width: 700, height: 700 };
      const { body } = await app.post('/api/tools/resize_image', { image, ...size }, await owner.signIn());
      expect([body.metadata.changed.at(-1).what, body.kept_manifest]).toEqual(['c2pa', undefined]);
    }, 240_000);

    test('only its owner can withdraw a manifest', async () => {
      const { kept_manifest: kept } = await infuse(await scene(19));
      const stranger = await newOwner(app);
      const withdraw = async (headers: Record<string, string>) =>
        (
          await app.fetch(
            new Request(`http://atelier.test${BASE}/manifests/${kept.manifest_id}`, {
              method: 'DELETE',
              headers,
            }),
          )
        ).status;
      expect([await withdraw(owner.bare), await withdraw(await stranger.signIn())]).toEqual([401, 404]);
      expect((await ask.store(kept.manifest_id)).status).toBe(200);
      expect(await withdraw(await owner.signIn())).toBe(200);
      expect((await ask.store(kept.manifest_id)).status).toBe(404);
    }, 240_000);
  });

  describe('on a server without a certificate', () => {
    let app: TestApp;
    let owner: Owner;
    let ask: ReturnType<typeof asking>;
    beforeAll(async () => {
      app = await open();
      ask = asking(app);
      owner = await newOwner(app);
    });
    afterAll(() => app?.close());
    const register = (image: Uint8Array, more: object = {}) =>
      app.post(
        '/api/tools/register_hash',
        { image: base64(image), keep_manifest: true, ...more },
        owner.bare,
      );

    test('an infused image stores no manifest, and an unknown manifest returns 404', async () => {
      const { body } = await app.post(
        '/api/tools/infuse_metadata',
        { image: base64(await scene(11)), metadata: { title: 'Sea' } },
        owner.bare,
      );
      expect([body.c2pa_manifest, body.kept_manifest]).toEqual([false, null]);
      const reply = await app.get(`${BASE}/manifests/urn:c2pa:1`);
      expect([reply.status, reply.body.detail]).toEqual([
        404,
        expect.stringContaining('This server has no certificate'),
      ]);
    });

    test('a third-party manifest is stored with its image and found from a copy', async () => {
      const before = (await register(SIGNED, { keep_manifest: false })).body;
      const { body } = await register(SIGNED);
      const { matches } = (await ask.byContent(await spoiled(SIGNED))).body;
      const back = await ask.store(matches[0].manifestId);

      expect([before.kept_manifest, body.already_registered, body.cost.credit]).toEqual([null, true, 0]);
      expect(body.kept_manifest).toMatchObject({
        manifest_id: matches[0].manifestId,
        sha256: sha256Of(back.bytes),
        size_bytes: back.bytes.length,
        url: expect.stringContaining(`${BASE}/manifests/urn%3Ac2pa%3A`),
      });
      expect(back.bytes).toEqual(manifestStoreIn(SIGNED));
    }, 240_000);

    test('a third-party manifest is found by its declared watermark value, which verification names', {
      ...needs('OpenSSL'),
      timeout: 240_000,
    }, async () => {
      const alg = 'com.adobe.trustmark.P';
      const value = `2*${'10110'.repeat(12)}1`;
      const jpeg = await sharp(await scene(22))
        .jpeg()
        .toBuffer();
      const signed = await signAs(certificateOf('Example Ltd', 'Example'), jpeg, {
        ...MAKERS.leica,
        softBindings: [{ alg, value }],
      });
      const { body } = await register(signed);
      const asked = (text: string) =>
        app.get(`${BASE}/matches/byBinding?${new URLSearchParams({ alg, value: text })}`);
      const verified = await app.post('/api/tools/verify_provenance', { image: base64(signed) }, owner.bare);

      for (const text of [value, base64(Buffer.from(value))])
        expect((await asked(text)).body.matches).toMatchObject([
          { manifestId: body.kept_manifest.manifest_id, similarityScore: 100 },
        ]);
      expect((await asked('2*0')).body.matches).toEqual([]);
      expect(JSON.stringify(verified.body.witnesses)).toContain('the watermark of Adobe TrustMark');
    });

    test.each([
      ['carries none', () => sharp(SIGNED).jpeg().toBuffer(), /has no C2PA manifest/],
      ['was changed since', async () => changedAt(SIGNED, SIGNED.length - 400), /is not valid/],
      ['is that of another picture', () => transplanted(), /is not valid/],
    ])('an image whose manifest %s is refused without charge', async (_what, make, words) => {
      const charged = async () =>
        (await app.post('/api/tools/check_balance', { wallet: owner.wallet })).body.balance;
      const before = await charged();
      const reply = await register(await make());
      expect([reply.status, reply.body.code, await charged()]).toEqual([422, 'unsuitable_image', before]);
      expect(reply.body.detail).toMatch(words);
    });

    test.each([
      ['what names no algorithm', '?alg=watermark&value=AAAA', 400, 'alg'],
      ['a value of another length', `?alg=${PDQ}&value=AAAA`, 400, 'value'],
      ['what is no base64', `?alg=${PDQ}&value=!`, 400, 'value'],
      ['no value', `?alg=${PDQ}`, 400, 'value'],
      ['no results', `?alg=${PDQ}&value=AAAA&maxResults=0`, 400, 'maxResults'],
    ])('%s is refused with the invalid field named', async (_what, query, status, field) => {
      const reply = await app.get(`${BASE}/matches/byBinding${query}`);
      expect([reply.status, reply.body.errors?.[0]?.field]).toEqual([status, field]);
    });

    test('content that is not an image gets 415, and an empty body gets instructions', async () => {
      expect(await ask.byContent(Buffer.from('PK\x03\x04'), '', 'application/zip')).toMatchObject({
        status: 415,
        body: { code: 'unsupported_image' },
      });
      expect(await ask.byContent(Buffer.alloc(0))).toMatchObject({ status: 400 });
      expect(await ask.byContent(SIGNED, `?hintAlg=${PDQ}`)).toMatchObject({ status: 400 });
    });

    test('supported algorithms are listed', async () => {
      const { body } = await app.get(`${BASE}/services/supportedAlgorithms`);
      expect([body.watermarks[0], body.fingerprints[0]]).toEqual([{ alg: WATERMARK }, { alg: PDQ }]);
      expect(body.watermarks).toContainEqual({ alg: 'com.adobe.trustmark.P' });
    });
  });
});

function changedAt(bytes: Buffer, at: number): Buffer {
  const changed = Buffer.from(bytes);
  changed[at]! ^= 0x10;
  return changed;
}

/** The manifest of the signed picture in front of other pixels. */
async function transplanted(): Promise<Buffer> {
  const other = await sharp(await scene(6, 512, 384))
    .jpeg()
    .toBuffer();
  const from = SIGNED.indexOf(Buffer.of(0xff, 0xeb));
  let to = from;
  while (SIGNED[to + 1] === 0xeb) to += 2 + SIGNED.readUInt16BE(to + 2);
  return Buffer.concat([other.subarray(0, 2), SIGNED.subarray(from, to), other.subarray(2)]);
}
