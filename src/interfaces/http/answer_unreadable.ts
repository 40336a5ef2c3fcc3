import { type Server, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { AtelierError } from '../../core/errors/atelier_error.ts';
import { problemDetails } from '../../pipeline/errors.ts';

/**
 * What cannot be read as a request never becomes one, and Node would answer it with a status and nothing else: says it in the shape of
 * every other failure. Nothing is said in the middle of an answer, nor after the client has disconnected.
 * @param publicUrl asked for each answer: a server listens before it knows
 */
export function answerUnreadable(server: Server, publicUrl: () => string): void {
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Answering) => {
    if (error.code === 'ECONNRESET' || !socket.writable || socket._httpMessage?.headersSent) {
      socket.destroy();
      return;
    }
    socket.end(answerTo(unreadable(error.code), publicUrl()));
    socket.destroySoon();
  });
}

/** Node keeps the answer that is being written there, and looks at it in this very case itself. */
interface Answering extends Socket {
  readonly _httpMessage?: { readonly headersSent: boolean } | null;
}

function unreadable(code: string | undefined): AtelierError {
  if (code === 'HPE_HEADER_OVERFLOW') return new AtelierError('headers_too_large');
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT')
    return new AtelierError(
      'body_too_slow',
      'The request did not arrive in time. The server closed the connection.',
    );
  return new AtelierError('unreadable_request');
}

function answerTo(error: AtelierError, publicUrl: string): string {
  const problem = problemDetails(error, { requestId: '', instance: '', publicUrl });
  const body = JSON.stringify(problem);
  return [
    `HTTP/1.1 ${error.status} ${STATUS_CODES[error.status]}`,
    'Content-Type: application/problem+json',
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Cache-Control: no-store',
    'Connection: close',
    '',
    body,
  ].join('\r\n');
}
