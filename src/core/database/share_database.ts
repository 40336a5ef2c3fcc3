import { chmodSync, rmSync } from 'node:fs';
import { createServer, type Server, type Socket } from 'node:net';
import { join } from 'node:path';
import { deserialize, serialize } from 'node:v8';
import { AtelierError } from '../errors/atelier_error.ts';
import { replyTo } from './exchange.ts';
import type { Queryable, ScriptableDatabase } from './types.ts';

/** Statements with 100 records or 500 index words, and responses with a page of either, are below 1 MB. */
const FRAME_BYTES_MAX = 64 * 1024 * 1024;
const LENGTH_BYTES = 4;

/** Writes a length-prefixed structured clone of a value; resolves once the system has accepted it. @throws Error if the peer is gone */
export function writeFrame(socket: Socket, value: unknown): Promise<void> {
  const bytes = serialize(value);
  const length = Buffer.alloc(LENGTH_BYTES);
  length.writeUInt32LE(bytes.length);
  return new Promise((resolve, reject) => {
    socket.cork();
    socket.write(length);
    socket.write(bytes, (error) => (error ? reject(error) : resolve()));
    socket.uncork();
  });
}

/** Reads values one at a time, with backpressure. @throws Error for malformed values */
export async function* readFrames(socket: Socket): AsyncGenerator<unknown> {
  let pieces: Buffer[] = [];
  let bytes = 0;
  let wanted: number | undefined;
  for await (const piece of socket as AsyncIterable<Buffer>) {
    pieces.push(piece);
    bytes += piece.length;
    while (bytes >= (wanted ?? LENGTH_BYTES)) {
      const all = pieces.length === 1 ? pieces[0]! : Buffer.concat(pieces);
      const end = wanted ?? LENGTH_BYTES;
      pieces = [all.subarray(end)];
      bytes -= end;
      if (wanted === undefined) {
        wanted = all.readUInt32LE();
        if (wanted > FRAME_BYTES_MAX) throw new Error(`A message has ${wanted} bytes.`);
      } else {
        wanted = undefined;
        yield deserialize(all.subarray(0, end));
      }
    }
  }
}

/** Increment when older versions cannot read the protocol. */
export const SOCKET_VERSION = 1;
/** Path of the socket of the embedded database in `dataDir`. */
export const socketPath = (dataDir: string): string => join(dataDir, 'database.sock');

/** An open transaction blocks all others, so a client that is silent for this long loses its transaction. */
const SILENCE_MS = 2000;
const CLIENTS_MAX = 16;

/**
 * Shares an embedded database that this process has open with other processes of the same user (decision 14), through a socket in the data
 * folder, mode 0600. A process that can open the socket could write the database files as well. If the system has no Unix sockets, or the
 * path is too long for one, the database is not shared; other processes get the error of the process lock.
 */
export async function shareDatabase(
  database: ScriptableDatabase,
  dataDir: string,
  { silenceMs = SILENCE_MS } = {},
): Promise<ScriptableDatabase> {
  const guests = new Map<Socket, Promise<void>>();
  const server = createServer((socket) => {
    const leaving = serveClient(socket, database, silenceMs).finally(() => guests.delete(socket));
    guests.set(socket, leaving);
  });
  server.maxConnections = CLIENTS_MAX;
  if (!(await isListening(server, socketPath(dataDir)))) return database;
  server.unref();
  const showOut = async () => {
    server.close();
    for (const socket of guests.keys()) socket.destroy();
    await Promise.all(guests.values());
  };
  let closing: Promise<void> | undefined;
  return {
    ...database,
    query: (text, values) => database.query<never>(text, values).catch(refuseFrozen),
    transaction: (work) => database.transaction(work).catch(refuseFrozen),
    close: () => {
      closing ??= showOut().then(() => database.close());
      return closing;
    },
  };
}

/** Replaces a stale socket of a killed process: the folder lock proves that its owner is gone. */
function isListening(server: Server, path: string): Promise<boolean> {
  return new Promise((resolve) => {
    // Also a later failure to accept a client, for lack of resources: not fatal.
    server.on('error', () => resolve(false));
    server.once('listening', () => resolve(true));
    // `listen` creates the socket file before it accepts clients; the umask keeps it private from the start.
    const before = process.umask(0o077);
    try {
      rmSync(path, { force: true });
      server.listen(path);
      chmodSync(path, 0o600);
    } catch {
      server.close();
      resolve(false);
    } finally {
      process.umask(before);
    }
  });
}

