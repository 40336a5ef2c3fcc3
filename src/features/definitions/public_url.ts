import ipaddr from 'ipaddr.js';
import { URL_CHARACTERS_MAX } from '../../config/limits.ts';

/** Requirements for a URL that others will open; for messages after "must be". */
export const PUBLIC_URL_RULE =
  'an https URL of a public host, without user name or password, of at most 2048 characters';

/**
 * Normalises a URL; undefined where it violates `PUBLIC_URL_RULE`. Checks only the text: a public name may resolve to a private
 * address, so the address must be checked again when the URL is opened.
 */
export function publicUrl(text: string): string | undefined {
  if (text.length > URL_CHARACTERS_MAX || !URL.canParse(text)) return undefined;
  const url = new URL(text);
  const isPlain = url.protocol === 'https:' && url.username === '' && url.password === '';
  return isPlain && isPublicHost(url.hostname) && url.href.length <= URL_CHARACTERS_MAX
    ? url.href
    : undefined;
}

/** Names of local networks (RFC 6761, RFC 6762, RFC 8375 and common practice). */
const PRIVATE_ENDINGS = /(^|\.)(localhost|local|localdomain|internal|intranet|lan|home|corp|home\.arpa)$/;

/** @param hostname as normalised by URL: lower case, with decimal and octal IPv4 forms in dotted notation */
function isPublicHost(hostname: string): boolean {
  const host = hostname.replace(/\.$/, '').replace(/^\[|\]$/g, '');
  if (ipaddr.isValid(host)) return isPublicAddress(host);
  return host.includes('.') && !PRIVATE_ENDINGS.test(host);
}

function isPublicAddress(host: string): boolean {
  const address = ipaddr.process(host);
  const isIsatap = address.kind() === 'ipv6' && /:0?:?5efe:|:200:5efe:/.test(address.toNormalizedString());
  return address.range() === 'unicast' && !isIsatap;
}
