import type { IncomingMessage, Server } from 'node:http';
import { LINGER_MS } from './limits.ts';

/**
 * Lets a client that was answered in the middle of its upload read the answer. A connection closed with bytes unread is reset by
 * the system, and a reset throws away what the other side had not read yet: first only the own half is closed, and what still
 * comes is dropped, until they close theirs or `LINGER_MS` are over (RFC 9112, 9.6).
 */
export function drainRefused(server: Server): void {
  // Before the handler, whose request may have ended by the time others are asked.
  server.prependListener('request', (incoming, outgoing) => {
    outgoing.once('prefinish', () => {
      if (!incoming.complete) closeInTwoSteps(incoming);
    });
  });
}

function closeInTwoSteps(incoming: IncomingMessage): void {
  const { socket } = incoming;
  // What Node calls once an answer with "Connection: close" is written.
  socket.destroySoon = () => {
    socket.end();
    const end = setTimeout(() => socket.destroy(), LINGER_MS).unref();
    socket.once('close', () => clearTimeout(end));
    incoming.resume();
  };
}
