import { execFileSync, spawnSync } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { existsSync, mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { c2paProblems } from '../../../tests/support/c2pa_judge.ts';
import { infuse } from '../../engines/metadata/infuse.ts';
import { readMetadata } from '../../engines/metadata/read_metadata.ts';
import { sharp } from '../../engines/picture/sharp.ts';
import { runPrepareManifest, runReadManifest } from '../../workers/run_c2pa.ts';
import { manifestCertificate } from './certificate.ts';
import { createManifests } from './manifests.ts';

const FIXTURES = resolve(import.meta.dirname, '../../../../shared/fixtures/metadata/c2pa');
const noFixtures = !existsSync(FIXTURES);
const noOpenssl = spawnSync('openssl', ['version']).status !== 0;
const control = { pixels: 0, signal: new AbortController().signal };

function developmentCertificate() {
  const folder = mkdtempSync(join(tmpdir(), 'atelier-c2pa-'));
  execFileSync(resolve(import.meta.dirname, '../../../scripts/make_c2pa_certificate.sh'), [folder]);
  return ['certificate.pem', 'key.pem'].map((name) => readFileSync(join(folder, name), 'utf8')) as [
    string,
    string,
  ];
}

const pixels = {
  run: (async (engine: string, input: never) =>
    engine === 'read_manifest' ? runReadManifest(input) : runPrepareManifest(input)) as never,
};
const given = (pems?: [string, string]) =>
  createManifests({
    pixels,
    certificate: pems && manifestCertificate(...pems),
    generator: { name: 'atelier', version: '1' },
  });

const read = (bytes: Uint8Array) => given().read(bytes, control);
const fixture = (name: string) => readFileSync(resolve(FIXTURES, name));

test.skipIf(noFixtures).each([
  ['adobe-20220124-C.jpg', { state: 'valid', title: 'C.jpg', actions: ['c2pa.created', 'c2pa.drawing'] }],
  ['adobe-20220124-XCA.jpg', { state: 'invalid', problems: ['assertion.dataHash.mismatch'] }],
  ['adobe-20220124-A.jpg', undefined],
  ['sample1.webp', undefined],
  ['libpng-test_with_url.png', { state: 'remote' }],
])('%s is judged as its makers say (skipped without ../shared)', async (name, expected) => {
  const reading = await read(fixture(name));
  if (expected) expect(reading).toMatchObject(expected);
  else expect(reading).toBeUndefined();
  if (reading && reading.state !== 'remote')
    expect(await c2paProblems(fixture(name))).toEqual(reading.problems);
});

test.skipIf(noFixtures)(
  'a file changed anywhere outside the manifest is never valid, whatever is broken inside never a crash (skipped without ../shared)',
  async () => {
    const whole = fixture('adobe-20220124-C.jpg');
    const states = new Set<string | undefined>();
    for (let at = 100; at < whole.length; at += 1997) {
      const changed = Buffer.from(whole);
      changed[at]! ^= 0x10;
      const reading = await read(changed);
      states.add(reading?.state);
      // The manifest takes the bytes from 20 to 51150 (see its data hash).
      if (at >= 51_150) expect([at, reading?.state]).toEqual([at, 'invalid']);
    }
    // Assertions and claim. Behind them are certificates, a time stamp and padding, which nothing signs.
    for (const [from, to, step] of [
      [20, 32_300, 499],
      [32_480, 33_060, 53],
    ] as const) {
      for (let at = from; at < to; at += step) {
        const changed = Buffer.from(whole);
        changed[at]! ^= 0x10;
        expect([at, (await read(changed))?.state]).not.toEqual([at, 'valid']);
      }
    }
    for (let length = 1000; length < whole.length; length += 9973) {
      expect((await read(whole.subarray(0, length)))?.state).not.toBe('valid');
    }
    expect(states).toContain('invalid');
  },
);

const picture = sharp({ create: { width: 64, height: 48, channels: 3, background: '#246' } });

test.skipIf(noOpenssl).each(['png', 'jpeg', 'webp', 'tiff'] as const)(
  'a signed %s is valid, and no longer when a pixel or a field is changed (skipped without openssl)',
  async (format) => {
    const before = await picture.clone().toFormat(format).toBuffer();
    const { bytes } = infuse({ bytes: before, fields: { title: 'Sea' } });
    const type = `image/${format}`;
    const signed = await given(developmentCertificate()).sign!(
      { bytes, before, type, title: 'Sea', dataMining: 'PROHIBITED' },
      control,
    );
    expect(await read(signed)).toEqual({
      state: 'valid',
      problems: [],
      title: 'Sea',
      generator: 'atelier',
      signer: { organisation: 'Atelier development', name: 'Development signer' },
      actions: ['c2pa.opened', 'c2pa.edited.metadata'],
    });
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

test.skipIf(noFixtures || noOpenssl)(
  'the manifest a file had lives on as that of an ingredient (skipped without ../shared or openssl)',
  async () => {
    const before = fixture('adobe-20220124-C.jpg');
    const { bytes } = infuse({ bytes: before, fields: { title: 'Sea' } });
    const signed = await given(developmentCertificate()).sign!(
      { bytes, before, type: 'image/jpeg', title: 'Sea' },
      control,
    );
    expect(await read(signed)).toMatchObject({ state: 'valid', title: 'Sea' });
    expect(Buffer.from(signed).includes('contentauth:urn:uuid:4d971750-1db4-4492-a87c-5c3e7ed33efc')).toBe(
      true,
    );
  },
);

const pem = (type: 'ed25519' | 'x25519') =>
  generateKeyPairSync(type as 'ed25519')
    .privateKey.export({ format: 'pem', type: 'pkcs8' })
    .toString();

test('without a certificate nothing is signed, and half of one is refused with what to set', () => {
  expect(given().sign).toBeUndefined();
  expect(manifestCertificate(undefined, undefined)).toBeUndefined();
  expect(() => manifestCertificate('x', undefined)).toThrow('belong together');
  expect(() => manifestCertificate('x', 'y')).toThrow('C2PA_KEY');
  expect(() => manifestCertificate('x', pem('x25519'))).toThrow('C2PA_KEY');
  expect(() => manifestCertificate('x', pem('ed25519'))).toThrow('C2PA_CERTIFICATE');
});
