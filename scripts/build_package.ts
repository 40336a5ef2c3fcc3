/**
 * `npm run build`: builds the release for the platform of this machine, in `dist/` or the given folder. The release file has the sources without
 * types and all packages in the tested versions, so that `npm install` needs no registry (docs/decisions/0044-installation-and-packages.md). Also
 * written: Node, for machines with an older version; an MCP bundle with Node for programs such as Claude Desktop, and its MCP registry entry
 * (docs/decisions/0003-mcp.md); a bill of materials; the licences; and checksums, signed if RELEASE_KEY is set.
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
/** Sources are compiled to JavaScript; other files are copied. */
const SOURCES = ['bin', 'src', 'packages', 'scripts/*.mjs'];
/** Browser scripts: served from TypeScript, and imported as JavaScript by the server code that shares them. */
const FOR_BROWSERS = 'src/core/html/browser/';
/** Guides are served over MCP; the other files are for operators. */
const COPIED = ['docs', 'skills', 'deploy', 'LICENSE', 'NOTICE', '*.md', 'scripts/*.sh'];

const folder = mkdtempSync(join(tmpdir(), 'atelier-build-'));
try {
  const place = join(folder, 'package');
  writeSources(place);
  for (const name of globSync(COPIED, { cwd: ROOT }))
    cpSync(join(ROOT, name), join(place, name), { recursive: true });
  const manifest = manifestWith(copyPackages(ROOT, place));
  writeFileSync(join(place, 'package.json'), JSON.stringify(manifest, null, 2));
  // Removes types and source maps, as in an installation without development dependencies.
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
  // A host program may have an older Node and installs nothing else.
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
  if (!process.env.RELEASE_KEY) console.log('SHA256SUMS is not signed: RELEASE_KEY is not set.');
} finally {
  rmSync(folder, { recursive: true, force: true });
}

function pack(parent: string, file: string): void {
  execFileSync('tar', ['-czf', join(OUT, file), '-C', parent, 'package']);
}

/** Writes the bill of materials and the licences into the package. */
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

/** Output of `git describe`; `package` outside a Git repository. */
function commit(): string {
  const describe = ['describe', '--always', '--abbrev=12', '--exclude=*', '--dirty=+changes'];
  try {
    return execFileSync('git', describe, { cwd: ROOT, stdio: 'pipe', encoding: 'utf8' }).trim();
  } catch {
    return 'package';
  }
}

/** The package.json of the release. All packages are bundled, so that npm contacts no registry. */
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
