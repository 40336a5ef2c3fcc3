import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { isIP, isIPv4 } from 'node:net';
import ipaddr from 'ipaddr.js';
import { authorizationIn, signInIn, x402PaymentIn } from '../../pipeline/authenticate.ts';
import type { Client } from '../../pipeline/types.ts';

const REQUEST_ID_CHARACTERS_MAX = 128;

const REQUEST_ID = new RegExp(`^[A-Za-z0-9._:-]{1,${REQUEST_ID_CHARACTERS_MAX}}$`);

/**
 * The id a caller chose, when it is harmless to repeat in headers and logs; else one of ours: 24 hex digits, which Node takes from random bytes it
 * fetches ahead.
 */
export function requestId(request: Request): string {
  const sent = request.headers.get('x-request-id');
  return sent && REQUEST_ID.test(sent) ? sent : `req_${randomUUID().replaceAll('-', '').slice(0, 24)}`;
}

/** Who calls, read from the headers of a request. */
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
 * RFC 7240: preferences are separated by commas, their parameters by semicolons; names in any case. With `wait` (seconds) beside
 * `respond-async` a client waits for calls that are not expected to be long, whatever the seconds.
 */
export function readPreference(prefer: string): Pick<Client, 'respondAsync' | 'longCalls'> {
  const preferences = prefer.split(',');
  if (!preferences.some((preference) => /^\s*respond-async\s*(;|$)/i.test(preference)))
    return { respondAsync: false, longCalls: 'at_deadline' };
  const waits = preferences.some((preference) => /^\s*wait\s*=\s*"?[1-9]\d*"?\s*(;|$)/i.test(preference));
  return { respondAsync: !waits, longCalls: 'when_expected' };
}

/**
 * The caller's network address. X-Forwarded-For is believed only as far as it was written by trusted proxies: read from the
 * right, up to the first hop that is not one of them. What cannot be read ends it too, for what stands left of it may be the
 * caller's own claim: the writer of the unreadable hop then counts as the caller. `Forwarded` (RFC 7239) is not looked at.
 */
export const addressOf = (
  incoming: IncomingMessage | undefined,
  request: Request,
  trusted: readonly string[],
): string => normaliseAddress(exactAddressOf(incoming, request, trusted));

/** The same, for IPv6 the whole address and not only its /64. */
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

/** `203.0.113.8`, `203.0.113.8:51234`, `2001:db8::1`, `[2001:db8::1]:443`: the address; undefined for anything else. */
function hostOf(hop: string): string | undefined {
  const host = /^([\d.]+):\d{1,5}$/.exec(hop)?.[1] ?? /^\[(.+)\](?::\d{1,5})?$/.exec(hop)?.[1] ?? hop;
  // Stricter than ipaddr.js, which takes 1 and 0x7f.1 for addresses.
  return isIP(host) ? host : undefined;
}

/**
 * IPv4 inside IPv6 is the same machine; one IPv6 customer has a whole /64, so that is what stands for it.
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
