import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '../..');

/** Locations of the installed packages, by name. */
function installedPlaces(): Map<string, string[]> {
  const lock = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8')) as { packages: object };
  const places = new Map<string, string[]>();
  for (const path of Object.keys(lock.packages)) {
    const name = /^.*node_modules\/(.+)$/.exec(path)?.[1];
    if (name === undefined || !existsSync(join(ROOT, path, 'package.json'))) continue;
    places.set(name, [...(places.get(name) ?? []), join(ROOT, path)]);
  }
  return places;
}

/** A local registry with the installed packages only, so that a test needs no network. */
export async function startInstalledRegistry() {
  const places = installedPlaces();
  const tarballs = new Map<string, Buffer>();
  const requested: string[] = [];
  const server = createServer(({ url = '', headers }, response) => {
    const path = decodeURIComponent(url);
    const tarball = tarballs.get(path);
    if (tarball) return response.end(tarball);
    requested.push(path.slice(1));
    const versions = (places.get(path.slice(1)) ?? []).map((place) =>
      versionAt(place, `http://${headers.host}`),
    );
    const [newest] = versions;
    if (!newest) return response.writeHead(404).end('{}');
    return response.setHeader('Content-Type', 'application/json').end(
      JSON.stringify({
        name: newest.name,
        'dist-tags': { latest: newest.version },
        versions: Object.fromEntries(versions.map((one) => [one.version, one])),
      }),
    );
  });
  const versionAt = (place: string, base: string) => {
    const manifest = JSON.parse(readFileSync(join(place, 'package.json'), 'utf8')) as Version;
    const { name, version, scripts } = manifest;
    const path = `/${name}/-/${version}.tgz`;
    const tarball = tarballs.get(path) ?? packed(place);
    tarballs.set(path, tarball);
    const integrity = `sha512-${createHash('sha512').update(tarball).digest('base64')}`;
    const hasInstallScript = ['preinstall', 'install', 'postinstall'].some((script) => scripts?.[script]);
    return { ...manifest, hasInstallScript, dist: { tarball: base + path, integrity } };
  };
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    /** Names of the requested packages. */
    requested,
    close: () => new Promise((done) => server.close(done)),
  };
}

interface Version {
  readonly name: string;
  readonly version: string;
  readonly scripts?: Readonly<Record<string, string>>;
}

const packed = (place: string): Buffer =>
  execFileSync(
    'tar',
    ['-czf', '-', '--exclude=./node_modules', '--transform=s,^\\.,package,', '-C', place, '.'],
    { maxBuffer: 2 ** 30 },
  );
