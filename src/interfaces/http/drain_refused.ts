import type { IncomingMessage, Server } from 'node:http';
import { LINGER_MS } from './limits.ts';

/**
 * Lets a client that got a response in the middle of its upload read that response. The system resets a
 * connection that is closed with unread bytes, and a reset discards what the client has not read yet. So
 * first only the sending side is closed, and arriving bytes are dropped until the client closes its side or
 * `LINGER_MS` have passed (RFC 9112, 9.6).
 */
export function drainRefused(server: Server): void {
  // Before the handler, whose request may have ended when later listeners run.
  server.prependListener('request', (incoming, outgoing) => {
    outgoing.once('prefinish', () => {
      if (!incoming.complete) closeInTwoSteps(incoming);
    });
  });
}

function closeInTwoSteps(incoming: IncomingMessage): void {
  const { socket } = incoming;
  // Node calls this once a response with "Connection: close" is written.
  socket.destroySoon = () => {
    socket.end();
    const end = setTimeout(() => socket.destroy(), LINGER_MS).unref();
    socket.once('close', () => clearTimeout(end));
    incoming.resume();
  };
}
