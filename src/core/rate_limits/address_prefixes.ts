import { isIPv4 } from 'node:net';
import ipaddr from 'ipaddr.js';

/** Prefix lengths of IPv6 networks, smallest network first: a link, a home, a site (RFC 6177). */
const IPV6_PREFIX_BITS = [64, 56, 48] as const;

/**
 * The address in canonical text and, for IPv6, the networks /64, /56 and /48 that contain it, in CIDR text: a customer holds at least
 * a /64, so an IPv6 address alone identifies no client. IPv4 and loopback have no prefixes, because a NAT puts unrelated customers behind
 * one IPv4 address already and a /24 holds unrelated customers. IPv4-mapped IPv6 (`::ffff:203.0.113.5`) counts as IPv4. Text that is not
 * an address is returned unchanged.
 */
export function addressPrefixes(address: string): string[] {
  if (isIPv4(address) || !ipaddr.isValid(address)) return [address];
  const parsed = ipaddr.process(address);
  if (parsed.kind() === 'ipv4' || parsed.range() === 'loopback') return [parsed.toString()];
  const bytes = parsed.toByteArray();
  const networks = IPV6_PREFIX_BITS.map((bits) => `${networkOf(bytes, bits)}/${bits}`);
  return [new ipaddr.IPv6(bytes).toString(), ...networks];
}

const networkOf = (bytes: readonly number[], bits: number): string =>
  new ipaddr.IPv6(bytes.map((byte, index) => (index < bits / 8 ? byte : 0))).toString();
