import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { isTrusted, normaliseAddress } from './caller.ts';

interface Bounds {
  readonly inAll: number;
  readonly perAddress: number;
  /** Whoever connects for many others is not counted. */
  readonly trustedProxies: readonly string[];
  /** Told of each connection that was refused. */
  onRefused(address: string): void;
}

/** Bounds how many connections are open at once; those beyond are told so and closed before anything is read. */
export function boundConnections(
  server: Server,
  { inAll, perAddress, trustedProxies, onRefused }: Bounds,
): void {
  const open = new Map<string, number>();
  server.maxConnections = inAll;
  server.on('connection', (socket) => {
    const address = normaliseAddress(socket.remoteAddress ?? '');
    if (isTrusted(address, trustedProxies)) return;
    const count = (open.get(address) ?? 0) + 1;
    open.set(address, count);
    socket.once('close', () => {
      const left = open.get(address)! - 1;
      if (left > 0) open.set(address, left);
      else open.delete(address);
    });
    if (count <= perAddress) return;
    onRefused(address);
    refuse(socket);
  });
  server.on('drop', (data) => onRefused(normaliseAddress(data?.remoteAddress ?? '')));
}

function refuse(socket: Socket): void {
  socket.pause();
  socket.end(
    'HTTP/1.1 429 Too Many Requests\r\nRetry-After: 5\r\nContent-Length: 0\r\nConnection: close\r\n\r\n',
  );
  socket.destroySoon();
}
