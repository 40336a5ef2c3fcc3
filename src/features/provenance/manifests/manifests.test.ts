import { generateKeyPairSync } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sharp } from '@atelier/imaging/codecs/sharp.ts';
import { readClaims, readMetadata } from '@atelier/imaging/metadata/read_metadata.ts';
import { infuse } from '@atelier/imaging/metadata/write_metadata.ts';
import { expect, test } from 'vitest';
import { c2paProblems } from '../../../../tests/support/c2pa_problems.ts';
import { control, developmentCertificate, openManifests } from '../../../../tests/support/open_manifests.ts';
import { needs } from '../../../../tests/support/test_requirements.ts';
import { manifestCertificate, trustAnchorsOf } from './manifests.ts';

const SIGNED = readFileSync(join(import.meta.dirname, '../../../../tests/fixtures/c2pa/signed.jpg'));
const read = (bytes: Uint8Array) => openManifests().read(bytes, control);

/** Byte range of the segments with the manifest: JUMBF in a JPEG is stored in APP11. */
function manifestRange(jpeg: Buffer): [from: number, to: number] {
  const from = jpeg.indexOf(Buffer.of(0xff, 0xeb));
  let to = from;
  while (jpeg[to + 1] === 0xeb) to += 2 + jpeg.readUInt16BE(to + 2);
  return [from, to];
}

test('a signed manifest is valid here and for the C2PA library', async () => {
  expect(await read(SIGNED)).toMatchObject({ state: 'valid', title: 'Sea' });
  expect(await c2paProblems(SIGNED)).toEqual([]);
  expect(await read(await sharp(SIGNED).jpeg().toBuffer())).toBeUndefined();
});

test('a file changed outside the manifest is never valid, and corruption never causes a crash', async () => {
  const [from, to] = manifestRange(SIGNED);
  const states = new Set<string | undefined>();
  for (let at = 2; at < SIGNED.length; at += 311) {
    const changed = Buffer.from(SIGNED);
    changed[at]! ^= 0x10;
    const reading = await read(changed);
    states.add(reading?.state);
    if (at >= to) expect([at, reading?.state]).toEqual([at, 'invalid']);
    if (at < from) expect([at, reading?.state]).not.toEqual([at, 'valid']);
  }
  for (let length = 100; length < SIGNED.length; length += 2003)
    expect((await read(SIGNED.subarray(0, length)))?.state).not.toBe('valid');
  expect(states).toContain('invalid');
});

const picture = sharp({ create: { width: 64, height: 48, channels: 3, background: '#246' } });

test.each(['png', 'jpeg', 'webp', 'tiff'] as const)(
  'a signed %s is valid until a pixel or a field changes',
  needs('OpenSSL'),
  async (format) => {
    const before = await picture.clone().toFormat(format).toBuffer();
    const { bytes } = infuse({ bytes: before, fields: { title: 'Sea' } });
    const type = `image/${format}`;
    const { bytes: signed, timeStamp } = await openManifests(developmentCertificate()).sign!(
      { bytes, before, type, title: 'Sea', dataMining: 'PROHIBITED' },
      control,
    );
    expect(await read(signed)).toEqual({
      state: 'valid',
      problems: [],
      id: expect.stringMatching(/^urn:c2pa:[0-9a-f-]{36}/),
      title: 'Sea',
      generator: 'atelier',
      signer: { organisation: 'Atelier development', name: 'Development signer' },
      actions: ['c2pa.opened', 'c2pa.edited.metadata'],
      training: {
        'cawg.data_mining': 'notAllowed',
        'cawg.ai_training': 'notAllowed',
        'cawg.ai_generative_training': 'notAllowed',
      },
      timeStamp: { time: null, authority: null, status: 'none', reason: 'The manifest has no time stamp.' },
    });
    expect(timeStamp).toMatchObject({ status: 'none', reason: expect.stringContaining('TSA_URL') });
    expect(readMetadata(signed).fields.title).toBe('Sea');
    expect(await sharp(signed).raw().toBuffer()).toEqual(await sharp(before).raw().toBuffer());
    const at = Buffer.from(signed).lastIndexOf('Sea</rdf:li>');
    const changed = Buffer.from(signed);
    changed.write('See', at);
    expect((await read(changed))?.state).toBe('invalid');
    if (format !== 'png' && format !== 'jpeg') return;
    expect(await c2paProblems(signed)).toEqual([]);
    expect(await c2paProblems(changed)).toEqual(['assertion.dataHash.mismatch']);
  },
);

