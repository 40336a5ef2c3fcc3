import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { createExchange, oneSession, type Reply } from './exchange.ts';
import { FREEZE, readFrames, SOCKET_VERSION, STAY_FROZEN, socketPath, writeFrame } from './share_database.ts';
import type { JoinedDatabase, ScriptableDatabase } from './types.ts';

const ANSWER_TIMEOUT_MS = 10_000;

/**
 * Joins the embedded database of another process through its socket. Undefined if there is no socket.
 * @throws Error if the owner refuses this process
 */
export async function joinDatabase(dataDir: string): Promise<JoinedDatabase | undefined> {
  const path = socketPath(dataDir);
  const socket = await connectToSocket(path);
  if (!socket) return undefined;
  // If the other side is gone, the reader reports it.
  const send = (value: object) => void writeFrame(socket, value).catch(() => {});
  const exchange = createExchange(send);
  void receive(socket, exchange);
  send({ version: SOCKET_VERSION });
  const late = setTimeout(() => socket.destroy(), ANSWER_TIMEOUT_MS);
  await exchange.opened
    .catch((error: unknown) => {
      throw new Error(
        `The process that has ${dataDir} open refused the connection through ${path}. It may run another version, or have too many clients.`,
        { cause: error },
      );
    })
    .finally(() => clearTimeout(late));
  const stop = async () => {
    if (socket.destroyed) return;
    const closed = once(socket, 'close');
    socket.end();
    await closed;
  };
  const connection = {
    query: exchange.connection.query,
    // Only migrations use scripts.
    script: () =>
      Promise.reject(
        new Error(
          `The process that has ${dataDir} open runs an older version than this program. Restart it to migrate the database.`,
        ),
      ),
  };
  const say = async (word: string) => void (await exchange.connection.query(word));
  return {
    ...oneSession({ connection: () => connection, stop }),
    freeze: () => say(FREEZE),
    stayFrozen: () => say(STAY_FROZEN),
  };
}

/** Whether another process owns the database, and this one has joined it. */
export const isJoined = (database: ScriptableDatabase): database is JoinedDatabase => 'freeze' in database;

async function connectToSocket(path: string): Promise<Socket | undefined> {
  const socket = connect(path);
  try {
    await once(socket, 'connect');
    socket.on('error', () => {}); // Reported by the reader.
    return socket;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EACCES')
      throw new Error(`${path} belongs to another user. Run this as the user the server runs as.`);
    return undefined;
  }
}

async function receive(socket: Socket, exchange: ReturnType<typeof createExchange>): Promise<void> {
  const gone =
    'The process that has the database open has ended, or has closed the connection. Run the same command again.';
  try {
    for await (const reply of readFrames(socket)) exchange.receive(reply as Reply);
    exchange.end(new Error(gone));
  } catch (error) {
    exchange.end(new Error(gone, { cause: error }));
  }
}