/** Serves one client until it disconnects. Never rejects: an invalid message only ends its own connection. */
async function serveClient(socket: Socket, database: ScriptableDatabase, silenceMs: number): Promise<void> {
  socket.on('error', () => {});
  socket.on('timeout', () => socket.destroy());
  socket.setTimeout(silenceMs); // Until the client has identified its version.
  const session = createSession(database);
  try {
    let isGreeted = false;
    for await (const message of readFrames(socket)) {
      const { id, text, values } = isGreeted ? statementIn(message) : greetingIn(message);
      isGreeted = true;
      socket.setTimeout(0);
      const reply = await replyTo(id, session.answer(text, values));
      socket.setTimeout(session.isInTransaction() ? silenceMs : 0);
      await writeFrame(socket, reply);
    }
  } catch {
    // Invalid messages, or a disconnection in the middle of one.
  } finally {
    socket.destroy();
    await session.leave();
  }
}

interface Statement {
  readonly id: number;
  readonly text: string;
  readonly values: readonly unknown[];
}

function statementIn(message: unknown): Statement {
  const { id, text, values } = message as Statement;
  if (Number.isInteger(id) && typeof text === 'string' && Array.isArray(values)) return { id, text, values };
  throw new Error('not a statement');
}

/** The first message carries the version of the client; answered like a statement. */
function greetingIn(message: unknown): Statement {
  if ((message as { version?: unknown }).version === SOCKET_VERSION)
    return { id: 0, text: 'select 1', values: [] };
  throw new Error('another version');
}

/** Only a client of the socket makes an embedded database read-only. @throws AtelierError database_unavailable */
function refuseFrozen(error: unknown): never {
  if (!(error instanceof Error && (error as { code?: string }).code === READ_ONLY)) throw error;
  throw new AtelierError(
    'database_unavailable',
    'This server is being moved to another database and is read-only. Reads still work. Send the call again in one minute.',
    { cause: error, retryAfterSeconds: FROZEN_RETRY_SECONDS },
  );
}

/** SQLSTATE read_only_sql_transaction. */
const READ_ONLY = '25006';
const FROZEN_RETRY_SECONDS = 60;

/** Commands beside SQL: make the database read-only until the client disconnects, or keep it so afterwards. */
export const FREEZE = 'freeze';
export const STAY_FROZEN = 'stay frozen';

class RolledBack extends Error {}

/** State of one client. Its transactions are queued with all others. */
function createSession(database: ScriptableDatabase) {
  let open: { readonly tx: Queryable; end(how?: RolledBack): Promise<unknown> } | undefined;
  let isFreezing = false;

  /** The embedded database has one session, so the setting applies to all clients; an open transaction ends first. */
  const letWrite = async (may: boolean) => {
    isFreezing = !may;
    await database.query(`set default_transaction_read_only = ${may ? 'off' : 'on'}`);
  };
  const begin = async () => {
    const started = Promise.withResolvers<Queryable>();
    const verdict = Promise.withResolvers<void>();
    const done = database.transaction((tx) => {
      started.resolve(tx);
      return verdict.promise;
    });
    done.catch(started.reject);
    open = {
      tx: await started.promise,
      async end(rollback) {
        open = undefined;
        if (rollback) verdict.reject(rollback);
        else verdict.resolve();
        await done.catch((error: unknown) => {
          if (error !== rollback) throw error;
        });
      },
    };
  };
  const answer = async (text: string, values: readonly unknown[]): Promise<unknown[]> => {
    if (text === 'begin' && !open) await begin();
    else if (text === 'commit' && open) await open.end();
    else if (text === 'rollback') await open?.end(new RolledBack());
    else if (text === FREEZE) await letWrite(false);
    else if (text === STAY_FROZEN) isFreezing = false;
    else return (open?.tx ?? database).query(text, values);
    return [];
  };
  return {
    answer,
    isInTransaction: () => open !== undefined,
    /** Reverts its state. */
    leave: async () => {
      await open?.end(new RolledBack()).catch(() => {});
      if (isFreezing) await letWrite(true).catch(() => {});
    },
  };
}
