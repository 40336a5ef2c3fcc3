import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { isIP, isIPv4 } from 'node:net';
import type { Context, MiddlewareHandler } from 'hono';
import { routePath } from 'hono/route';
import ipaddr from 'ipaddr.js';
import type { RequestScope } from '../../core/request_scope/request_scope.ts';
import type { TraceContext } from '../../core/telemetry/types.ts';
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

/** The logger of the service. */
export interface RequestLogger {
  info(fields: object, message: string): void;
  debug(fields: object, message: string): void;
}

/** An answered request, with values from fixed lists. */
export interface AnsweredRequest {
  readonly method: string;
  /** The documented path (`/api/jobs/{id}`); `none` for an unknown path. */
  readonly route: string;
  readonly status: number;
  readonly ms: number;
}

interface Options {
  /** The network address of the client. */
  addressOf(c: Context): string;
  /** The trace of the current request, if it is traced. */
  traceContext(): TraceContext | undefined;
  onAnswered(request: AnsweredRequest): void;
}

/**
 * Logs one line per request, once it was answered or its client has disconnected: method, path, status,
 * milliseconds, bytes and client.
 * The path is the documented one without its query, because parameters may be secrets.
 * Health and metrics are polled all day, so those lines have level `debug`.
 */
export function logRequests(
  logger: RequestLogger,
  { addressOf, traceContext, onAnswered }: Options,
): MiddlewareHandler<{
  Bindings: { outgoing?: ServerResponse };
  Variables: { requestId: string; scope?: RequestScope };
}> {
  return async (c, next) => {
    const began = performance.now();
    const { outgoing } = c.env ?? {};
    const address = addressOf(c);
    const [, trace] = traceContext()?.traceparent?.split('-') ?? [];
    const write = (status: number, bytes?: number) => {
      const { method } = c.req;
      const route = documentedRoute(c);
      const path = pathOf(c, route);
      const ms = performance.now() - began;
      const wallet = c.get('scope')?.wallet;
      const known = METHODS.includes(method) ? method : 'other';
      onAnswered({ method: known, route: route ?? 'none', status, ms });
      logger[OFTEN.includes(path) && status === 200 ? 'debug' : 'info'](
        {
          request_id: c.get('requestId'),
          method,
          path,
          status,
          address,
          ...(trace !== undefined && { trace_id: trace }),
          ...(wallet !== undefined && { caller: shortName(wallet) }),
          ms: Math.round(ms),
          ...(bytes !== undefined && { bytes }),
        },
        `${method} ${path} ${status}`,
      );
    };
    if (!outgoing) {
      await next();
      return write(c.res.status);
    }
    const { socket } = outgoing;
    const before = socket?.bytesWritten ?? 0;
    outgoing.once('close', () =>
      write(
        outgoing.writableFinished ? outgoing.statusCode : CALLER_HAS_GONE,
        socket ? socket.bytesWritten - before : undefined,
      ),
    );
    await next();
  };
}

/** As web servers log it; no response has this status. */
const CALLER_HAS_GONE = 499;
const OFTEN = ['/health', '/metrics'];
const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'OPTIONS'];

/** `0x52908400098527886e0f7030069857d2e4169ee7` → `0x5290…9ee7`: enough to find a client's lines. */
const shortName = (wallet: string): string => `${wallet.slice(0, 6)}…${wallet.slice(-4)}`;

/** The documented path, with the name of the tool; for an unknown path, the requested one. */
const pathOf = (c: Context, route: string | undefined): string =>
  route === undefined || route.startsWith('/api/tools/') ? harmless(c.req.path) : route;

const PATH_CHARACTERS_MAX = 200;

/** A requested path without possible secrets, such as tokens or job ids. */
const harmless = (path: string): string =>
  path
    .slice(0, PATH_CHARACTERS_MAX)
    .split('/')
    .map((part) => (/^[\w.-]{0,20}$|^[a-z_]{0,40}$/.test(part) ? part : '…'))
    .join('/');

/**
 * The documented path of a request, without the parameters of the client: `/api/jobs/{id}`; undefined for an
 * unknown path.
 */
export function documentedRoute(c: Context): string | undefined {
  const route = routePath(c, -1);
  return route.endsWith('*') ? undefined : route.replace(/:(\w+)(\{[^}]*\})?/g, '{$1}');
}