test('the previous manifest of a file is kept as an ingredient', needs('OpenSSL'), async () => {
  const { bytes } = infuse({ bytes: SIGNED, fields: { title: 'Shore' } });
  const { bytes: signed } = await openManifests(developmentCertificate()).sign!(
    { bytes, before: SIGNED, type: 'image/jpeg', title: 'Shore' },
    control,
  );
  const [, id] = /(urn:c2pa:[0-9a-f-]{36})/.exec(SIGNED.toString('latin1')) ?? [];
  expect(await read(signed)).toMatchObject({ state: 'valid', title: 'Shore' });
  expect(Buffer.from(signed).includes(id!)).toBe(true);
});

const pem = (type: 'ed25519' | 'x25519') =>
  generateKeyPairSync(type as 'ed25519')
    .privateKey.export({ format: 'pem', type: 'pkcs8' })
    .toString();

test('nothing is signed without a certificate; an incomplete one is rejected with the missing setting', () => {
  expect(openManifests().sign).toBeUndefined();
  expect(manifestCertificate(undefined, undefined)).toBeUndefined();
  expect(() => manifestCertificate('x', undefined)).toThrow('or neither');
  expect(() => manifestCertificate('x', 'y')).toThrow('C2PA_KEY');
  expect(() => manifestCertificate('x', pem('x25519'))).toThrow('C2PA_KEY');
  expect(() => manifestCertificate('x', pem('ed25519'))).toThrow('C2PA_CERTIFICATE');
});

test('a visible label is recorded as an edit with its text and region', needs('OpenSSL'), async () => {
  const before = await picture.clone().png().toBuffer();
  const label = {
    words: 'KI-generiert',
    style: 'text',
    language: 'de',
    region: { x: 1, y: 2, width: 30, height: 9 },
  };
  const origin = { sourceType: 'trainedAlgorithmicMedia', system: 'Painter' };
  const { bytes } = infuse({ bytes: before, fields: {}, origin, label });
  const { bytes: signed } = await openManifests(developmentCertificate()).sign!(
    { bytes, before, type: 'image/png', title: 'Sea', origin, label, isMarked: true },
    control,
  );
  expect(await read(signed)).toMatchObject({
    state: 'valid',
    actions: ['c2pa.created', 'c2pa.edited', 'c2pa.edited.metadata', 'c2pa.watermarked.unbound'],
  });
  expect(await c2paProblems(signed)).toEqual([]);
  expect(Buffer.from(signed).includes('Visible AI label: KI-generiert')).toBe(true);
  expect(readClaims({ bytes: signed }).label).toEqual(label);
});

test('a trust list is read as certificates, and an empty one is rejected by name', () => {
  const folder = mkdtempSync(join(tmpdir(), 'atelier-trust-'));
  const listOf = (text: string) => {
    writeFileSync(join(folder, 'list.pem'), text);
    return trustAnchorsOf({ C2PA_TRUST_LIST: join(folder, 'list.pem') });
  };
  const one = '-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----';
  try {
    expect(trustAnchorsOf({ C2PA_TRUST_LIST: undefined })).toBeUndefined();
    expect(listOf(`# C2PA\n${one}\n\n# Other\n${one}\n`)).toBe(`${one}\n${one}`);
    expect(() => listOf('none')).toThrow('C2PA_TRUST_LIST contains no PEM certificate');
    expect(() => listOf(' '.repeat(1_000_001))).toThrow('The limit is 1000000');
    expect(() => trustAnchorsOf({ C2PA_TRUST_LIST: join(folder, 'other') })).toThrow('ENOENT');
  } finally {
    rmSync(folder, { recursive: true });
  }
});
