import type { ServerContext } from '@modelcontextprotocol/server';
import type { Exchange } from './exchange.ts';

/**
 * Turns a tool's progress into notifications/progress: whole percents, which must strictly increase. Silent unless the request carries
 * a token and its answer may be a stream. `flushed` waits until all have been written, so none follows the result.
 */
export function progressReporter(
  { acceptsEvents }: Exchange,
  { _meta, notify }: Pick<ServerContext['mcpReq'], '_meta' | 'notify'>,
): { report(fraction: number, message: string): void; flushed(): Promise<unknown> } {
  const progressToken = _meta?.progressToken;
  const sent: Promise<void>[] = [];
  let last = 0;
  return {
    report(fraction, message) {
      const progress = Math.round(fraction * 100);
      if (progressToken === undefined || !acceptsEvents || !(progress > last)) return;
      last = progress;
      const params = { progressToken, progress, total: 100, message };
      // A reader that has left is noticed by the call's own signal.
      sent.push(notify({ method: 'notifications/progress', params }).catch(() => {}));
    },
    flushed: () => Promise.all(sent),
  };
}
