import type { Context, MiddlewareHandler } from 'hono';
import type { PipelineContext } from '../../pipeline/types.ts';
import { logRequests, type RequestLogger } from './log_requests.ts';
import { traceRequests } from './trace_requests.ts';

/** Every request leaves a line in the log, a count and a time in the metrics, and a span where traces are collected. */
export function observeRequests(
  { telemetry }: Pick<PipelineContext, 'telemetry'>,
  logger: RequestLogger,
  addressOf: (c: Context) => string,
): [MiddlewareHandler, MiddlewareHandler] {
  const log = logRequests(logger, {
    addressOf,
    traceContext: telemetry.traceContext,
    onAnswered({ method, route, status, ms }) {
      telemetry.count('atelier_http_requests_total', { method, route, status: String(status) });
      telemetry.observe('atelier_http_request_seconds', { route }, ms / 1000);
    },
  });
  return [traceRequests(telemetry, addressOf), log];
}
