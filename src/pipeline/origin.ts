import { isIP } from 'node:net';

const LOCAL_NAMES = new Set(['localhost', '127.0.0.1', '[::1]']);

/** What this server calls itself, and whose pages the operator has let in. */
export interface KnownOrigins {
  readonly publicUrl: string;
  readonly allowedOrigins: readonly string[];
}

/**
 * Whether a page of this origin may call here. A page that rebinds its own name to this server still sends that name
 * as Origin, so a name in the Host header is never taken as proof. Requests without Origin do not come from a page.
 * @param host the Host header: an address, unlike a name, cannot be rebound, so a page of that very address is ours
 */
export function mayCall(
  origin: string | null,
  { publicUrl, allowedOrigins }: KnownOrigins,
  host: string | null = null,
): boolean {
  if (origin === null) return true;
  if (!URL.canParse(origin)) return false;
  const { origin: wanted, hostname, host: from } = new URL(origin);
  return (
    LOCAL_NAMES.has(hostname) ||
    (isAddress(hostname) && from === host) ||
    [publicUrl, ...allowedOrigins].some((known) => sameOrigin(known, wanted))
  );
}

/**
 * Whether a Host header is a name of ours. To be asked of a server on loopback: a page whose name was rebound to 127.0.0.1 is of
 * the same origin as far as its browser knows, and only this header still tells.
 */
export function isOurHost(host: string | null, { publicUrl, allowedOrigins }: KnownOrigins): boolean {
  if (host === null) return true;
  if (!URL.canParse(`http://${host}`)) return false;
  const { hostname } = new URL(`http://${host}`);
  if (isAddress(hostname) || /^(.+\.)?localhost$/.test(hostname)) return true;
  return [publicUrl, ...allowedOrigins].some(
    (known) => URL.canParse(known) && new URL(known).hostname === hostname,
  );
}

const sameOrigin = (known: string, origin: string): boolean =>
  URL.canParse(known) && new URL(known).origin === origin;

const isAddress = (hostname: string): boolean => isIP(hostname.replace(/^\[|\]$/g, '')) > 0;
