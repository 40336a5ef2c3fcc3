import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { isIP, isIPv4 } from 'node:net';
import ipaddr from 'ipaddr.js';
import { authorizationIn, signInIn, x402PaymentIn } from '../../pipeline/authenticate.ts';
import type { Client } from '../../pipeline/types.ts';

const REQUEST_ID_CHARACTERS_MAX = 128;

const REQUEST_ID = new RegExp(`^[A-Za-z0-9._:-]{1,${REQUEST_ID_CHARACTERS_MAX}}$`);

/**
 * The request id of the client, if it is safe to repeat in headers and logs; else a generated one: 24 hex
 * digits, which Node takes from prefetched random bytes.
 */
export function requestId(request: Request): string {
  const sent = request.headers.get('x-request-id');
  return sent && REQUEST_ID.test(sent) ? sent : `req_${randomUUID().replaceAll('-', '').slice(0, 24)}`;
}

/** The client of a request, read from its headers. */
export function callerOf(request: Request, address: string, id: string): Client {
  return {
    requestId: id,
    address,
    ...authorizationIn(request.headers),
    paymentIntent: request.headers.get('x-payment-intent')?.trim() || undefined,
    approval: request.headers.get('x-approval')?.trim() || undefined,
    x402Payment: x402PaymentIn(request.headers),
    signIn: signInIn(request.headers),
    idempotencyKey: request.headers.get('idempotency-key') ?? undefined,
    respondAsync: readPreference(request.headers.get('prefer') ?? '').respondAsync,
    signal: request.signal,
  };
}

/**
 * RFC 7240: preferences are separated by commas, their parameters by semicolons; names are case-insensitive.
 * With `wait` (seconds) beside `respond-async` a client waits for calls that are not expected to be long,
 * whatever the value.
 */
export function readPreference(prefer: string): Pick<Client, 'respondAsync' | 'longCalls'> {
  const preferences = prefer.split(',');
  if (!preferences.some((preference) => /^\s*respond-async\s*(;|$)/i.test(preference)))
    return { respondAsync: false, longCalls: 'at_deadline' };
  const waits = preferences.some((preference) => /^\s*wait\s*=\s*"?[1-9]\d*"?\s*(;|$)/i.test(preference));
  return { respondAsync: !waits, longCalls: 'when_expected' };
}

/**
 * The network address of the client. X-Forwarded-For is trusted only where trusted proxies wrote it: read
 * from the right, up to the first hop that is not a trusted proxy. An unreadable hop ends it as well, because
 * hops to its left may be invented by the client: the writer of the unreadable hop then counts as the client.
 * `Forwarded` (RFC 7239) is ignored.
 */
export const addressOf = (
  incoming: IncomingMessage | undefined,
  request: Request,
  trusted: readonly string[],
): string => normaliseAddress(exactAddressOf(incoming, request, trusted));

/** Like `addressOf`, but for IPv6 the whole address rather than its /64. */
export function exactAddressOf(
  incoming: IncomingMessage | undefined,
  request: Request,
  trusted: readonly string[],
): string {
  let address = incoming?.socket.remoteAddress ?? '127.0.0.1';
  const hops = (request.headers.get('x-forwarded-for') ?? '').split(',').reverse();
  for (const hop of hops) {
    const before = hostOf(hop.trim());
    if (before === undefined || !isTrusted(address, trusted)) break;
    address = before;
  }
  return address;
}

/**
 * The address in `203.0.113.8`, `203.0.113.8:51234`, `2001:db8::1` or `[2001:db8::1]:443`; undefined for
 * anything else.
 */
function hostOf(hop: string): string | undefined {
  const host = /^([\d.]+):\d{1,5}$/.exec(hop)?.[1] ?? /^\[(.+)\](?::\d{1,5})?$/.exec(hop)?.[1] ?? hop;
  // Stricter than ipaddr.js, which accepts 1 and 0x7f.1 as addresses.
  return isIP(host) ? host : undefined;
}

/**
 * Maps an IPv4-mapped IPv6 address to IPv4, and any other IPv6 address to its /64, which one customer usually
 * has.
 */
export function normaliseAddress(address: string): string {
  if (isIPv4(address)) return address;
  if (!ipaddr.isValid(address)) return address;
  const parsed = ipaddr.process(address);
  if (parsed.kind() === 'ipv4' || parsed.range() === 'loopback') return parsed.toString();
  return ipaddr.IPv6.networkAddressFromCIDR(`${parsed.toString()}/64`).toString();
}

export function isTrusted(address: string, trusted: readonly string[]): boolean {
  if (!ipaddr.isValid(address)) return false;
  const parsed = ipaddr.process(address);
  return trusted.some((entry) => {
    const [network, bits] = entry.includes('/')
      ? ipaddr.parseCIDR(entry)
      : [ipaddr.process(entry), undefined];
    if (network.kind() !== parsed.kind()) return false;
    return parsed.match(network, bits ?? (network.kind() === 'ipv4' ? 32 : 128));
  });
}
