import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { Server as NetServer, type Socket } from 'node:net';
import { QUIET_TURN_MS, STOP_ARRIVING_MS, STOP_IDLE_MS, STOP_QUIET_MS } from './limits.ts';

export interface Serving {
  /**
   * From now on every response closes its connection, so that clients and proxies connect elsewhere. New
   * connections are accepted.
   */
  leave(): void;
  /**
   * Stops listening and resolves when every response has been sent. Implies `leave`.
   * @param endsMs connections that are still open after this time, in ms, are closed
   */
  stop(endsMs: number): Promise<void>;
}

/** Stops a server without losing requests: HTTP/1.1 cannot announce on an idle connection that it is about to close. */
export function watchServing(server: Server): Serving {
  const open = new Map<IncomingMessage, ServerResponse>();
  const silent = silentSockets(server);
  let isLeaving = false;
  // Before the listener that responds: it may send the headers at once.
  server.prependListener('request', (request, response) => {
    if (isLeaving) response.shouldKeepAlive = false;
    open.set(request, response);
    response.once('close', () => open.delete(request));
  });
  const leave = () => {
    isLeaving = true;
    for (const response of open.values()) if (!response.headersSent) response.shouldKeepAlive = false;
  };
  return {
    leave,
    async stop(endsMs) {
      leave();
      await quietTurn();
      // `close` of http.Server also ends idle connections at once, on which a request may be in transit.
      const closed = new Promise((resolve) => NetServer.prototype.close.call(server, resolve));
      const idle = setInterval(() => {
        for (const socket of silent) socket.destroy();
        server.closeIdleConnections();
      }, STOP_IDLE_MS);
      const timers = [
        idle,
        setTimeout(() => {
          for (const { complete, socket } of open.keys()) if (!complete) socket.destroy();
        }, STOP_ARRIVING_MS),
        setTimeout(() => server.closeAllConnections(), endsMs),
      ];
      await closed;
      for (const timer of timers) clearTimeout(timer);
    },
  };
}

/**
 * The system resets connections that wait in its queue when the listening socket closes. Resolves right after
 * a turn of the event loop that has accepted the waiting ones and did little else, so that hardly any can
 * have arrived since.
 */
async function quietTurn(): Promise<void> {
  const end = performance.now() + STOP_QUIET_MS;
  let began: number;
  do {
    began = performance.now();
    await new Promise(setImmediate);
  } while (performance.now() - began > QUIET_TURN_MS && began < end);
}

/** Connections without a request, which browsers open in advance. Node does not count them as idle. */
function silentSockets(server: Server): ReadonlySet<Socket> {
  const silent = new Set<Socket>();
  server.on('connection', (socket) => {
    silent.add(socket);
    socket.once('close', () => silent.delete(socket));
  });
  server.on('request', ({ socket }) => silent.delete(socket));
  return silent;
}
