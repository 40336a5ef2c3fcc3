import type { Context } from 'hono';
import { streamSSE } from 'hono/streaming';
import { isForOperator } from '../../core/errors/atelier_error.ts';
import { asAtelierError, problemDetails } from '../../pipeline/errors.ts';
import type { CallResponse, Client } from '../../pipeline/types.ts';

/** Callers that want to watch a long call ask for an event stream. */
export const wantsProgress = (request: Request): boolean =>
  (request.headers.get('accept') ?? '').includes('text/event-stream');

interface Watched {
  readonly caller: Client;
  readonly publicUrl: string;
  report(error: unknown): void;
  work(caller: Client): Promise<CallResponse>;
}

/** Answers `progress` events while the call runs and one `result` event {status, body} at the end. */
export function progressStream(c: Context, { caller, publicUrl, report, work }: Watched): Response {
  return streamSSE(c, async (stream) => {
    const send = (event: string, data: unknown) => stream.writeSSE({ event, data: JSON.stringify(data) });
    const watched: Client = {
      ...caller,
      onProgress: (fraction, message) => void send('progress', { fraction, message }),
    };
    try {
      const { body, status = 200 } = await work(watched);
      await send('result', { status, body });
    } catch (error) {
      const known = asAtelierError(error);
      if (isForOperator(known.code)) report(error);
      const body = problemDetails(known, { requestId: caller.requestId, instance: c.req.path, publicUrl });
      await send('result', { status: known.status, body });
    }
  });
}
