import { randomBytes } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';
import { authorizationIn, x402PaymentIn } from '../../pipeline/authenticate.ts';
import type { Client } from '../../pipeline/types.ts';

const REQUEST_ID_CHARACTERS_MAX = 128;

const REQUEST_ID = new RegExp(`^[A-Za-z0-9._:-]{1,${REQUEST_ID_CHARACTERS_MAX}}$`);

/** The id a caller chose, when it is harmless to repeat in headers and logs; else one of ours. */
export function requestId(request: Request): string {
  const sent = request.headers.get('x-request-id');
  return sent && REQUEST_ID.test(sent) ? sent : `req_${randomBytes(12).toString('hex')}`;
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
    idempotencyKey: request.headers.get('idempotency-key') ?? undefined,
    respondAsync: prefersAsync(request.headers.get('prefer') ?? ''),
    signal: request.signal,
  };
}

/** RFC 7240: preferences are separated by commas, their parameters by semicolons; names in any case. */
const prefersAsync = (prefer: string): boolean =>
  prefer.split(',').some((preference) => /^\s*respond-async\s*(;|$)/i.test(preference));

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
    const before = isTrusted(address, trusted) ? hostOf(hop.trim()) : undefined;
    if (before === undefined) break;
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
