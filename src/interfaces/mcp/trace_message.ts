import { isPublicAddress } from '../../core/outbound_http/public_address.ts';
import type { Tracing } from '../../core/telemetry/types.ts';
import type { Exchange } from './exchange.ts';

interface Message {
  readonly exchange: Exchange;
  readonly method: string;
  /** As the client sent it. */
  readonly meta: Record<string, unknown> | undefined;
}

/**
 * Does what a message asks for within the trace its client names in `_meta`, where it names none in a header. Who is believed: as `traceRequests` has it;
 * for anybody else it belongs to the request it came in.
 */
export function traceMessage<T>(
  tracing: Pick<Tracing, 'enter'>,
  { exchange: { headers, peer }, method, meta = {} }: Message,
  work: () => Promise<T>,
): Promise<T> {
  const { traceparent, tracestate } = meta;
  if (typeof traceparent !== 'string' || headers.has('traceparent') || isPublicAddress(peer.address))
    return work();
  const state = typeof tracestate === 'string' ? { tracestate } : {};
  const from = { traceparent, ...state, isTrusted: true, by: 'request' } as const;
  return tracing.enter(from, method, { 'mcp.method.name': method }, work);
}
