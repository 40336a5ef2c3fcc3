import { AsyncLocalStorage } from 'node:async_hooks';
import type { StreamAnswer } from '../../features/definitions/operation.ts';

/** Sends what is made as fast as it is taken, and stops making it when the caller has gone. */
export function streamResponse(
  { chunks, contentType, headers }: StreamAnswer,
  { isHead }: { isHead: boolean },
): Response {
  const init = { headers: { 'Content-Type': contentType, ...headers } };
  if (isHead) return new Response(null, init);
  // Whoever takes the pieces is not the visit that has asked for them, and counts.
  const asAsked = AsyncLocalStorage.snapshot();
  const source = chunks();
  const encoder = new TextEncoder();
  const body = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { value, done } = await asAsked(() => source.next());
        if (done) controller.close();
        else controller.enqueue(typeof value === 'string' ? encoder.encode(value) : value);
      },
      cancel: async () => {
        await source.return(undefined);
      },
    },
    // Nothing is made ahead.
    { highWaterMark: 0 },
  );
  return new Response(body, init);
}
