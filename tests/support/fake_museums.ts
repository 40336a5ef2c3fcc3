import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import sharp from 'sharp';

/** Response of a museum: an object as JSON, bytes as an image, or a function of the request. */
export type Said = object | Uint8Array | Refusal;

export interface Refusal {
  readonly code: number;
  readonly headers?: Record<string, string>;
  readonly body?: string;
}

export interface FakeMuseums {
  /** Value of MUSEUM_MIRROR. */
  readonly url: string;
  /** Sets the response to a URL of a museum, given as host and path with query. */
  says(address: string, said: Said): void;
  /** Requests since the last call of this function. */
  asked(): { readonly address: string; readonly headers: IncomingHttpHeaders; readonly body: string }[];
  close(): void;
}

/**
 * A server in place of all museums. Every response has an ETag, and is not sent again to a client that has
 * it.
 */
export async function startFakeMuseums(): Promise<FakeMuseums> {
  const answers = new Map<string, Said>();
  const requests: { address: string; headers: IncomingHttpHeaders; body: string }[] = [];
  const server = createServer(async (request, response) => {
    const address = (request.url ?? '').slice(1);
    requests.push({ address, headers: request.headers, body: await text(request) });
    const said = answers.get(address) ?? { code: 404 };
    if (said instanceof Uint8Array) response.writeHead(200, { 'content-type': 'image/jpeg' }).end(said);
    else if ('code' in said) {
      const { code, headers, body } = said as Refusal;
      response.writeHead(code, headers).end(body);
    } else {
      const body = JSON.stringify(said);
      const etag = `"${Buffer.from(body).toString('base64url').length}-${body.length}"`;
      if (request.headers['if-none-match'] === etag) response.writeHead(304, { etag }).end();
      else response.writeHead(200, { 'content-type': 'application/json', etag }).end(body);
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    says: (address, said) => void answers.set(address, said),
    asked: () => requests.splice(0),
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

/** A small image with some structure. */
export const makePicture = (width = 600, height = 400): Promise<Buffer> =>
  sharp({ create: { width, height, channels: 3, background: '#3b6c8f' } })
    .jpeg()
    .toBuffer();
