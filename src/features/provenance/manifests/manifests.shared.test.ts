import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { infuse } from '@atelier/imaging/metadata/write_metadata.ts';
import { describe, expect, test } from 'vitest';
import { c2paProblems } from '../../../../tests/support/c2pa_problems.ts';
import { control, developmentCertificate, openManifests } from '../../../../tests/support/open_manifests.ts';
import { needs } from '../../../../tests/support/test_requirements.ts';

/** Files with manifests by other programs. */
const FIXTURES = resolve(import.meta.dirname, '../../../../../shared/fixtures/metadata/c2pa');
const read = (bytes: Uint8Array) => openManifests().read(bytes, control);
const fixture = (name: string) => readFileSync(resolve(FIXTURES, name));

describe('third-party manifests', needs('../shared'), () => {
  test.each([
    ['adobe-20220124-C.jpg', { state: 'valid', title: 'C.jpg', actions: ['c2pa.created', 'c2pa.drawing'] }],
    ['adobe-20220124-XCA.jpg', { state: 'invalid', problems: ['assertion.dataHash.mismatch'] }],
    ['adobe-20220124-A.jpg', undefined],
    ['sample1.webp', undefined],
    ['libpng-test_with_url.png', { state: 'remote' }],
  ])('%s is validated as its publisher states', async (name, expected) => {
    const reading = await read(fixture(name));
    if (expected) expect(reading).toMatchObject(expected);
    else expect(reading).toBeUndefined();
    if (reading && reading.state !== 'remote')
      expect(await c2paProblems(fixture(name))).toEqual(reading.problems);
  });

  test('a file changed outside the manifest is never valid, and corruption never causes a crash', async () => {
    const whole = fixture('adobe-20220124-C.jpg');
    const states = new Set<string | undefined>();
    for (let at = 100; at < whole.length; at += 1997) {
      const changed = Buffer.from(whole);
      changed[at]! ^= 0x10;
      const reading = await read(changed);
      states.add(reading?.state);
      // The manifest is in bytes 20 to 51150 (see its data hash).
      if (at >= 51_150) expect([at, reading?.state]).toEqual([at, 'invalid']);
    }
    // Assertions and claim. The certificates, time stamp and padding after them are not signed.
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
  });

  test('the previous manifest of a file is kept as an ingredient', needs('OpenSSL'), async () => {
    const before = fixture('adobe-20220124-C.jpg');
    const { bytes } = infuse({ bytes: before, fields: { title: 'Sea' } });
    const { bytes: signed } = await openManifests(developmentCertificate()).sign!(
      { bytes, before, type: 'image/jpeg', title: 'Sea' },
      control,
    );
    expect(await read(signed)).toMatchObject({ state: 'valid', title: 'Sea' });
    expect(Buffer.from(signed).includes('contentauth:urn:uuid:4d971750-1db4-4492-a87c-5c3e7ed33efc')).toBe(
      true,
    );
  });
});
