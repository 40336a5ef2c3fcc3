import { type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from 'node:http';
import { Server as NetServer, type Socket } from 'node:net';
import { RESPONSE_STALL_MS } from '../../config/limits.ts';
import { AtelierError } from '../../core/errors/atelier_error.ts';
import { addressPrefixes } from '../../core/rate_limits/rate_limits.ts';
import { problemDetails } from '../../pipeline/errors.ts';
import {
  CONNECTION_CHECK_MS,
  LINGER_MS,
  PREFIX_BOUND_FACTORS,
  QUIET_TURN_MS,
  RESPONSE_WAIT_MS,
  STOP_ARRIVING_MS,
  STOP_IDLE_MS,
  STOP_QUIET_MS,
  UPLOAD_BYTES_PER_SECOND_MIN,
} from './limits.ts';
import { isTrusted, normaliseAddress } from './request.ts';

interface ConnectionBounds {
  /** Open connections of all clients. At this number the server evicts a waiting connection for each new one. */
  readonly inAll: number;
  /** Open connections of one address; an IPv6 /64, /56 and /48 has 4, 16 and 64 times as many. */
  readonly perAddress: number;
  /** Addresses or CIDR ranges. A proxy connects for many clients, so its connections are bounded by `inAll` only. */
  readonly trustedProxies: readonly string[];
  /** Interval of the pace checks, in ms. Default 1 s. */
  readonly checkMs?: number;
  /** Called for each refused (429, or 503 if no connection can be evicted) or evicted connection. */
  onRefused(address: string, code: 'too_many_connections' | 'connection_evicted'): void;
}

/** An address or an IPv6 prefix with open connections. */
interface ClientNetwork {
  readonly name: string;
  readonly bound: number;
  open: number;
  /** Connections that wait for their client, longest wait first: a Set keeps insertion order. */
  readonly waiting: Set<Connection>;
}

interface Connection {
  readonly socket: Socket;
  readonly address: string;
  readonly networks: readonly ClientNetwork[];
  /** Monotonic, in ms; undefined while a request is in progress. */
  waitingSince: number | undefined;
  /** Requests without a complete response. Pipelining makes several. */
  requests: number;
  /** The last request, until its response is complete. */
  incoming: IncomingMessage | undefined;
  /** Values at the last check. */
  bytesRead: number;
  bytesTaken: number;
  /** When the client last accepted bytes of a response, or had none to accept. Monotonic, in ms. */
  takenAt: number;
}

/** Connections by the state the eviction needs, and the networks that hold them. */
class ConnectionTable {
  readonly connections = new Map<Socket, Connection>();
  readonly #networks = new Map<string, ClientNetwork>();

  /** The networks of an address, smallest first. A trusted proxy is one network without a limit. */
  networksOf(address: string, perAddress: number): ClientNetwork[] {
    const names = perAddress === Number.POSITIVE_INFINITY ? [address] : addressPrefixes(address);
    return names.map((name, index) => {
      const bound = perAddress * PREFIX_BOUND_FACTORS[index]!;
      return this.#networks.get(name) ?? { name, bound, open: 0, waiting: new Set() };
    });
  }

  add(connection: Connection): void {
    this.connections.set(connection.socket, connection);
    for (const network of connection.networks) {
      network.open += 1;
      this.#networks.set(network.name, network);
    }
    this.startWait(connection);
  }

  remove(connection: Connection): void {
    if (!this.connections.delete(connection.socket)) return;
    this.endWait(connection);
    for (const network of connection.networks) {
      network.open -= 1;
      if (network.open === 0) this.#networks.delete(network.name);
    }
  }

  startWait(connection: Connection): void {
    if (connection.waitingSince !== undefined || !this.connections.has(connection.socket)) return;
    connection.waitingSince = performance.now();
    for (const network of connection.networks) network.waiting.add(connection);
  }

  endWait(connection: Connection): void {
    connection.waitingSince = undefined;
    for (const network of connection.networks) network.waiting.delete(connection);
  }

  /**
   * The connection whose loss costs least: of the network with the most waiting connections relative to its
   * limit, the one that has waited longest. Undefined if every connection has a request in progress.
   */
  evictable(): Connection | undefined {
    let victim: Connection | undefined;
    let load = -1;
    for (const network of this.#networks.values()) {
      const share = network.waiting.size / network.bound;
      if (share < load || network.waiting.size === 0) continue;
      const first = this.#longestWait(network);
      if (!first || (share === load && first.waitingSince! >= victim!.waitingSince!)) continue;
      [victim, load] = [first, share];
    }
    return victim;
  }

  /** A body may have become complete since the last check without having been read. */
  #longestWait(network: ClientNetwork): Connection | undefined {
    for (const connection of network.waiting) {
      if (!connection.incoming?.complete || isStalled(connection)) return connection;
      this.endWait(connection);
    }
    return undefined;
  }
}

