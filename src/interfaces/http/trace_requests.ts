import type { Context, MiddlewareHandler } from 'hono';
import { isPublicAddress } from '../../core/outbound_http/public_address.ts';
import type { Tracing } from '../../core/telemetry/types.ts';
import { documentedRoute } from './documented_route.ts';

/**
 * Each request is a span, from its arrival until its answer begins. A trace that a caller of this machine or its private network has begun is gone on with; of a
 * stranger's the span has a link.
 */
export function traceRequests(
  tracing: Pick<Tracing, 'enter'>,
  addressOf: (c: Context) => string,
): MiddlewareHandler {
  return (c, next) => {
    const { method } = c.req;
    const from = {
      traceparent: c.req.header('traceparent'),
      tracestate: c.req.header('tracestate'),
      isTrusted: !isPublicAddress(addressOf(c)),
      by: 'request',
    } as const;
    return tracing.enter(from, method, { 'http.request.method': method }, async (span) => {
      await next();
      const route = documentedRoute(c);
      span.rename(`${method} ${route ?? 'none'}`);
      span.set({ 'http.route': route, 'http.response.status_code': c.res.status });
    });
  };
}
