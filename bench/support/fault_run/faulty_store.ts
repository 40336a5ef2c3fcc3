import { once } from 'node:events';
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Behaviour of the store: normal, slow, failing or disconnecting at every other request, refusing writes, or
 * unreachable.
 */
export type StoreMood = 'well' | 'slow' | 'failing' | 'full' | 'away';

export interface FaultyStore {
  /** The given URL, through this proxy. */
  readonly url: string;
  mood: StoreMood;
  close(): void;
}

const LATE_MS = 3_000;

/** A proxy in front of an object store. Requests keep the host for which they were signed. */
export async function openFaultyStore(target: string): Promise<FaultyStore> {
  let asked = 0;
  const server = createServer(async (incoming, outgoing) => {
    asked += 1;
    const { mood } = store;
    if (mood === 'away' || (mood === 'failing' && asked % 4 === 0)) return incoming.destroy();
    if (mood === 'failing' && asked % 4 === 2) return refuse(incoming, outgoing, 500);
    if (mood === 'full' && incoming.method !== 'GET' && incoming.method !== 'HEAD')
      return refuse(incoming, outgoing, 507);
    if (mood === 'slow') await sleep(LATE_MS);
    passOn(target, incoming, outgoing);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = new URL(target);
  url.host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  const store: FaultyStore = {
    url: url.href,
    mood: 'well',
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
  return store;
}

function refuse(incoming: IncomingMessage, outgoing: ServerResponse, status: number): void {
  incoming.resume();
  outgoing.writeHead(status, { 'Content-Type': 'application/xml' }).end();
}

function passOn(target: string, incoming: IncomingMessage, outgoing: ServerResponse): void {
  const { method, url, headers } = incoming;
  const upstream = request(new URL(url!, target), { method, headers }, (answer) => {
    outgoing.writeHead(answer.statusCode!, answer.headers);
    answer.pipe(outgoing);
  });
  upstream.on('error', () => outgoing.destroy());
  incoming.on('error', () => upstream.destroy());
  incoming.pipe(upstream);
}
