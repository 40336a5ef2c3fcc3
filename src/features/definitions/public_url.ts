import ipaddr from 'ipaddr.js';
import { URL_CHARACTERS_MAX } from '../../config/limits.ts';

/** What a URL that others will open has to be; for the message after "must be". */
export const PUBLIC_URL_RULE =
  'an https URL of a public host, without user name or password, of at most 2048 characters';

/**
 * The URL in normal form, or undefined where it does not follow the rule. Judged by its text alone: a public name may
 * still lead to a private address, so the address has to be checked again when it is opened.
 */
export function publicUrl(text: string): string | undefined {
  if (text.length > URL_CHARACTERS_MAX || !URL.canParse(text)) return undefined;
  const url = new URL(text);
  const isPlain = url.protocol === 'https:' && url.username === '' && url.password === '';
  return isPlain && isPublicHost(url.hostname) && url.href.length <= URL_CHARACTERS_MAX
    ? url.href
    : undefined;
}

/** Names that never leave a machine or a house (RFC 6761, RFC 6762, RFC 8375 and common practice). */
const PRIVATE_ENDINGS = /(^|\.)(localhost|local|localdomain|internal|intranet|lan|home|corp|home\.arpa)$/;

/** `hostname` as URL gives it: lower case, decimal and octal IPv4 forms already turned into dotted ones. */
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
