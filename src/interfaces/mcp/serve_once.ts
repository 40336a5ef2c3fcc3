import {
  type McpServer,
  type Server,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server';

/**
 * Answers one message of a revision before 2026-07-28. Nothing outlives the exchange, so a client that has gone can
 * never collect its answer: its call is stopped, and a stopped call costs nothing. notifications/cancelled comes in
 * another request and names only a number that every client begins at 0, so it is taken and has no effect.
 */
export async function serveOnce(
  server: McpServer | Server,
  request: Request,
  body: unknown,
  asEvents: boolean,
): Promise<Response> {
  const transport = new WebStandardStreamableHTTPServerTransport({
    sessionIdGenerator: undefined,
    enableJsonResponse: !asEvents,
  });
  await server.connect(transport);
  const stop = () => void server.close().catch(() => {});
  const gone = Promise.withResolvers<Response>();
  const leave = () => {
    stop();
    gone.resolve(new Response(null, { status: 499 }));
  };
  request.signal.addEventListener('abort', leave, { once: true });
  const response = await Promise.race([transport.handleRequest(request, { parsedBody: body }), gone.promise]);
  const isStream = response.headers.get('content-type') === 'text/event-stream';
  return isStream && response.body ? watchBody(response, response.body, stop) : response;
}

/** The same stream; `onCancel` runs when the reader gives up before its end. */
function watchBody(response: Response, body: ReadableStream<Uint8Array>, onCancel: () => void): Response {
  const reader = body.getReader();
  const stream = new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { done, value } = await reader.read();
      if (done) controller.close();
      else controller.enqueue(value);
    },
    async cancel(reason) {
      onCancel();
      await reader.cancel(reason);
    },
  });
  return new Response(stream, { status: response.status, headers: response.headers });
}
