import type { ServerResponse } from 'node:http';
import type { Context, MiddlewareHandler } from 'hono';
import { routePath } from 'hono/route';
import type { Visit } from '../../core/request_scope/visits.ts';
import type { TraceContext } from '../../core/telemetry/types.ts';

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
  Variables: { requestId: string; visit?: Visit };
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
      const wallet = c.get('visit')?.wallet;
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