/**
 * Limits open connections, per address and in total. Above the limit of an address the server answers 429
 * before it reads anything. At the total limit a new connection replaces one that waits for its client: for a
 * request head, for the next request, for a body slower than `UPLOAD_BYTES_PER_SECOND_MIN`, or for the client
 * to read the response. A complete request whose response the client reads is never interrupted. Decision 7
 * has the reasons.
 */
export function boundConnections(server: Server, bounds: ConnectionBounds): void {
  const { inAll, onRefused, checkMs = CONNECTION_CHECK_MS } = bounds;
  const table = new ConnectionTable();
  server.on('connection', (socket) => {
    const connection = newConnection(socket, table, bounds);
    const isAtBound = connection.networks.some(({ open, bound }) => open >= bound);
    const isFull = !isAtBound && table.connections.size >= inAll;
    const victim = isFull ? table.evictable() : undefined;
    if (isAtBound || (isFull && !victim)) {
      onRefused(connection.address, 'too_many_connections');
      return refuse(socket, isAtBound ? '429 Too Many Requests' : '503 Service Unavailable');
    }
    if (victim) {
      table.remove(victim);
      victim.socket.destroy();
      onRefused(victim.address, 'connection_evicted');
    }
    table.add(connection);
    socket.once('close', () => table.remove(connection));
  });
  server.prependListener('request', (incoming, outgoing) => followRequest(table, incoming, outgoing));
  const checks = setInterval(() => {
    for (const connection of table.connections.values()) checkPace(table, connection, checkMs);
  }, checkMs).unref();
  server.once('close', () => clearInterval(checks));
}

function newConnection(
  socket: Socket,
  table: ConnectionTable,
  { perAddress, trustedProxies }: ConnectionBounds,
): Connection {
  const remote = socket.remoteAddress ?? '';
  const bound = isTrusted(remote, trustedProxies) ? Number.POSITIVE_INFINITY : perAddress;
  return {
    socket,
    address: normaliseAddress(remote),
    networks: table.networksOf(remote, bound),
    waitingSince: undefined,
    requests: 0,
    incoming: undefined,
    bytesRead: 0,
    bytesTaken: 0,
    takenAt: performance.now(),
  };
}

function followRequest(table: ConnectionTable, incoming: IncomingMessage, outgoing: ServerResponse): void {
  const connection = table.connections.get(incoming.socket);
  if (!connection) return;
  connection.requests += 1;
  connection.incoming = incoming;
  connection.takenAt = performance.now();
  // Node sets `complete` after this event, so the head has to say whether a body follows.
  if (!hasBody(incoming)) table.endWait(connection);
  incoming.once('end', () => {
    // Node discards the rest of a body after the response as well.
    if (connection.incoming === incoming) table.endWait(connection);
  });
  outgoing.once('close', () => {
    connection.requests -= 1;
    if (connection.requests > 0) return;
    connection.incoming = undefined;
    // Restarts the wait of a connection whose body never became complete.
    table.endWait(connection);
    table.startWait(connection);
  });
}

const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;

/** Decides whether a connection with a request waits for its client, and closes one whose client has stopped reading. */
function checkPace(table: ConnectionTable, connection: Connection, checkMs: number): void {
  const { socket, incoming, bytesRead } = connection;
  const now = performance.now();
  connection.bytesRead = socket.bytesRead;
  if (!incoming) return;
  if (hasBody(incoming) && !incoming.complete) {
    const isSlow = socket.bytesRead - bytesRead < (checkMs / 1000) * UPLOAD_BYTES_PER_SECOND_MIN;
    // While the server does not read arrived bytes, the client cannot send more.
    const isHeldBack = incoming.isPaused() || incoming.readableLength > 0;
    if (isSlow && !isHeldBack) table.startWait(connection);
    else table.endWait(connection);
    connection.takenAt = now;
    return;
  }
  const taken = bytesTaken(socket);
  if (socket.writableLength === 0 || taken > connection.bytesTaken) connection.takenAt = now;
  connection.bytesTaken = taken;
  if (now - connection.takenAt >= RESPONSE_STALL_MS) socket.destroy();
  else if (isStalled(connection)) table.startWait(connection);
  else table.endWait(connection);
}

const isStalled = ({ takenAt }: Connection): boolean => performance.now() - takenAt >= RESPONSE_WAIT_MS;

/**
 * Bytes that the kernel has accepted for sending. `writableLength` counts a chunk as unsent until all of it
 * is sent, and a chunk may be a whole file.
 */
function bytesTaken(socket: Socket & { readonly _handle?: Partial<StreamHandle> | null }): number {
  const { bytesWritten = socket.bytesWritten, writeQueueSize = socket.writableLength } = socket._handle ?? {};
  return bytesWritten - writeQueueSize;
}

/** The part of libuv's stream that Node keeps below a socket. */
interface StreamHandle {
  readonly bytesWritten: number;
  readonly writeQueueSize: number;
}

function refuse(socket: Socket, status: string): void {
  socket.pause();
  socket.end(`HTTP/1.1 ${status}\r\nRetry-After: 5\r\nContent-Length: 0\r\nConnection: close\r\n\r\n`);
  socket.destroySoon();
}

