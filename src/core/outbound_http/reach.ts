import { lookup } from 'node:dns/promises';
import type { Reserve } from '../request_scope/types.ts';
import { isLocalName, isPublicAddress } from './public_address.ts';
import { resolveByDns } from './resolve_by_dns.ts';
import type { ResolvedAddress } from './types.ts';

/** How far a request may go. Tests write their own. */
export interface Reach {
  readonly schemes: readonly string[];
  /** Absent: any port. */
  readonly ports?: readonly string[];
  allows(address: string): boolean;
  /** Absent: any name. Judged by its text, before anybody is asked where it leads. */
  allowsName?(hostname: string): boolean;
  /** Counts the bytes that come back; absent: nobody does. */
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
