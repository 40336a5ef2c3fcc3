import type { AddressInfo } from 'node:net';
import { createAdaptorServer } from '@hono/node-server';
import { JSON_BODY_BYTES_MAX } from '../../src/config/limits.ts';
import { readBody } from '../../src/interfaces/http/read_body.ts';
import type { Endpoint } from '../../src/interfaces/mcp/endpoint.ts';

export interface Listening {
  readonly url: string;
  close(): void;
}

/** The endpoint on a free port of this machine, mounted as http/ mounts it. */
export async function listen(endpoint: Endpoint): Promise<Listening> {
  const server = createAdaptorServer({
    fetch: (request) =>
      endpoint(request, {
        address: '127.0.0.1',
        requestId: 'req_test',
        readBody: () => readBody({ request }, JSON_BODY_BYTES_MAX),
        countMore: async () => {},
      }),
  });
  // Never: on a busy machine a client may begin its next call in the moment an idle connection is closed.
  if ('keepAliveTimeout' in server) server.keepAliveTimeout = 0;
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/mcp`,
    close() {
      if ('closeAllConnections' in server) server.closeAllConnections();
      server.close();
    },
  };
}
