import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** The smallest Node program that answers over HTTP. */
const server = createServer((_request, response) => response.end('{}'));
server.listen(Number(process.env.PORT), '127.0.0.1', () => {
  console.log(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
});
process.on('SIGTERM', () => process.exit(0));
