import { createHash } from 'node:crypto';
import { sharp } from '@atelier/imaging/codecs/sharp.ts';
import { readMetadata } from '@atelier/imaging/metadata/read_metadata.ts';
import { type InfuseRequest, infuse } from '@atelier/imaging/metadata/write_metadata.ts';
import { expect, test } from 'vitest';
import { quietCall } from '../../../../tests/support/quiet_call.ts';
import { AtelierError } from '../../../core/errors/atelier_error.ts';
import { EXAMPLE_PNG_B64 } from '../../definitions/example_image.ts';
import type { Services } from '../../services.ts';
import { infuseMetadata } from './infuse_metadata.ts';

const PNG = Buffer.from(EXAMPLE_PNG_B64, 'base64');
const SOULMARK = { jws: 'a.b.c', kid: 'k', packed: 'UEFDSw==', codexSha256: 'c', pixelsSha256: 'p' };

/** Runs the tool with the real engine; returns its result and warnings. */
async function infused(
  more: object,
  {
    bytes = PNG as Uint8Array,
    quality = 90,
    known = [] as object[],
    keep = undefined as ((manifest: object) => object) | undefined,
  } = {},
) {
  const warnings: string[] = [];
  const signed: object[] = [];
  const registered: object[] = [];
  const services = {
    pixels: {
      run: async (engine: string, request: InfuseRequest) =>
        engine === 'infuse'
          ? infuse(request)
          : engine === 'watermark_detect'
            ? { id: 'abcdef012345' }
            : { hashes: [Buffer.alloc(32, 7)], windows: [], quality, engine: {} },
    },
    provenance: { priorArt: async () => known },
    hashes: {
      register: async (registration: object) => {
        registered.push(registration);
        return { registration: { id: 'hash_1' }, isNew: true };
      },
    },
    results: { keep: async () => ({ handle: 'result:r1', url: 'https://here/r1', expiresAt: new Date(0) }) },
    manifests: {
      ownIn: () => ({ id: 'urn:c2pa:1', store: Buffer.from('store') }),
      read: async () => undefined,
      ...(keep && {
        sign: async (picture: { bytes: Uint8Array }) => ({
          bytes: picture.bytes,
          timeStamp: { time: null, authority: null, status: 'none', reason: 'No authority.' },
        }),
      }),
    },
    storedManifests: { keep: async (manifest: object) => keep!(manifest) },
    site: { publicUrl: 'https://here' },
    soulmarks: {
      make: async (_bytes: Uint8Array, codex: object) => {
        signed.push(codex);
        return SOULMARK;
      },
    },
  } as unknown as Services;
  const input = infuseMetadata.input.parse({ image: 'x', ...more });
  const image = { bytes, format: 'png' as const, width: 16, height: 12 };
  const call = quietCall({ warn: (message) => warnings.push(message) });
  const answer = infuseMetadata.output
    .strict()
    .parse(await infuseMetadata.run({ ...input, image }, services, call));
  return {
    answer,
    warnings,
    signed,
    registered,
    read: readMetadata(Buffer.from(answer.image_b64!, 'base64')),
  };
}

const STANDARD = {
  title: 'Sun',
  description: 'A sun',
  keywords: ['sun', 'meadow'],
  alt_text: 'A disc',
  copyright_holder: 'Jane Doe',
};

test('the default mode is full_codex', () => {
  expect(infuseMetadata.input.parse({ image: 'x', metadata: {} }).metadata_mode).toBe('full_codex');
});

test('standard mode writes the fields and no codex', async () => {
  const { answer, read, warnings } = await infused({ metadata: STANDARD, metadata_mode: 'standard' });
  expect(read.fields).toEqual({ ...STANDARD, copyright_notice: 'Jane Doe' });
  expect(read.xmp).not.toHaveProperty('atelier:Codex');
  expect(answer).not.toHaveProperty('soulmark');
  expect(answer).not.toHaveProperty('registration');
  expect(answer).toMatchObject({
    fields_written: ['title', 'description', 'keywords', 'alt_text', 'copyright_holder'],
    blocks: ['xmp', 'exif'],
    content_type: 'image/png',
  });
  expect(warnings).toEqual([]);
});

test('standard mode warns about fields it cannot store', async () => {
  const { warnings } = await infused({ metadata: { title: 'x', mood: 'calm' }, metadata_mode: 'standard' });
  expect(warnings).toEqual([expect.stringContaining('metadata.mood')]);
});

test('full_codex signs and embeds the whole codex and writes the known fields', async () => {
  const codex = { title: 'Sun', mood: 'calm', artist_name: 'Ann', nested: { deep: ['x'] } };
  const { answer, read, signed, warnings } = await infused({ metadata: codex });
  expect(signed).toEqual([codex]);
  expect(read.fields).toMatchObject({ title: 'Sun', creator: ['Ann'] });
  expect(read.xmp).toMatchObject({ 'atelier:Codex': SOULMARK.packed, 'atelier:Soulmark': SOULMARK.jws });
  expect(answer.soulmark).toEqual({ jws: 'a.b.c', kid: 'k', codex_sha256: 'c', pixels_sha256: 'p' });
  expect(warnings).toEqual([]);
});

