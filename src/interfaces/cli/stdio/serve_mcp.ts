import { Console } from 'node:console';
import type { Writable } from 'node:stream';
import { StdioServerTransport } from '@modelcontextprotocol/server/stdio';
import type { McpOptions } from '../world.ts';
import { serveBridge } from './bridge.ts';
import { MESSAGE_BYTES_MAX } from './limits.ts';
import { createOwnServer, remoteServer } from './own_server.ts';
import { createUpstream } from './upstream.ts';

/**
 * Serves MCP on the standard input and output of this process until the client closes them or the process receives a signal to stop
 * (docs/decisions/0003-mcp.md).
 */
export async function serveMcp({ url, dataDir, bearer, roots, out }: McpOptions): Promise<void> {
  const output = claimStdout();
  const log = (text: string) => void process.stderr.write(text);
  const wire = new StdioServerTransport(process.stdin, output, { maxBufferSize: MESSAGE_BYTES_MAX });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => void wire.close());
  const server = url === undefined ? createOwnServer({ dataDir, log }) : remoteServer(url);
  // It starts while the client says hello.
  server.find().catch((error: Error) => log(`${error.message}\n`));
  const base = process.cwd();
  await serveBridge({
    wire,
    upstream: createUpstream(server, bearer),
    roots: { given: roots, base, excluded: [dataDir] },
    out,
    log,
  });
  await server.close();
}

/**
 * Standard output for messages alone: whatever else writes to it, a library or a forgotten console.log, writes to standard error.
 */
function claimStdout(): Writable {
  const { stdout, stderr } = process;
  const write = stdout.write.bind(stdout);
  stdout.write = stderr.write.bind(stderr) as typeof stdout.write;
  globalThis.console = new Console(stderr, stderr);
  return Object.create(stdout, { write: { value: write } }) as Writable;
}
