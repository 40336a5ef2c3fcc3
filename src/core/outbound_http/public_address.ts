import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';
import type { Config } from '../../config/config.ts';

/** 2000::/3 is the only public IPv6 space assigned so far; all else is an older or private network. */
const GLOBAL_IPV6 = ipaddr.IPv6.parse('2000::');

/**
 * True for a unicast address on the public internet. Addresses that embed an IPv4 address (mapped, compatible, translated, 6to4,
 * NAT64, Teredo, ISATAP) are refused: no public server needs one.
 */
export function isPublicAddress(text: string): boolean {
  // Stricter than ipaddr.js, which also accepts 1.2.3 and zones.
  if (!isIP(text) || text.includes('%')) return false;
  const address = ipaddr.parse(text);
  if (address.range() !== 'unicast') return false;
  if (address.kind() === 'ipv4') return true;
  const ipv6 = address as ipaddr.IPv6;
  return ipv6.match(GLOBAL_IPV6, 3) && !isIsatap(ipv6);
}

/** RFC 5214 section 6.1: an interface identifier of 0000:5efe or 0200:5efe, then the IPv4 address. */
const isIsatap = ({ parts }: ipaddr.IPv6): boolean => (parts[4]! & ~0x0200) === 0 && parts[5] === 0x5efe;

/** Host names that are local by definition (RFC 6761, RFC 6762, RFC 8375 and common practice). */
export const isLocalName = (hostname: string): boolean =>
  !/[^.]\.[^.]/.test(hostname) ||
  /\.(localhost|local|localdomain|internal|intranet|lan|home|corp|home\.arpa)\.?$/i.test(hostname);

type Addresses = Pick<Config, 'HOST' | 'PUBLIC_URL'>;

/** Whether the server is reachable from this machine only, as far as the settings tell. */
export const isOnThisMachine = ({ HOST, PUBLIC_URL }: Addresses): boolean =>
  isLoopback(HOST) && (PUBLIC_URL === undefined || isLoopback(hostOf(PUBLIC_URL)));

/**
 * Whether the server is meant for a private network: PUBLIC_URL, else HOST, is not a public name or address. `0.0.0.0` without
 * PUBLIC_URL has no public URL.
 */
export const isPrivate = ({ HOST, PUBLIC_URL }: Addresses): boolean =>
  isPrivateHost(PUBLIC_URL === undefined ? HOST : hostOf(PUBLIC_URL));

const hostOf = (url: string): string => new URL(url).hostname.replace(/^\[|\]$/g, '');

const isLoopback = (host: string): boolean =>
  /^(.+\.)?localhost$/i.test(host) || (ipaddr.isValid(host) && ipaddr.process(host).range() === 'loopback');

function isPrivateHost(host: string): boolean {
  if (ipaddr.isValid(host)) return ipaddr.process(host).range() !== 'unicast';
  return isLocalName(host);
}
