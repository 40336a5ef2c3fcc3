/**
 * `npm run build`: the service as one file for machines like this one, in `dist/` or the folder that is named: sources without their types,
 * all packages they need in the versions tested, and the Node they run on. `npm install` takes it without a registry
 * (docs/decisions/0044-installation-and-packages.md). Beside it the same as an MCP bundle for programs such as Claude Desktop, and the entry of the
 * MCP registry that names it (docs/decisions/0003-mcp.md); a bill of materials; and checksums, signed where RELEASE_KEY names a key.
 */
import { execFileSync } from 'node:child_process';
import { cpSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { billOfMaterials } from './package/bill_of_materials.ts';
import { bundleManifest, registryEntry } from './package/bundle_manifest.ts';
import { copyPackages } from './package/copy_packages.ts';
import { javascriptName, javascriptOf } from './package/javascript_of.ts';
import { sha256Of, writeChecksums } from './package/write_checksums.ts';
import { writeZip } from './package/write_zip.ts';

const ROOT = resolve(import.meta.dirname, '..');
const OUT = resolve(process.argv[2] ?? join(ROOT, 'dist'));
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
  const file = `atelier-${manifest.version}-${process.platform}-${process.arch}.tgz`;
  const { sbom, licences } = billOfMaterials(manifest, place);
  writeFileSync(join(place, 'sbom.cdx.json'), sbom);
  writeFileSync(join(place, 'LICENCES_OF_PACKAGES.txt'), licences);
  writeFileSync(join(OUT, file.replace(/tgz$/, 'sbom.cdx.json')), sbom);
  execFileSync('tar', ['-czf', join(OUT, file), '-C', folder, 'package']);
  const bundle = file.replace(/tgz$/, 'mcpb');
  writeBundle(place, manifest, bundle);
  const made = [file, bundle, file.replace(/tgz$/, 'sbom.cdx.json'), 'server.json'];
  for (const name of [...made, ...writeChecksums(OUT, made, process.env.RELEASE_KEY)])
    console.log(join(OUT, name));
} finally {
  rmSync(folder, { recursive: true, force: true });
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
  const { name, version, description, license, type, engines, bin, scripts } = JSON.parse(
    readFileSync(join(ROOT, 'package.json'), 'utf8'),
  ) as Parameters<typeof bundleManifest>[0] & Record<string, string> & { scripts: Record<string, string> };
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
    scripts: { postinstall: scripts.prepare },
    dependencies,
    bundleDependencies: true,
  };
}
