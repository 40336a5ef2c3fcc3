/**
 * `npm run build`: the service as one file for machines like this one, in `dist/` or the folder that is named: sources without their types,
 * and all packages they need in the versions tested. `npm install` takes it without a registry
 * (docs/decisions/0044-installation-and-packages.md). Beside it the Node they run on, for machines with an older one; the same with that Node as
 * an MCP bundle for programs such as Claude Desktop, and the entry of the MCP registry that names it (docs/decisions/0003-mcp.md); a bill of
 * materials; the licences; and checksums, signed where RELEASE_KEY names a key.
 */
import { execFileSync } from 'node:child_process';
import { cpSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { billOfMaterials } from './package/bill_of_materials.ts';
import { bundleManifest, registryEntry } from './package/bundle_manifest.ts';
import { copyPackages } from './package/copy_packages.ts';
import { copyRuntime, RUNTIME_PACKAGE } from './package/copy_runtime.ts';
import { javascriptName, javascriptOf } from './package/javascript_of.ts';
import { sha256Of, writeChecksums } from './package/write_checksums.ts';
import { writeZip } from './package/write_zip.ts';

const ROOT = resolve(import.meta.dirname, '..');
const OUT = resolve(process.argv[2] ?? join(ROOT, 'dist'));
const LICENCES = 'THIRD_PARTY_LICENSES.txt';
/** Programs become JavaScript; what else lies among them is read by them. */
const SOURCES = ['bin', 'src', 'packages', 'scripts/*.mjs'];
/** Scripts of pages: served from their TypeScript, and imported as JavaScript where the server shares them. */
const FOR_BROWSERS = 'src/core/html/browser/';
/** Guides are served over MCP; the rest is for who runs it. */
const COPIED = ['docs', 'skills', 'deploy', 'LICENSE', 'NOTICE', '*.md', 'scripts/*.sh'];

const folder = mkdtempSync(join(tmpdir(), 'atelier-build-'));
try {
  const place = join(folder, 'package');
  writeSources(place);
  for (const name of globSync(COPIED, { cwd: ROOT }))
    cpSync(join(ROOT, name), join(place, name), { recursive: true });
  const manifest = manifestWith(copyPackages(ROOT, place));
  writeFileSync(join(place, 'package.json'), JSON.stringify(manifest, null, 2));
  // Takes out types and maps, as in any installation without the development dependencies.
  execFileSync(process.execPath, [join(place, 'scripts/prune_libraries.mjs')]);
  mkdirSync(OUT, { recursive: true });
  const kind = `${process.platform}-${process.arch}`;
  const release = `atelier-${manifest.version}-${kind}`;
  const { sbom, licences } = writeLists(manifest, place);
  writeFileSync(join(OUT, `${release}.sbom.cdx.json`), sbom);
  writeFileSync(join(OUT, LICENCES), licences);
  pack(folder, `${release}.tgz`);
  const runtime = join(folder, 'runtime');
  const node = `${RUNTIME_PACKAGE}-${copyRuntime(ROOT, join(runtime, 'package'))}-${kind}.tgz`;
  pack(runtime, node);
  // A host program may bring an older Node, and installs nothing beside.
  copyRuntime(ROOT, join(place, 'node_modules', RUNTIME_PACKAGE));
  writeLists(manifest, place);
  writeBundle(place, manifest, `${release}.mcpb`);
  const made = [
    `${release}.tgz`,
    node,
    `${release}.mcpb`,
    `${release}.sbom.cdx.json`,
    LICENCES,
    'server.json',
  ];
  for (const name of [...made, ...writeChecksums(OUT, made, process.env.RELEASE_KEY)])
    console.log(join(OUT, name));
  if (!process.env.RELEASE_KEY) console.log('SHA256SUMS is not signed: RELEASE_KEY names no key.');
} finally {
  rmSync(folder, { recursive: true, force: true });
}

function pack(parent: string, file: string): void {
  execFileSync('tar', ['-czf', join(OUT, file), '-C', parent, 'package']);
}

/** What is inside, with its licences, as files of the package. */
function writeLists(manifest: Parameters<typeof billOfMaterials>[0], place: string) {
  const lists = billOfMaterials(manifest, place, ROOT);
  writeFileSync(join(place, 'sbom.cdx.json'), lists.sbom);
  writeFileSync(join(place, LICENCES), lists.licences);
  return lists;
}

function writeBundle(place: string, manifest: Parameters<typeof bundleManifest>[0], file: string): void {
  writeFileSync(join(place, 'manifest.json'), JSON.stringify(bundleManifest(manifest), null, 2));
  writeZip(place, join(OUT, file));
  const sha256 = sha256Of(join(OUT, file));
  const entry = JSON.parse(readFileSync(join(ROOT, 'server.json'), 'utf8'));
  writeFileSync(join(OUT, 'server.json'), JSON.stringify(registryEntry(entry, { file, sha256 }), null, 2));
}

function writeSources(place: string): void {
  const files = globSync(
    SOURCES.map((name) => (name.includes('*') ? name : `${name}/**`)),
    {
      cwd: ROOT,
      withFileTypes: true,
      exclude: ['**/node_modules', 'packages/*/dist', '**/*.test.ts'],
    },
  )
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(ROOT.length + 1));
  const programs = new Set(files.filter((path) => /\.(ts|mjs)$/.test(path)));
  for (const path of files) {
    const bytes = readFileSync(join(ROOT, path));
    mkdirSync(join(place, dirname(path)), { recursive: true });
    if (programs.has(path))
      writeFileSync(join(place, javascriptName(path)), javascriptOf(bytes.toString(), path, programs));
    if (!programs.has(path) || path.startsWith(FOR_BROWSERS)) writeFileSync(join(place, path), bytes);
  }
}

/** What is packed, in the words of Git; `package` where it knows nothing of this folder. */
function commit(): string {
  const describe = ['describe', '--always', '--abbrev=12', '--exclude=*', '--dirty=+changes'];
  try {
    return execFileSync('git', describe, { cwd: ROOT, stdio: 'pipe', encoding: 'utf8' }).trim();
  } catch {
    return 'package';
  }
}

/** What npm reads of it. All packages are in it, so that npm asks nobody for any. */
function manifestWith(dependencies: Record<string, string>) {
  const { name, version, description, license, type, engines, bin } = JSON.parse(
    readFileSync(join(ROOT, 'package.json'), 'utf8'),
  ) as Parameters<typeof bundleManifest>[0] & Record<string, string>;
  return {
    name,
    version,
    build: commit(),
    private: true,
    description,
    license,
    type,
    engines,
    bin,
    os: [process.platform],
    cpu: [process.arch],
    scripts: { postinstall: 'node scripts/prepare_installed.mjs' },
    dependencies,
    bundleDependencies: true,
  };
}
