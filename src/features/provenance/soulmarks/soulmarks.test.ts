import { generateKeyPairSync } from 'node:crypto';
import { sharp } from '@atelier/imaging/codecs/sharp.ts';
import { readMetadata } from '@atelier/imaging/metadata/read_metadata.ts';
import { infuse, writeMetadata } from '@atelier/imaging/metadata/write_metadata.ts';
import { textProperty } from '@atelier/imaging/metadata/xmp/make_property.ts';
import { packCodex } from '@atelier/imaging/provenance/soulmark/codex_text.ts';
import { hashPixels } from '@atelier/imaging/provenance/soulmark/hash_pixels.ts';
import { readSoulmark } from '@atelier/imaging/provenance/soulmark/read_soulmark.ts';
import { beforeAll, expect, test } from 'vitest';
import { createSigner } from '../../../core/keys/signer.ts';
import type { Revocation } from '../../billing/receipts/types.ts';
import { createSoulmarks } from './soulmarks.ts';

const CODEX = { title: 'Wave', themes: ['sea', 'boats'], nested: { z: 1, a: 'ö' } };
const noise = Buffer.from(Array.from({ length: 48 * 36 * 3 }, (_, index) => (index * 2654435761) >>> 24));
const photo = sharp(noise, { raw: { width: 48, height: 36, channels: 3 } });
const newKey = () => generateKeyPairSync('ed25519').privateKey;
const [ours, theirs] = [newKey(), newKey()];
const control = { pixels: 0, signal: new AbortController().signal };

const soulmarksOf = (key: typeof ours, revoked?: Revocation) =>
  createSoulmarks({
    key,
    receipts: {
      keys: async () => [
        { ...createSigner(ours).publicKey, firstUsed: new Date(0), ...(revoked && { revoked }) },
      ],
    },
    pixels: {
      run: (async (engine: string, input: { bytes: Uint8Array }) =>
        engine === 'hash_pixels' ? hashPixels(input) : readSoulmark(input)) as never,
    },
    publicUrl: 'https://atelier.test',
    clock: () => new Date('2026-05-04T03:02:01Z'),
  });

async function markPicture(bytes: Uint8Array, key = ours): Promise<Uint8Array> {
  const { packed, jws } = await soulmarksOf(key).make(bytes, CODEX, control);
  return infuse({ bytes, fields: { title: 'Wave' }, codex: { packed, soulmark: jws } }).bytes;
}
const reading = (bytes: Uint8Array) => soulmarksOf(ours).read(bytes, control);

let png: Uint8Array;
beforeAll(async () => {
  png = await markPicture(await photo.clone().png().toBuffer());
});

test.each(['png', 'jpeg', 'webp', 'tiff'] as const)(
  'in %s the codex and pixels match the signed values',
  async (format) => {
    const bytes = await markPicture(await photo.clone().toFormat(format).toBuffer());
    expect(await reading(bytes)).toEqual({
      codex: CODEX,
      codexIs: 'agree',
      pixelsAre: 'agree',
      isOurs: true,
      signer: {
        kid: createSigner(ours).publicKey.kid,
        issuer: 'https://atelier.test',
        signedAtUnixS: Date.parse('2026-05-04T03:02:01Z') / 1000,
      },
    });
  },
);

/** Writes the marks of one file into another. */
const moveProperties = (from: Uint8Array, to: Uint8Array, changed: Record<string, string> = {}) => {
  const { 'atelier:Codex': codex, 'atelier:Soulmark': soulmark } = { ...readMetadata(from).xmp, ...changed };
  return writeMetadata(to, {}, [
    textProperty('atelier:Codex', codex as string),
    textProperty('atelier:Soulmark', soulmark as string),
  ]).bytes;
};

test('a modified codex and modified pixels are distinguished', async () => {
  const otherCodex = moveProperties(png, png, {
    'atelier:Codex': packCodex({ ...CODEX, title: 'Mine' }).packed,
  });
  expect(await reading(otherCodex)).toMatchObject({ codexIs: 'changed', pixelsAre: 'agree', isOurs: true });
  const damagedCodex = moveProperties(png, png, { 'atelier:Codex': 'AAAA' });
  expect(await reading(damagedCodex)).toMatchObject({ codexIs: 'changed', pixelsAre: 'agree' });
  const otherPixels = moveProperties(png, await photo.clone().negate().png().toBuffer());
  expect(await reading(otherPixels)).toMatchObject({ codexIs: 'agree', pixelsAre: 'changed', isOurs: true });
  const reencoded = moveProperties(png, await photo.clone().jpeg({ quality: 50 }).toBuffer());
  expect(await reading(reencoded)).toMatchObject({ codexIs: 'agree', pixelsAre: 'changed' });
});

