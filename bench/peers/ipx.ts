import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createIPX, createIPXNodeServer, ipxFSStorage } from 'ipx';

/** IPX serving the folder in BENCH_FOLDER. */
const ipx = createIPX({ storage: ipxFSStorage({ dir: process.env.BENCH_FOLDER! }) });
const server = createServer(createIPXNodeServer(ipx));
server.listen(0, '127.0.0.1', () =>
  console.log(`http://127.0.0.1:${(server.address() as AddressInfo).port}`),
);
