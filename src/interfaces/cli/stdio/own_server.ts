import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { ConnectionError } from '@atelier/client/transport.ts';
import { serverEnvironment } from '../../../config/config.ts';
import { isFolderInUse } from '../../../core/database/folder_lock.ts';
import { runningServer } from '../running_server.ts';
import {
  SERVER_OUTPUT_CHARACTERS,
  START_LOOK_MS,
  START_TRIES_MAX,
  START_WAIT_MS,
  STOP_WAIT_MS,
} from './limits.ts';

/** The server that handles the calls, local or remote. */
export interface ServerAddress {
  /** URL without a trailing slash. @throws ConnectionError if no server can be reached or started */
  find(): Promise<string>;
  /** The server at this address does not respond: the next `find` searches again. */
  forget(address: string): void;
  /** Stops the server that this process started. */
  close(): Promise<void>;
}

const LAUNCHER = join(import.meta.dirname, '../../../../bin/atelier.mjs');

/**
 * Only one person uses this server, so the limits that protect a public server from its clients do not apply.
 * Settings in the environment take precedence.
 */
const FOR_ONE_PERSON = {
  CPU_SECONDS_BURST: '0',
  FREE_TOOLS_PER_HOUR: '1000000',
  PAID_TOOLS_PER_MINUTE: '1000000',
  MCP_PER_MINUTE: '1000000',
  UPLOADS_PER_HOUR: '1000000',
  LOG_LEVEL: 'warn',
};

interface Options {
  /** An absolute path. */
  readonly dataDir: string;
  /** Receives the output of the server. */
  log(text: string): void;
}

/**
 * Finds the server that already runs on `dataDir`, or starts one as a separate process on a free port of the
 * loopback interface. It ends with this process, even if this process is killed (`stopWithParent` in
 * bin/atelier.mjs). Of several that start concurrently one gets the lock of the folder, and the others use
 * that server; when it exits, one of them starts the next.
 */
export function createOwnServer({ dataDir, log }: Options): ServerAddress {
  const stopping = new AbortController();
  const server: OwnProcess = { said: '' };
  let found: Promise<string> | undefined;
  let known: string | undefined;
  return {
    find() {
      found ??= open(dataDir, server, { log, signal: stopping.signal }).then(
        (address) => {
          known = address;
          return address;
        },
        (error: unknown) => {
          found = undefined;
          throw error;
        },
      );
      return found;
    },
    forget(lost) {
      // Of concurrent failed calls only the first one searches again.
      if (lost === known) found = known = undefined;
    },
    async close() {
      stopping.abort();
      if (server.child) await stop(server.child);
    },
  };
}

/** The server that this process has started, if any, and the end of its output. */
interface OwnProcess {
  child?: ChildProcess | undefined;
  said: string;
}

/** Waits for the server of a folder, and starts it if no process uses the folder. @throws ConnectionError */
async function open(
  dataDir: string,
  server: OwnProcess,
  { log, signal }: Pick<Options, 'log'> & { readonly signal: AbortSignal },
): Promise<string> {
  const end = performance.now() + START_WAIT_MS;
  server.said = '';
  for (let starts = 0; !signal.aborted && performance.now() < end; await delay(START_LOOK_MS)) {
    const address = await runningServer(dataDir);
    if (address !== undefined && (await answers(address))) return address;
    // A server that is stopping, or one that another command is starting.
    if (server.child || isFolderInUse(dataDir) || signal.aborted) continue;
    if (starts === START_TRIES_MAX) break;
    starts += 1;
    start(dataDir, server, log);
  }
  const reason = signal.aborted ? 'This command is stopping.' : server.said.trim();
  throw new ConnectionError(`The local server did not start. ${reason}`.trim());
}

function start(dataDir: string, server: OwnProcess, log: Options['log']): void {
  const words = ['start', '--host', '127.0.0.1', '--port', '0', '--data-dir', dataDir];
  const child = spawn(process.execPath, [LAUNCHER, ...words], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: serverEnvironment(FOR_ONE_PERSON, { PUBLIC_URL: '', ATELIER_LAUNCHER: String(process.pid) }),
  });
  server.child = child;
  for (const output of [child.stdout, child.stderr])
    output.setEncoding('utf8').on('data', (text: string) => {
      server.said = (server.said + text).slice(-SERVER_OUTPUT_CHARACTERS);
      log(text);
    });
  const gone = () => {
    if (server.child === child) server.child = undefined;
  };
  child.once('exit', gone).once('error', gone);
}

/** Stops the server with SIGTERM: it finishes running calls, within a time limit. */
async function stop(child: ChildProcess): Promise<void> {
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  child.kill('SIGTERM');
  const late = setTimeout(() => child.kill('SIGKILL'), STOP_WAIT_MS);
  await ended;
  clearTimeout(late);
}

/** A remote server, which is neither started nor stopped here. */
export const remoteServer = (address: string): ServerAddress => ({
  find: async () => address,
  forget: () => {},
  close: async () => {},
});

/** Whether a service listens there; the process id in an old file may belong to another program by now. */
async function answers(address: string): Promise<boolean> {
  const response = await fetch(`${address}/health`, { signal: AbortSignal.timeout(5000) }).catch(
    () => undefined,
  );
  await response?.body?.cancel();
  return response !== undefined;
}