test('full_codex registers the hash of the returned file', async () => {
  const { answer, registered } = await infused({ metadata: { title: 'Sun\n', creator: ['Ann', 'Bob'] } });
  const sha256 = createHash('sha256').update(Buffer.from(answer.image_b64!, 'base64')).digest('hex');
  expect(registered).toEqual([expect.objectContaining({ sha256, title: 'Sun ', artist: 'Ann; Bob' })]);
  expect(answer.registration).toEqual({
    registered: true,
    hash_id: 'hash_1',
    hash: '07'.repeat(32),
    quality: 90,
  });
});

test.each([
  ['too little detail', { quality: 20 }],
  ['a known work', { known: [{ kind: 'work', id: 'met_1' }] }],
])('%s: the image is infused but not registered, with a warning', async (words, given) => {
  const { answer, registered, warnings } = await infused({ metadata: { title: 'x' } }, given);
  expect([answer.registration?.registered, registered]).toEqual([false, []]);
  expect(warnings).toEqual([expect.stringContaining(words)]);
});

test.each([
  ['its registration', 'hash_1', {}, {}],
  ['the known work it looks like', 'met_1', {}, { known: [{ kind: 'work', id: 'met_1' }] }],
  ['its watermark alone in mode standard', undefined, { metadata_mode: 'standard' }, {}],
])('the signed manifest is stored, bound to %s', async (_what, boundTo, more, given) => {
  const kept: object[] = [];
  const keep = (manifest: object) => {
    kept.push(manifest);
    return { id: 'urn:c2pa:1', sha256: 'f'.repeat(64), sizeBytes: 5 };
  };
  const { answer } = await infused({ metadata: { title: 'x' }, ...more }, { keep, ...given });
  expect(kept).toMatchObject([{ id: 'urn:c2pa:1', isOurs: true, markId: 'abcdef012345' }]);
  expect((kept[0] as { boundTo?: string }).boundTo).toBe(boundTo);
  expect(answer.kept_manifest?.url).toContain('https://here/api/c2pa/manifests/urn%3Ac2pa%3A1?sha256=ff');
});

test('keep_manifest false signs without storing the manifest', async () => {
  const keep = () => {
    throw new Error('it was kept');
  };
  const { answer, warnings } = await infused({ metadata: { title: 'x' }, keep_manifest: false }, { keep });
  expect([answer.c2pa_manifest, answer.kept_manifest, warnings]).toEqual([true, null, []]);
});

test('with manifest storage full the image is still infused, with a warning', async () => {
  const keep = () => {
    throw new AtelierError('storage_full', 'The space for manifests is used up.');
  };
  const { answer, warnings } = await infused({ metadata: { title: 'x' } }, { keep });
  expect([answer.c2pa_manifest, answer.kept_manifest]).toEqual([true, null]);
  expect(warnings).toEqual([expect.stringContaining('was not stored on this server')]);
});

test('an image already registered by another client is registered later, with a warning', async () => {
  const known = [{ kind: 'registration', id: 'hash_0' }];
  const { answer, warnings } = await infused({ metadata: { title: 'Mine' } }, { known });
  expect(answer.registration?.registered).toBe(true);
  expect(warnings).toEqual([expect.stringContaining('registered earlier (hash_0)')]);
});

test('replacing an existing codex produces a warning', async () => {
  const first = await infused({ metadata: { title: 'one' } });
  const { warnings } = await infused(
    { metadata: { title: 'two' } },
    { bytes: Buffer.from(first.answer.image_b64!, 'base64') },
  );
  expect(warnings).toEqual([expect.stringContaining('codex of the file was replaced')]);
});

test.each([
  [{ metadata: {} }, 'no values to write'],
  [{ metadata: { mood: 'calm' }, metadata_mode: 'standard' }, 'no values to write'],
  [{ metadata: { title: '' }, metadata_mode: 'standard' }, 'no values to write'],
  [{ metadata: { title: ' ', keywords: [''], more: { deep: [] } } }, 'no values to write'],
])('%j is rejected', async (input, words) => {
  await expect(infused(input)).rejects.toThrow(words);
});

test.each([
  { metadata: { title: 5 } },
  { metadata: { keywords: 'sun' } },
  { metadata: { creation_year: '18' } },
  { metadata: { digital_source_type: 'magic' } },
  { metadata: 'x' },
  { metadata: { title: 'x' }, metadata_mode: 'premium' },
])('%j is invalid input', (wrong) => {
  expect(infuseMetadata.input.safeParse({ image: 'x', ...wrong }).success).toBe(false);
});

test('a GIF is rejected with a suggested alternative', async () => {
  const gif = await sharp(PNG).gif().toBuffer();
  await expect(infused({ metadata: STANDARD }, { bytes: gif })).rejects.toMatchObject({
    code: 'unsupported_image',
    message: expect.stringContaining('convert_image'),
  });
});
