import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

export interface TcpProxy {
  /** The given URL, through the proxy. */
  readonly url: string;
  /** From now on forwards nothing and closes nothing, as after a cable was pulled. */
  silence(): void;
  /** From now on refuses connections, and breaks existing ones. */
  refuse(): Promise<void>;
  restore(): Promise<void>;
  /** Becomes silent when a client sends this text, which the server does not receive; resolves then. */
  silenceAt(words: string): Promise<void>;
  /**
   * Breaks the first connection on which a client sends this text, before the server receives it or after it
   * has responded.
   */
  breakOnce(words: string, when: 'before' | 'after'): void;
  close(): Promise<void>;
}

/** A proxy in front of a shared server, which can fail without affecting the server. */
export async function openTcpProxy(target: string): Promise<TcpProxy> {
  const { hostname, port } = new URL(target);
  const open = new Set<Socket>();
  let isSilent = false;
  let trap: { words: string; when: 'before' | 'after' } | undefined;
  let silencing: { words: string; reached(): void } | undefined;

  const server = createServer((client) => {
    const upstream = connect(Number(port || 5432), hostname);
    let isBroken = false;
    for (const socket of [client, upstream]) {
      open.add(socket);
      socket.on('error', () => {}).on('close', () => open.delete(socket));
    }
    const end = () => {
      client.destroy();
      upstream.destroy();
    };
    client.on('close', end);
    upstream.on('close', end);
    client.on('data', (bytes) => {
      if (silencing && bytes.includes(silencing.words)) {
        isSilent = true;
        silencing.reached();
      }
      if (isSilent) return;
      if (trap && bytes.includes(trap.words)) {
        const { when } = trap;
        trap = undefined;
        if (when === 'before') return end();
        isBroken = true;
      }
      upstream.write(bytes);
    });
    upstream.on('data', (bytes) => {
      if (isBroken) end();
      else if (!isSilent) client.write(bytes);
    });
  });
  const listen = async (at: number) => {
    server.listen(at, '127.0.0.1');
    await once(server, 'listening');
  };
  await listen(0);
  const own = (server.address() as AddressInfo).port;
  const breakAll = () => {
    for (const socket of open) socket.destroy();
  };
  const refuse = async () => {
    const closed = new Promise((resolve) => server.close(resolve));
    breakAll();
    await closed;
  };
  const url = new URL(target);
  url.host = `127.0.0.1:${own}`;
  return {
    url: url.href,
    silence: () => {
      isSilent = true;
    },
    silenceAt(words) {
      const { promise, resolve } = Promise.withResolvers<void>();
      silencing = { words, reached: resolve };
      return promise;
    },
    refuse,
    async restore() {
      isSilent = false;
      silencing = undefined;
      breakAll();
      if (!server.listening) await listen(own);
    },
    breakOnce: (words, when) => {
      trap = { words, when };
    },
    close: () => (server.listening ? refuse() : Promise.resolve()),
  };
}
