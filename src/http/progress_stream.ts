import type { Context } from 'hono';
import { streamSSE } from 'hono/streaming';
import { isForOperator } from '../errors/atelier_error.ts';
import type { Answer, Caller } from '../pipeline/types.ts';
import { asAtelierError, problemOf } from '../pipeline/errors.ts';

/** Callers that want to watch a long call ask for an event stream. */
export const wantsProgress = (request: Request): boolean =>
  (request.headers.get('accept') ?? '').includes('text/event-stream');

interface Watched {
  readonly caller: Caller;
  readonly publicUrl: string;
  report(error: unknown): void;
  work(caller: Caller): Promise<Answer>;
}

/** Answers `progress` events while the call runs and one `result` event {status, body} at the end. */
export function progressStream(c: Context, { caller, publicUrl, report, work }: Watched): Response {
  return streamSSE(c, async (stream) => {
    const send = (event: string, data: unknown) => stream.writeSSE({ event, data: JSON.stringify(data) });
    const watched: Caller = {
      ...caller,
      onProgress: (fraction, message) => void send('progress', { fraction, message }),
    };
    try {
      const { body, status = 200 } = await work(watched);
      await send('result', { status, body });
    } catch (error) {
      const known = asAtelierError(error);
      if (isForOperator(known.code)) report(error);
      const body = problemOf(known, { requestId: caller.requestId, instance: c.req.path, publicUrl });
      await send('result', { status: known.status, body });
    }
  });
}
