/**
 * Adds the optional packages of other platforms to package-lock.json. npm leaves out those a registry mirror lacks, and
 * then `npm ci` fails with "Missing … from lock file" and the lock serves one platform only. Removes `engines`: packages run on the
 * Node that is installed with them, and npm would print 150 warnings that its own is older. `--check` changes nothing.
 */
import { readFileSync, writeFileSync } from 'node:fs';

interface Entry {
  version?: string;
  dev?: boolean;
  optionalDependencies?: Record<string, string>;
  engines?: Record<string, string>;
}

const LOCK = new URL('../package-lock.json', import.meta.url);
const OPERATING_SYSTEMS = [
  'darwin',
  'win32',
  'android',
  'freebsd',
  'openbsd',
  'netbsd',
  'openharmony',
  'linux',
  'aix',
  'sunos',
];
const PROCESSORS = [
  'arm64',
  'x64',
  'ia32',
  'ppc64',
  'riscv64',
  's390x',
  'wasm32',
  'loong64',
  'mips64el',
  'arm',
];

const lock = JSON.parse(readFileSync(LOCK, 'utf8')) as { packages: Record<string, Entry> };
const missing = Object.entries(lock.packages).flatMap(([path, entry]) =>
  Object.entries(entry.optionalDependencies ?? {})
    .filter(
      ([name]) => !lock.packages[`${path}/node_modules/${name}`] && !lock.packages[`node_modules/${name}`],
    )
    .map(([name, range]) => ({ name, version: range.replace(/^[\^~]/, ''), dev: entry.dev })),
);

/** Packages of this project list their own dependencies. */
const withEngines = Object.entries(lock.packages).filter(
  ([path, { engines }]) => path.includes('node_modules/') && engines,
);

if (process.argv.includes('--check')) {
  if (missing.length > 0 || withEngines.length > 0) {
    console.error(
      `package-lock.json lacks ${missing.length} optional packages, and has engines for ${withEngines.length}. Run: node scripts/complete_lock.ts`,
    );
    process.exit(1);
  }
} else {
  for (const { name, version, dev } of missing) {
    lock.packages[`node_modules/${name}`] = {
      version,
      ...(dev && { dev }),
      optional: true,
      ...platformOf(name),
    } as Entry;
  }
  for (const [, entry] of withEngines) delete entry.engines;
  const sorted = Object.fromEntries(Object.entries(lock.packages).sort(([a], [b]) => (a < b ? -1 : 1)));
  writeFileSync(LOCK, `${JSON.stringify({ ...lock, packages: sorted }, null, 2)}\n`);
  console.log(`added ${missing.length} entries, removed engines from ${withEngines.length}`);
}

/** Guesses `os`, `cpu` and `libc` from a package name such as @biomejs/cli-linux-x64-musl. */
function platformOf(name: string): Record<string, string[]> {
  const os = OPERATING_SYSTEMS.find((system) => name.includes(system));
  const cpu = PROCESSORS.find((processor) => name.includes(processor));
  const libc = name.includes('musl') ? 'musl' : name.includes('gnu') ? 'glibc' : undefined;
  return { ...(os && { os: [os] }), ...(cpu && { cpu: [cpu] }), ...(libc && { libc: [libc] }) };
}