export interface Serving {
  /**
   * From now on every response closes its connection, so that clients and proxies connect elsewhere. New
   * connections are accepted.
   */
  leave(): void;
  /**
   * Stops listening and resolves when every response has been sent. Implies `leave`.
   * @param endsMs connections that are still open after this time, in ms, are closed
   */
  stop(endsMs: number): Promise<void>;
}

/** Stops a server without losing requests: HTTP/1.1 cannot announce on an idle connection that it is about to close. */
export function watchServing(server: Server): Serving {
  const open = new Map<IncomingMessage, ServerResponse>();
  const silent = silentSockets(server);
  let isLeaving = false;
  // Before the listener that responds: it may send the headers at once.
  server.prependListener('request', (request, response) => {
    if (isLeaving) response.shouldKeepAlive = false;
    open.set(request, response);
    response.once('close', () => open.delete(request));
  });
  const leave = () => {
    isLeaving = true;
    for (const response of open.values()) if (!response.headersSent) response.shouldKeepAlive = false;
  };
  return {
    leave,
    async stop(endsMs) {
      leave();
      await quietTurn();
      // `close` of http.Server also ends idle connections at once, on which a request may be in transit.
      const closed = new Promise((resolve) => NetServer.prototype.close.call(server, resolve));
      const idle = setInterval(() => {
        for (const socket of silent) socket.destroy();
        server.closeIdleConnections();
      }, STOP_IDLE_MS);
      const timers = [
        idle,
        setTimeout(() => {
          for (const { complete, socket } of open.keys()) if (!complete) socket.destroy();
        }, STOP_ARRIVING_MS),
        setTimeout(() => server.closeAllConnections(), endsMs),
      ];
      await closed;
      for (const timer of timers) clearTimeout(timer);
    },
  };
}

/**
 * The system resets connections that wait in its queue when the listening socket closes. Resolves right after
 * a turn of the event loop that has accepted the waiting ones and did little else, so that hardly any can
 * have arrived since.
 */
async function quietTurn(): Promise<void> {
  const end = performance.now() + STOP_QUIET_MS;
  let began: number;
  do {
    began = performance.now();
    await new Promise(setImmediate);
  } while (performance.now() - began > QUIET_TURN_MS && began < end);
}

/** Connections without a request, which browsers open in advance. Node does not count them as idle. */
function silentSockets(server: Server): ReadonlySet<Socket> {
  const silent = new Set<Socket>();
  server.on('connection', (socket) => {
    silent.add(socket);
    socket.once('close', () => silent.delete(socket));
  });
  server.on('request', ({ socket }) => silent.delete(socket));
  return silent;
}

/**
 * Lets a client that got a response in the middle of its upload read that response. The system resets a
 * connection that is closed with unread bytes, and a reset discards what the client has not read yet. So
 * first only the sending side is closed, and arriving bytes are dropped until the client closes its side or
 * `LINGER_MS` have passed (RFC 9112, 9.6).
 */
export function drainRefused(server: Server): void {
  // Before the handler, whose request may have ended when later listeners run.
  server.prependListener('request', (incoming, outgoing) => {
    outgoing.once('prefinish', () => {
      if (!incoming.complete) closeInTwoSteps(incoming);
    });
  });
}

function closeInTwoSteps(incoming: IncomingMessage): void {
  const { socket } = incoming;
  // Node calls this once a response with "Connection: close" is written.
  socket.destroySoon = () => {
    socket.end();
    const end = setTimeout(() => socket.destroy(), LINGER_MS).unref();
    socket.once('close', () => clearTimeout(end));
    incoming.resume();
  };
}

/**
 * Answers malformed requests, which never reach a handler, with a problem object; Node would send a bare
 * status. Nothing is sent in the middle of a response, or after the client has disconnected.
 * @param publicUrl read for each response: a server listens before it knows its URL
 */
export function answerMalformed(server: Server, publicUrl: () => string): void {
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Answering) => {
    if (error.code === 'ECONNRESET' || !socket.writable || socket._httpMessage?.headersSent) {
      socket.destroy();
      return;
    }
    socket.end(answerTo(unreadable(error.code), publicUrl()));
    socket.destroySoon();
  });
}

/** Node keeps the current response in this property, and reads it in the same case. */
interface Answering extends Socket {
  readonly _httpMessage?: { readonly headersSent: boolean } | null;
}

function unreadable(code: string | undefined): AtelierError {
  if (code === 'HPE_HEADER_OVERFLOW') return new AtelierError('headers_too_large');
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT')
    return new AtelierError(
      'body_too_slow',
      'The request did not arrive in time. The server closed the connection.',
    );
  return new AtelierError('unreadable_request');
}

function answerTo(error: AtelierError, publicUrl: string): string {
  const problem = problemDetails(error, { requestId: '', instance: '', publicUrl });
  const body = JSON.stringify(problem);
  return [
    `HTTP/1.1 ${error.status} ${STATUS_CODES[error.status]}`,
    'Content-Type: application/problem+json',
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Cache-Control: no-store',
    'Connection: close',
    '',
    body,
  ].join('\r\n');
}
