import { lookup, Resolver } from 'node:dns/promises';
import type { Reserve } from '../request_scope/request_scope.ts';
import { isLocalName, isPublicAddress } from './public_address.ts';
import type { ResolvedAddress } from './types.ts';

/** Timeout of the first DNS query in milliseconds; the second and last attempt waits twice as long. */
const DNS_TIMEOUT_MS = 2_000;
const DNS_TRIES = 2;

interface DnsOptions {
  /** Name servers as `address:port`; default: those of the system. */
  readonly servers?: readonly string[];
  readonly timeoutMs?: number;
}

/**
 * Resolves all addresses of a name, IPv4 first, by direct DNS queries. `dns.lookup` blocks a thread of the process until the name server
 * responds, and there are two for all names: clients could stall every other lookup with names that never resolve. The hosts file is not
 * read. A new resolver per name follows changes of the system's name servers. See docs/decisions/0019-outbound-requests.md.
 * @throws Error if the name has no address
 */
export async function resolveByDns(
  hostname: string,
  { servers, timeoutMs = DNS_TIMEOUT_MS }: DnsOptions = {},
): Promise<readonly ResolvedAddress[]> {
  const resolver = new Resolver({ timeout: timeoutMs, tries: DNS_TRIES });
  if (servers) resolver.setServers(servers);
  const [ipv4, ipv6] = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)]);
  const addresses = [...addressesIn(ipv4, 4), ...addressesIn(ipv6, 6)];
  if (addresses.length > 0) return addresses;
  throw new Error(`no IP address for ${hostname}`, {
    cause: ipv4.status === 'rejected' ? ipv4.reason : undefined,
  });
}

const addressesIn = (result: PromiseSettledResult<readonly string[]>, family: 4 | 6): ResolvedAddress[] =>
  result.status === 'fulfilled' ? result.value.map((address) => ({ address, family })) : [];

/** Allowed targets of outgoing requests. Tests define their own. */
export interface Reach {
  readonly schemes: readonly string[];
  /** Default: any port. */
  readonly ports?: readonly string[];
  allows(address: string): boolean;
  /** Default: any name. Checked before DNS resolution. */
  allowsName?(hostname: string): boolean;
  /** Memory budget of the response; absent: not counted. */
  readonly reserve?: Reserve;
  /** All addresses of a name; rejects when it has none. */
  resolve(hostname: string): Promise<readonly ResolvedAddress[]>;
}

/** The system resolver, including the hosts file. It blocks a thread: for configured names only, not for client input. */
export const resolveBySystem: Reach['resolve'] = (hostname) => lookup(hostname, { all: true });

/** Ports 443 and 8443 only: images are not served on others, and connections to them would make this server a port scanner. */
export const PUBLIC_INTERNET: Reach = {
  schemes: ['https:'],
  ports: ['', '443', '8443'],
  allows: isPublicAddress,
  allowsName: (hostname) => !isLocalName(hostname),
  resolve: (hostname) => resolveByDns(hostname),
};

/** For tests on one machine: ALLOW_PRIVATE_FETCH. */
export const ANY_NETWORK: Reach = {
  schemes: ['https:', 'http:'],
  allows: () => true,
  resolve: resolveBySystem,
};
