import { once } from 'node:events';
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

export interface RoundRobin {
  readonly url: string;
  /** URLs of servers, used in turn from the next request on. */
  readonly servers: string[];
  close(): Promise<void>;
}

/**
 * A load balancer without session affinity: each request goes to the next server, and to the following one if
 * it does not listen.
 */
export async function openRoundRobin(): Promise<RoundRobin> {
  const servers: string[] = [];
  let turn = 0;
  const proxy = createServer(async (incoming, outgoing) => {
    const body = await buffer(incoming);
    const first = turn++;
    for (let at = 0; at < servers.length; at += 1) {
      const isPassedOn = await passOn(servers[(first + at) % servers.length]!, { incoming, body, outgoing });
      if (isPassedOn) return;
    }
    if (!outgoing.headersSent) outgoing.writeHead(502);
    outgoing.end();
  });
  proxy.listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  return {
    url: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`,
    servers,
    async close() {
      proxy.closeAllConnections();
      proxy.close();
      await once(proxy, 'close');
    },
  };
}

interface Exchange {
  readonly incoming: IncomingMessage;
  readonly body: Buffer;
  readonly outgoing: ServerResponse;
}

/**
 * False if the server does not listen. A server that dies in the middle also breaks the connection of the
 * client.
 */
function passOn(server: string, { incoming, body, outgoing }: Exchange): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const { host, connection, ...headers } = incoming.headers;
  const upstream = request(
    new URL(incoming.url!, server),
    { method: incoming.method!, headers: { ...headers, host: host! } },
    (answer) => {
      outgoing.writeHead(answer.statusCode!, answer.headers);
      answer.pipe(outgoing);
      answer.on('error', () => outgoing.destroy());
      resolve(true);
    },
  );
  upstream.on('error', ({ code }: NodeJS.ErrnoException) => {
    if (code !== 'ECONNREFUSED') outgoing.destroy();
    resolve(code !== 'ECONNREFUSED');
  });
  outgoing.on('close', () => upstream.destroy());
  upstream.end(body);
  return promise;
}
