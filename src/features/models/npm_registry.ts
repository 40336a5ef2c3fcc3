import { get as getHttp, Agent as HttpAgent, type IncomingMessage } from 'node:http';
import { get as getHttps, Agent as HttpsAgent } from 'node:https';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import type { NpmConfig } from '../../config/npm_config.ts';
import { followOutward } from '../../core/outbound_http/follow_outward.ts';
import { isWhole } from './download.ts';
import type { NpmPackage } from './manifest.ts';

/** Where packages come from on this machine, as its npm is configured. */
export interface NpmRegistry {
  /** With the credentials, the proxy and the certificate authorities of npm. */
  readonly fetch: typeof fetch;
  /** Address of a tarball, as every registry has it. */
  tarballUrl(wanted: NpmPackage): string;
  /** The tarball where npm's own cache has it: a path, checked. */
  cached(wanted: NpmPackage): Promise<string | undefined>;
}

/** The checksum of a tarball, in base64. */
export const sha512Of = ({ integrity }: NpmPackage): string => integrity.replace(/^sha512-/, '');

/** Packages through npm's configuration; npm itself need not be installed, and no package is ever unpacked or run. */
export const createNpmRegistry = (config: NpmConfig): NpmRegistry => ({
  fetch: followOutward(fetchAsNpm(config)),
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

/** `fetch` for plain downloads; redirects are left to the caller, and credentials go to the addresses npm has them for. */
function fetchAsNpm({ authorizationFor, proxy, ca, isTlsStrict, isOffline }: NpmConfig): typeof fetch {
  const proxyEnv = { HTTPS_PROXY: proxy.https, HTTP_PROXY: proxy.http, NO_PROXY: proxy.no };
  const tls =
    ca === undefined ? { rejectUnauthorized: isTlsStrict } : { rejectUnauthorized: isTlsStrict, ca };
  const agents = { http: new HttpAgent({ proxyEnv }), https: new HttpsAgent({ proxyEnv, ...tls }) };
  return async (input, init) => {
    if (isOffline) throw new Error('npm is configured to stay offline');
    const url = new URL(String(input));
    const headers = new Headers(init?.headers);
    const authorization = authorizationFor(url.href);
    if (authorization !== undefined) headers.set('Authorization', authorization);
    const isSecure = url.protocol === 'https:';
    const options = {
      headers: Object.fromEntries(headers),
      agent: isSecure ? agents.https : agents.http,
      signal: init?.signal ?? undefined,
    };
    return new Promise((resolve, reject) => {
      // An answer that makes no response rejects the promise.
      const onResponse = (response: IncomingMessage) => resolve(Promise.resolve(response).then(toResponse));
      const request = isSecure ? getHttps(url, options, onResponse) : getHttp(url, options, onResponse);
      request.once('error', reject);
    });
  };
}

/** What a download looks at. */
const HEADERS = ['content-type', 'content-length', 'content-range', 'content-encoding', 'location'];
/** Statuses that have no body (Fetch Standard). */
const WITHOUT_BODY: readonly number[] = [204, 205, 304];

function toResponse(response: IncomingMessage): Response {
  const status = response.statusCode ?? 502;
  const headers = new Headers();
  for (const name of HEADERS) {
    const value = response.headers[name];
    if (typeof value === 'string') headers.set(name, value);
  }
  if (WITHOUT_BODY.includes(status)) {
    response.resume();
    return new Response(null, { status, headers });
  }
  return new Response(Readable.toWeb(response) as ReadableStream<Uint8Array>, { status, headers });
}
