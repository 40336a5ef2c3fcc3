import { createPublicKey, generateKeyPairSync, verify } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { billOfMaterials } from '../scripts/package/bill_of_materials.ts';
import { writeChecksums } from '../scripts/package/write_checksums.ts';

const folder = mkdtempSync(join(tmpdir(), 'atelier-release-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const program = { name: 'atelier', version: '1.0.0', license: 'Apache-2.0' };

function install(place: string, manifest: object): void {
  mkdirSync(join(folder, place), { recursive: true });
  writeFileSync(join(folder, place, 'package.json'), JSON.stringify(manifest));
}

test('the bill of materials lists packages at every depth, with their licences', () => {
  install('node_modules/@a/b', { name: '@a/b', version: '2.0.0', license: 'MIT' });
  install('node_modules/@a/b/node_modules/c', { name: 'c', version: '3.0.0', licenses: [{ type: 'ISC' }] });
  writeFileSync(join(folder, 'node_modules/@a/b/LICENSE'), 'Permission is hereby granted');
  const { sbom, licences } = billOfMaterials(program, folder);
  const listed = JSON.parse(sbom).components.map(({ purl }: { purl: string }) => purl);
  expect(listed).toEqual(['pkg:npm/%40a/b@2.0.0', 'pkg:npm/c@3.0.0']);
  expect(licences).toContain('@a/b 2.0.0 (MIT)\n\nPermission is hereby granted');
});

test('a package without a licence is not shipped', () => {
  install('other/node_modules/d', { name: 'd', version: '1.0.0' });
  expect(() => billOfMaterials(program, join(folder, 'other'))).toThrow('d 1.0.0 states no licence.');
});

test('checksums are signed by the key that is named', () => {
  const { privateKey } = generateKeyPairSync('ed25519');
  writeFileSync(join(folder, 'key.pem'), privateKey.export({ type: 'pkcs8', format: 'pem' }));
  writeFileSync(join(folder, 'a.tgz'), 'a');
  writeChecksums(folder, ['a.tgz'], join(folder, 'key.pem'));
  const [sums, signature] = ['SHA256SUMS', 'SHA256SUMS.sig'].map((name) => readFileSync(join(folder, name)));
  const key = createPublicKey(readFileSync(join(folder, 'SHA256SUMS.pem')));
  expect(sums!.toString()).toMatch(/^ca978112ca1bbdcafac231b39a23dc4d[0-9a-f]{32} {2}a\.tgz\n$/);
  expect(verify(null, sums!, key, signature!)).toBe(true);
});
