import { isIP } from 'node:net';
import { URL_CHARACTERS_MAX } from '../../config/limits.ts';
import { type AtelierError, invalidField } from '../errors/atelier_error.ts';
import type { Reach } from './reach.ts';
import type { ResolvedAddress } from './types.ts';

/** A checked address and the machines it may be fetched from. Connecting anywhere else would undo the check. */
export interface Route {
  readonly url: URL;
  readonly addresses: readonly ResolvedAddress[];
}

/**
 * Checks everything that can be seen without asking the network. The parser turns decimal, octal, hex and full-width
 * hosts into plain addresses, so there is one form to check.
 * @throws AtelierError invalid_input
 */
function checkUrl(reach: Reach, text: string, field: string): URL {
  if (text.length > URL_CHARACTERS_MAX) {
    throw invalidField(field, `The address in ${field} is longer than ${URL_CHARACTERS_MAX} characters.`);
  }
  const url = URL.parse(text);
  if (!url) throw invalidField(field, `${field} is not an address. Send https://host/path.`);
  if (!reach.schemes.includes(url.protocol)) {
    throw invalidField(field, `${field} must start with https:// (not ${url.protocol}).`);
  }
  if (url.username || url.password) {
    throw invalidField(field, `The address in ${field} holds a user name or password. Send it without.`);
  }
  if (reach.ports && !reach.ports.includes(url.port)) {
    throw invalidField(
      field,
      `The address in ${field} names port ${url.port}. Only ports 443 and 8443 are fetched from.`,
    );
  }
  const host = bareHost(url);
  if (isIP(host) ? !reach.allows(host) : reach.allowsName?.(host) === false) throw notPublic(field);
  url.hash = '';
  return url;
}

/**
 * Finds out where the address leads. One private answer among public ones is enough to refuse.
 * The caller connects to `addresses` and does not ask DNS again: a second answer could be another one.
 * @throws AtelierError invalid_input for what the text alone tells
 * @throws Unreachable for a name that leads nowhere and for one that leads inside alike: which of them would map a private network
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
  throw new Unreachable();
}

/** Nothing can be fetched there, for whatever reason. */
export class Unreachable extends Error {}

const bareHost = (url: URL): string => url.hostname.replace(/^\[|\]$/g, '');

const notPublic = (field: string): AtelierError =>
  invalidField(
    field,
    `The address in ${field} does not lead to the public internet, so it is not fetched. Send the bytes themselves.`,
  );
