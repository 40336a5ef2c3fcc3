import { Agent as HttpAgent, type IncomingMessage, request as requestHttp } from 'node:http';
import { Agent as HttpsAgent, request as requestHttps } from 'node:https';
import { Readable } from 'node:stream';
import { ownProxies } from '../../config/config.ts';
import type { Proxies } from '../../config/npm_config.ts';
import { followOutward } from './follow_outward.ts';

interface Tls {
  /** Certificate authorities in PEM, replacing those of Node. */
  readonly ca?: string;
  /** False: certificates are not verified. */
  readonly rejectUnauthorized?: boolean;
}

/**
 * `fetch` for plain downloads (GET and HEAD) through the operator's proxies, which Node's own `fetch` does not support. Redirects are left
 * to the caller, and bodies are passed through unchanged: no content encoding is requested.
 */
export function fetchByProxy({ https, http, no }: Proxies, tls: Tls = {}): typeof fetch {
  const proxyEnv = { HTTPS_PROXY: https, HTTP_PROXY: http, NO_PROXY: no };
  const agents = { http: new HttpAgent({ proxyEnv }), https: new HttpsAgent({ proxyEnv, ...tls }) };
  return async (input, init) => {
    const url = new URL(String(input));
    const isSecure = url.protocol === 'https:';
    const options = {
      method: init?.method ?? 'GET',
      headers: Object.fromEntries(new Headers(init?.headers)),
      agent: isSecure ? agents.https : agents.http,
      signal: init?.signal ?? undefined,
    };
    return new Promise((resolve, reject) => {
      // An invalid response rejects the promise.
      const onResponse = (response: IncomingMessage) => resolve(Promise.resolve(response).then(toResponse));
      const request = isSecure
        ? requestHttps(url, options, onResponse)
        : requestHttp(url, options, onResponse);
      request.once('error', reject).end();
    });
  };
}

/** Response headers that a download uses. */
const HEADERS = [
  'content-type',
  'content-length',
  'content-range',
  'content-encoding',
  'location',
  'etag',
  'last-modified',
  'retry-after',
];
/** Statuses without a body (Fetch Standard). */
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

/**
 * `fetch` for files of museums and model publishers: through HTTPS_PROXY and HTTP_PROXY if they are set; redirects may only lead to the
 * public internet.
 */
export function fetchPublished(): typeof fetch {
  const proxies = ownProxies();
  const isByProxy = proxies.https !== undefined || proxies.http !== undefined;
  return isByProxy ? followOutward(fetchByProxy(proxies), { isByProxy }) : followOutward(fetch);
}
