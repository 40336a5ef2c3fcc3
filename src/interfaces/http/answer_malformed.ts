import { type Server, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { AtelierError } from '../../core/errors/atelier_error.ts';
import { problemDetails } from '../../pipeline/errors.ts';

/**
 * Answers malformed requests, which never reach a handler, with a problem object; Node would send a bare
 * status. Nothing is sent in the middle of a response, or after the client has disconnected.
 * @param publicUrl read for each response: a server listens before it knows its URL
 */
export function answerMalformed(server: Server, publicUrl: () => string): void {
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Answering) => {
    if (error.code === 'ECONNRESET' || !socket.writable || socket._httpMessage?.headersSent) {
      socket.destroy();
      return;
    }
    socket.end(answerTo(unreadable(error.code), publicUrl()));
    socket.destroySoon();
  });
}

/** Node keeps the current response in this property, and reads it in the same case. */
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
