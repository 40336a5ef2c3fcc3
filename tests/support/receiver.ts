import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { Webhook } from 'standardwebhooks';

/** One received notification. */
export interface Received {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** A third-party server that receives notifications. */
export interface Receiver {
  readonly url: string;
  readonly received: readonly Received[];
  /** Waits for this many notifications; throws after ten seconds. */
  atLeast(count: number): Promise<readonly Received[]>;
  close(): Promise<void>;
}

/** @param answer default: 204 */
export async function openReceiver(
  answer: (response: ServerResponse, request: Received) => void = (response) => response.writeHead(204).end(),
): Promise<Receiver> {
  const received: Received[] = [];
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    const one = { path: request.url!, headers: request.headers, body };
    received.push(one);
    answer(response, one);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    received,
    async atLeast(count) {
      for (let waited = 0; received.length < count; waited += 20) {
        if (waited > 10_000) throw new Error(`${received.length} of ${count} notices came`);
        await sleep(20);
      }
      return received;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** The contents of a notification, read by the official library. @throws Error if the signature is invalid */
export const verified = (secret: string, { body, headers }: Received) =>
  new Webhook(secret).verify(body, headers as Record<string, string>) as {
    type: string;
    timestamp: string;
    data: Record<string, unknown>;
  };
