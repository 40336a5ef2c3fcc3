import { lookup, Resolver } from 'node:dns/promises';
import type { Reserve } from '../request_scope/types.ts';
import { isLocalName, isPublicAddress } from './public_address.ts';
import type { ResolvedAddress } from './types.ts';

/** Milliseconds for the first answer of a name server; the second and last try waits twice as long. */
const DNS_TIMEOUT_MS = 2_000;
const DNS_TRIES = 2;

interface DnsOptions {
  /** Name servers as `address:port`; absent: those of the system. */
  readonly servers?: readonly string[];
  readonly timeoutMs?: number;
}

/**
 * All addresses of a name, IPv4 first, asked of the name servers directly. `dns.lookup` occupies a thread of the process for as long as
 * the name server is silent, and there are two for all names: callers with names that never resolve would stop every other
 * lookup. The hosts file is not read. A resolver for each name follows changes of the system's name servers.
 * See docs/decisions/0157-resolve-names-of-callers-without-threads.md.
 * @throws Error where the name has no address
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
  throw new Error(`no address of ${hostname}`, {
    cause: ipv4.status === 'rejected' ? ipv4.reason : undefined,
  });
}

const addressesIn = (result: PromiseSettledResult<readonly string[]>, family: 4 | 6): ResolvedAddress[] =>
  result.status === 'fulfilled' ? result.value.map((address) => ({ address, family })) : [];

/** How far a request may go. Tests write their own. */
export interface Reach {
  readonly schemes: readonly string[];
  /** Absent: any port. */
  readonly ports?: readonly string[];
  allows(address: string): boolean;
  /** Absent: any name. Judged by its text, before anybody is asked where it leads. */
  allowsName?(hostname: string): boolean;
  /** Counts the bytes of the response; absent: they are not counted. */
  readonly reserve?: Reserve;
  /** All addresses of a name; rejects when it has none. */
  resolve(hostname: string): Promise<readonly ResolvedAddress[]>;
}

/** The system's resolver, hosts file included. It occupies a thread meanwhile: for names the operator chooses, not callers. */
export const resolveBySystem: Reach['resolve'] = (hostname) => lookup(hostname, { all: true });

/**
 * Ports 443 and 8443 only: others are no place for pictures, and knocking on them from here would make this server a
 * scanner of other people's networks.
 */
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
