import { isIP } from 'node:net';
import { URL_CHARACTERS_MAX } from '../../config/limits.ts';
import { type AtelierError, invalidField } from '../errors/atelier_error.ts';
import type { Reach } from './reach.ts';
import type { ResolvedAddress } from './types.ts';

/** A checked URL and its resolved addresses. Connecting to another address would bypass the check. */
export interface Route {
  readonly url: URL;
  readonly addresses: readonly ResolvedAddress[];
}

/**
 * Checks the URL without the network. The parser normalises decimal, octal, hex and full-width hosts to plain addresses.
 * @throws AtelierError invalid_input
 */
function checkUrl(reach: Reach, text: string, field: string): URL {
  if (text.length > URL_CHARACTERS_MAX) {
    throw invalidField(field, `The URL in ${field} is longer than ${URL_CHARACTERS_MAX} characters.`);
  }
  const url = URL.parse(text);
  if (!url) throw invalidField(field, `${field} is not a valid URL. Send https://host/path.`);
  if (!reach.schemes.includes(url.protocol)) {
    throw invalidField(field, `${field} must start with https:// (not ${url.protocol}).`);
  }
  if (url.username || url.password) {
    throw invalidField(field, `The URL in ${field} contains a user name or password. Remove them.`);
  }
  if (reach.ports && !reach.ports.includes(url.port)) {
    throw invalidField(
      field,
      `The URL in ${field} uses port ${url.port}. Only ports 443 and 8443 are allowed.`,
    );
  }
  const host = bareHost(url);
  if (isIP(host) ? !reach.allows(host) : reach.allowsName?.(host) === false) throw notPublic(field);
  url.hash = '';
  return url;
}

/**
 * Resolves the host. One private address among public ones is enough to refuse. The caller connects to `addresses` without another
 * DNS query, whose result could differ.
 * @throws AtelierError invalid_input for the URL text alone
 * @throws Unreachable for unresolvable and for private names alike: a difference would reveal the private network
 */
export async function openRoute(reach: Reach, text: string, field: string): Promise<Route> {
  const url = checkUrl(reach, text, field);
  const host = bareHost(url);
  const family = isIP(host);
  const addresses = family ? [{ address: host, family }] : await resolveHost(reach, host);
  if (!addresses.every(({ address }) => reach.allows(address))) throw new Unreachable();
  return { url, addresses };
}

async function resolveHost(reach: Reach, host: string): Promise<readonly ResolvedAddress[]> {
  const addresses = await reach.resolve(host).catch(() => []);
  if (addresses.length > 0) return addresses;
  throw new Unresolved();
}

/** The URL is unreachable, for any reason. */
export class Unreachable extends Error {}
/** Its name has no address here. */
export class Unresolved extends Unreachable {}

const bareHost = (url: URL): string => url.hostname.replace(/^\[|\]$/g, '');

const notPublic = (field: string): AtelierError =>
  invalidField(
    field,
    `The URL in ${field} is not on the public internet, so it is not fetched. Upload the file instead.`,
  );
