import { createPublicKey, generateKeyPairSync, verify } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { billOfMaterials } from '../scripts/package/bill_of_materials.ts';
import { bundleManifest, registryEntry } from '../scripts/package/bundle_manifest.ts';
import { writeChecksums } from '../scripts/package/write_checksums.ts';

const folder = mkdtempSync(join(tmpdir(), 'atelier-release-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const ROOT = join(import.meta.dirname, '..');
const program = { name: 'atelier', version: '1.0.0', license: 'Apache-2.0' };

function install(place: string, manifest: object): void {
  mkdirSync(join(folder, place), { recursive: true });
  writeFileSync(join(folder, place, 'package.json'), JSON.stringify(manifest));
}

test('the bill of materials lists packages at every depth, with their licences', () => {
  install('node_modules/@a/b', { name: '@a/b', version: '2.0.0', license: 'MIT' });
  install('node_modules/@a/b/node_modules/c', { name: 'c', version: '3.0.0', licenses: [{ type: 'ISC' }] });
  writeFileSync(join(folder, 'node_modules/@a/b/LICENSE'), 'Permission is hereby granted');
  const { sbom, licences } = billOfMaterials(program, folder, ROOT);
  const listed = JSON.parse(sbom).components.map(({ purl }: { purl: string }) => purl);
  expect(listed).toEqual(['pkg:npm/%40a/b@2.0.0', 'pkg:npm/c@3.0.0']);
  expect(licences).toContain('@a/b 2.0.0 (MIT)\n\nPermission is hereby granted');
  expect(licences).toContain('c 3.0.0 (ISC)\n\nCopyright the authors of c\n\nPermission to use');
  expect(licences).toContain('This product includes four networks');
});

test('a package without a licence is not shipped', () => {
  install('other/node_modules/d', { name: 'd', version: '1.0.0' });
  expect(() => billOfMaterials(program, join(folder, 'other'), ROOT)).toThrow('d 1.0.0 states no licence.');
});

test('the entry of the registry, the MCP bundle and package.json say the same', () => {
  const read = (name: string) => JSON.parse(readFileSync(join(ROOT, name), 'utf8'));
  const [server, packageJson] = [read('server.json'), read('package.json')];
  const bundle = bundleManifest(packageJson);
  const { name, version, description } = packageJson;
  expect(bundle).toMatchObject({ name, version, description, display_name: server.title });
  expect(server).toMatchObject({ name: expect.stringMatching(`/${name}$`), version, description });
  expect([bundle.server.entry_point, bundle.server.mcp_config.args[0]]).toEqual([
    packageJson.bin.atelier,
    `\${__dirname}/${packageJson.bin.atelier}`,
  ]);
  const { packages } = registryEntry(server, { file: `${name}-${version}.mcpb`, sha256: 'ab' });
  expect(packages[0]!.identifier).toContain(`/v${version}/${name}-${version}.mcpb`);
});

test('every package, manifest and guide names one version', () => {
  const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
  const places: Record<string, RegExp> = {
    'package-lock.json': /^ {2}"version": "(.*)"/m,
    'packages/client/package.json': /"version": "(.*)"/,
    'packages/imaging/package.json': /"version": "(.*)"/,
    'packages/python/pyproject.toml': /^version = "(.*)"/m,
    'deploy/kubernetes/kustomization.yaml': /newTag: (.*)/,
    'docs/guides/command_line.md': /atelier-([\d.]+)-linux/,
    'docs/guides/agents_on_this_machine.md': /atelier-([\d.]+)-linux/,
    'docs/operating/first_hour.md': /atelier-([\d.]+)-linux/,
    'docs/operating/upgrade.md': /atelier-([\d.]+)-linux/,
  };
  const named = Object.entries(places).map(([file, version]) => [
    file,
    version.exec(readFileSync(join(ROOT, file), 'utf8'))?.[1],
  ]);
  expect(named).toEqual(Object.keys(places).map((file) => [file, version]));
});

test('a package with neither a licence text nor a licence whose text is known is not shipped', () => {
  install('unknown/node_modules/e', { name: 'e', version: '1.0.0', license: 'SEE ELSEWHERE' });
  expect(() => billOfMaterials(program, join(folder, 'unknown'), ROOT)).toThrow('e has no licence text');
});

test('without a key no signature is left, and a key of another kind is refused', () => {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  writeFileSync(join(folder, 'rsa.pem'), privateKey.export({ type: 'pkcs8', format: 'pem' }));
  for (const name of ['b.tgz', 'SHA256SUMS.sig', 'SHA256SUMS.pem']) writeFileSync(join(folder, name), 'b');
  expect(writeChecksums(folder, ['b.tgz'])).toEqual(['SHA256SUMS']);
  expect(existsSync(join(folder, 'SHA256SUMS.sig'))).toBe(false);
  expect(() => writeChecksums(folder, ['b.tgz'], join(folder, 'rsa.pem'))).toThrow('is a key for rsa');
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