test('lossless re-encoding and added metadata do not change the result', async () => {
  const again = moveProperties(png, await sharp(png).webp({ lossless: true }).toBuffer());
  expect(await reading(again)).toMatchObject({ codexIs: 'agree', pixelsAre: 'agree' });
  const retitled = writeMetadata(png, { title: 'Another', copyright_holder: 'Someone' }).bytes;
  expect(await reading(retitled)).toMatchObject({ codexIs: 'agree', pixelsAre: 'agree', isOurs: true });
});

test('a codex signed by another signer is valid, but not ours', async () => {
  const bytes = await markPicture(await photo.clone().png().toBuffer(), theirs);
  expect(await reading(bytes)).toMatchObject({ codexIs: 'agree', pixelsAre: 'agree', isOurs: false });
  expect((await reading(bytes))?.signer?.kid).toBe(createSigner(theirs).publicKey.kid);
});

test('a signature of this service cannot be forged', async () => {
  const { kid } = createSigner(ours).publicKey;
  const { x } = createSigner(theirs).publicKey;
  const { 'atelier:Soulmark': genuine } = readMetadata(png).xmp;
  const claims = JSON.parse(Buffer.from(String(genuine).split('.')[1]!, 'base64url').toString());
  const jwk = { kty: 'OKP', crv: 'Ed25519', x };
  const forged = [
    // In turn: their key under our name, their signature with our key, our signature under another claim, no
    // signature.
    createSigner(theirs).sign('soulmark+jwt', claims, { jwk, kid }),
    createSigner(theirs).sign('soulmark+jwt', claims, {
      jwk: { ...jwk, x: createSigner(ours).publicKey.x },
      kid,
    }),
    String(genuine).replace(
      /\.[^.]+\./,
      `.${Buffer.from(JSON.stringify({ ...claims, iat: 1 })).toString('base64url')}.`,
    ),
    String(genuine).replace(/[^.]+$/, ''),
    createSigner(ours).sign('receipt+jwt', claims, { jwk: { ...jwk, x: createSigner(ours).publicKey.x } }),
  ];
  for (const jws of forged) {
    const read = await reading(moveProperties(png, png, { 'atelier:Soulmark': jws }));
    expect(read).toEqual({ codex: CODEX, codexIs: 'unknown', pixelsAre: 'unknown', isOurs: false });
  }
});

test.each([
  ['superseded', '2026-05-05', false],
  ['superseded', '2026-05-03', true],
  ['compromised', '2026-05-05', true],
] as const)('a soulmark whose key is %s since %s may be forged: %s', async (reason, day, mayBe) => {
  const revoked = { at: new Date(day), reason };
  const read = await soulmarksOf(ours, revoked).read(png, control);
  expect([read?.isOurs, read?.revoked]).toEqual([true, mayBe ? revoked : undefined]);
});

test('a codex that exceeds the decompressed size limit is not read', async () => {
  const { packed } = packCodex({ long: 'x'.repeat(2_000_000) });
  expect(await reading(moveProperties(png, png, { 'atelier:Codex': packed }))).not.toHaveProperty('codex');
});

test('an image without a soulmark has no reading', async () => {
  expect(await reading(await photo.clone().png().toBuffer())).toBeUndefined();
});

test('the pixel hash covers the samples as stored', async () => {
  const flat = (depth: 'uchar' | 'ushort') =>
    sharp({ create: { width: 2, height: 1, channels: 3, background: '#010203' } }).toColourspace(
      depth === 'ushort' ? 'rgb16' : 'srgb',
    );
  const eight = await hashPixels({ bytes: await flat('uchar').png().toBuffer() });
  const palette = await hashPixels({ bytes: await flat('uchar').png({ palette: true }).toBuffer() });
  const deep = await hashPixels({ bytes: await flat('ushort').png().toBuffer() });
  const wide = await hashPixels({ bytes: await flat('uchar').withIccProfile('p3').png().toBuffer() });
  // printf 'atelier-pixels-1 2x1x4x8\n\1\2\3\377\1\2\3\377' | sha256sum
  expect(eight.sha256).toBe('54b60cd36891bb2169ae1569edca1945e7df248956ffd02372dd2003163188df');
  expect(palette.sha256).toBe(eight.sha256);
  expect(deep.sha256).not.toBe(eight.sha256);
  expect(wide.width).toBe(2);
});

test('the pixel hash covers every frame of an animation', async () => {
  const frames = (second: number) =>
    sharp(Buffer.concat([Buffer.alloc(300, 9), Buffer.alloc(300, second)]), {
      raw: { width: 10, height: 20, channels: 3, pageHeight: 10 },
    })
      .webp({ lossless: true })
      .toBuffer();
  const [one, other] = [
    await hashPixels({ bytes: await frames(80) }),
    await hashPixels({ bytes: await frames(81) }),
  ];
  expect(one.sha256).not.toBe(other.sha256);
});
