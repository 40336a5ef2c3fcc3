import type { ServerResponse } from 'node:http';
import type { Context, MiddlewareHandler } from 'hono';
import { routePath } from 'hono/route';

/** The logger of the service. */
export interface RequestLogger {
  info(fields: object, message: string): void;
  debug(fields: object, message: string): void;
}

/**
 * One line for each request, once it was answered or its caller has gone: method, path, status, milliseconds, bytes and who asked.
 * A path is written as it is documented (`/api/jobs/{id}`) and without its query: what callers put there can be a secret.
 * Whether the service is well is asked all day long, so those lines need the level `debug`.
 * @param addressOf the network address of the caller
 */
export function logRequests(
  logger: RequestLogger,
  addressOf: (c: Context) => string,
): MiddlewareHandler<{
  Bindings: { outgoing?: ServerResponse };
  Variables: { requestId: string };
}> {
  return async (c, next) => {
    const began = performance.now();
    const { outgoing } = c.env ?? {};
    const address = addressOf(c);
    const write = (status: number, bytes?: number) => {
      const path = documentedPath(c);
      logger[path === '/health' && status === 200 ? 'debug' : 'info'](
        {
          request_id: c.get('requestId'),
          ...{ method: c.req.method, path, status, address },
          ms: Math.round(performance.now() - began),
          ...(bytes !== undefined && { bytes }),
        },
        `${c.req.method} ${path} ${status}`,
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

/** As web servers log it; no answer has this status. */
const CALLER_HAS_GONE = 499;

const PATH_CHARACTERS_MAX = 200;

/** `/api/jobs/:id` → `/api/jobs/{id}`. Tools are named; where nothing is served, the path is written as it was asked for. */
function documentedPath(c: Context): string {
  const route = routePath(c, -1);
  return route.includes(':') && !route.startsWith('/api/tools/')
    ? route.replace(/:(\w+)(\{[^}]*\})?/g, '{$1}')
    : c.req.path.slice(0, PATH_CHARACTERS_MAX);
}
