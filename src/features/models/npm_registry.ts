import { join } from 'node:path';
import type { NpmConfig } from '../../config/npm_config.ts';
import { fetchByProxy } from '../../core/outbound_http/fetch_by_proxy.ts';
import { followOutward } from '../../core/outbound_http/follow_outward.ts';
import { isWhole } from './download.ts';
import type { NpmPackage } from './manifest.ts';

/** Package source of this machine, by its npm configuration. */
export interface NpmRegistry {
  /** With the credentials, the proxy and the certificate authorities of npm. */
  readonly fetch: typeof fetch;
  /** URL of a tarball. */
  tarballUrl(wanted: NpmPackage): string;
  /** Verified path of the tarball in the cache of npm, if it is there. */
  cached(wanted: NpmPackage): Promise<string | undefined>;
}

/** The checksum of a tarball, in base64. */
export const sha512Of = ({ integrity }: NpmPackage): string => integrity.replace(/^sha512-/, '');

/** Packages by the configuration of npm. npm need not be installed, and packages are neither installed nor run. */
export const createNpmRegistry = (config: NpmConfig): NpmRegistry => ({
  fetch: followOutward(fetchAsNpm(config), { isByProxy: Boolean(config.proxy.https ?? config.proxy.http) }),
  tarballUrl({ name, version }) {
    const file = `${name.split('/').at(-1)}-${version}.tgz`;
    return `${config.registryOf(name)}/${name}/-/${file}`;
  },
  async cached(wanted) {
    const sha512 = sha512Of(wanted);
    const hex = Buffer.from(sha512, 'base64').toString('hex');
    // https://github.com/npm/cacache: content by its checksum.
    const content = join('_cacache/content-v2/sha512', hex.slice(0, 2), hex.slice(2, 4), hex.slice(4));
    const path = join(config.cache, content);
    return (await isWhole(path, { bytes: wanted.bytes, sha512 })) ? path : undefined;
  },
});

/** Sends credentials only to the hosts for which npm has them. */
function fetchAsNpm({ authorizationFor, proxy, ca, isTlsStrict, isOffline }: NpmConfig): typeof fetch {
  const byProxy = fetchByProxy(proxy, { rejectUnauthorized: isTlsStrict, ...(ca !== undefined && { ca }) });
  return async (input, init) => {
    if (isOffline) throw new Error('npm is configured to stay offline');
    const headers = new Headers(init?.headers);
    const authorization = authorizationFor(String(input));
    if (authorization !== undefined) headers.set('Authorization', authorization);
    return byProxy(input, { ...init, headers });
  };
}
