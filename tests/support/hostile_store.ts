import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

export interface Asked {
  readonly method: string;
  /** Including the query. */
  readonly url: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: Buffer;
}

export type Say = (asked: Asked, response: ServerResponse) => void;

/** An object store with arbitrary responses in the format of S3. */
export async function startHostileStore() {
  const asked: Asked[] = [];
  let says: Say[] = [];
  const server = createServer(async (request, response) => {
    const { method = '', url = '', headers } = request;
    const one = { method, url, headers, body: await buffer(request) };
    asked.push(one);
    // The last response is repeated.
    (says.length > 1 ? says.shift() : says[0])?.(one, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    bucketUrl: `http://127.0.0.1:${port}/bucket`,
    asked,
    /** The next responses, in this order. */
    says(...answers: Say[]) {
      says = answers;
      asked.length = 0;
    },
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}

export const error =
  (status: number, code: string, headers: Record<string, string> = {}): Say =>
  ({ method }, response) => {
    response.writeHead(status, { 'Content-Type': 'application/xml', ...headers });
    response.end(
      method === 'HEAD' ? '' : `<?xml version="1.0"?><Error><Code>${code}</Code><Message>m</Message></Error>`,
    );
  };

export const bytes =
  (body: Buffer | string, headers: Record<string, string> = {}): Say =>
  (_, response) =>
    response.writeHead(200, { ETag: '"e"', ...headers }).end(body);

/** Announces more bytes than it sends. */
export const cut =
  (body: string): Say =>
  (_, response) => {
    response.writeHead(200, { 'Content-Length': String(body.length + 5), ETag: '"e"' });
    response.write(body, () => response.destroy());
  };

export const silence: Say = () => {};
export const hangUp: Say = (_, response) => void response.destroy();
