import { cpSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';

type Versions = Record<string, string>;
interface Entry {
  readonly version: string;
  readonly dev?: boolean;
  readonly devOptional?: boolean;
  readonly optional?: boolean;
  readonly link?: boolean;
  readonly dependencies?: Versions;
  readonly optionalDependencies?: Versions;
  readonly peerDependencies?: Versions;
}
interface Manifest {
  readonly dependencies?: Versions;
  readonly optionalDependencies?: Versions;
  readonly scripts?: Versions | undefined;
  readonly devDependencies?: Versions | undefined;
  readonly peerDependencies?: Versions | undefined;
}

/**
 * Copies the runtime packages from one folder to another, as installed, in the versions of the lock.
 * @returns name and version of the top-level packages
 * @throws Error that names a package that is not installed
 */
export function copyPackages(from: string, to: string): Versions {
  const { packages } = readJson<{ packages: Record<string, Entry> }>(join(from, 'package-lock.json'));
  const needed = neededNames(Object.values(packages));
  const copied = Object.entries(packages).filter(([path, { dev, devOptional, optional, link }]) => {
    if (!path.startsWith('node_modules/') || dev || devOptional || link) return false;
    if (!needed.has(nameOf(path))) return false;
    if (existsSync(join(from, path))) return true;
    // The lock also contains optional packages of other platforms.
    if (optional) return false;
    throw new Error(`${path} is not there. Run "npm ci" first.`);
  });
  const names = new Set(copied.map(([path]) => nameOf(path)));
  for (const [path] of copied) {
    // Nested packages have paths of their own in the lock.
    cpSync(join(from, path), join(to, path), {
      recursive: true,
      filter: (place) => basename(place) !== 'node_modules',
    });
    const manifest = join(to, path, 'package.json');
    writeFileSync(manifest, JSON.stringify(asInstalled(readJson(manifest), names), null, 2));
  }
  const top = copied.filter(([path]) => path === `node_modules/${nameOf(path)}`);
  return Object.fromEntries(top.map(([path, { version }]) => [nameOf(path), version]));
}

/**
 * Names of the dependencies of the service and, transitively, of its packages. The lock does not mark the
 * platform packages of development tools as `dev`.
 */
function neededNames(entries: readonly Entry[]): Set<string> {
  const own = entries.filter(({ dev, devOptional }) => !dev && !devOptional);
  return new Set(
    own.flatMap(({ dependencies, optionalDependencies, peerDependencies }) =>
      Object.keys({ ...dependencies, ...optionalDependencies, ...peerDependencies }),
    ),
  );
}

/**
 * The manifest of a package that is already installed: without install scripts, and without dependencies that
 * are not copied.
 */
function asInstalled(manifest: Manifest, names: ReadonlySet<string>): Manifest {
  const ofThese = (versions: Versions = {}) =>
    Object.fromEntries(Object.entries(versions).filter(([name]) => names.has(name)));
  return {
    ...manifest,
    dependencies: ofThese(manifest.dependencies),
    optionalDependencies: ofThese(manifest.optionalDependencies),
    scripts: undefined,
    devDependencies: undefined,
    peerDependencies: undefined,
  };
}

/** `node_modules/a/node_modules/@b/c` is `@b/c`. */
const nameOf = (path: string): string =>
  path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);

const readJson = <T>(file: string): T => JSON.parse(readFileSync(file, 'utf8')) as T;
