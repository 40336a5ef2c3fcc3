import pg from 'pg';
import { newSchema } from '../../../tests/support/new_schema.ts';
import { openPostgresqlPair, postgresqlPrograms } from '../../../tests/support/postgresql_pair.ts';
import { openTcpProxy, type TcpProxy } from '../../../tests/support/tcp_proxy.ts';

/** A PostgreSQL with a separate, breakable connection for each process. */
export interface FaultyDatabase {
  /** The connection of a process. */
  openLine(): Promise<Line>;
  /** URL of the primary, without any proxy. */
  url(): string;
  /** Breaks every connection. */
  cutAll(): Promise<void>;
  /** Kills the primary and promotes its standby after this time, once. Absent without a standby. */
  readonly failOver?: (afterMs: number) => Promise<void>;
  close(): Promise<void>;
}

export interface Line {
  readonly url: string;
  /** Forwards nothing, unnoticed by both sides. */
  silence(): void;
  /** Refuses connections. */
  refuse(): Promise<void>;
  restore(): Promise<void>;
  close(): Promise<void>;
}

/** A primary with a synchronous standby, if PostgreSQL is installed; else a schema on `serverUrl`. */
export async function openFaultyDatabase(serverUrl: string): Promise<FaultyDatabase> {
  if (postgresqlPrograms() === undefined) {
    const { name, url, drop } = await newSchema(serverUrl);
    return { openLine: () => openLine([url]), url: () => url, cutAll: () => cutAll(url, name), close: drop };
  }
  const pair = await openPostgresqlPair({ isSynchronous: true });
  let primary: 0 | 1 = 0;
  const url = () => pair.urls[primary];
  return {
    url,
    openLine: () => openLine(pair.urls),
    cutAll: () => cutAll(url(), 'atelier'),
    async failOver(afterMs) {
      if (primary === 1) return;
      pair.killPrimary();
      await new Promise((resolve) => setTimeout(resolve, afterMs));
      pair.promoteStandby();
      primary = 1;
    },
    close: async () => pair.close(),
  };
}

async function openLine(urls: readonly string[]): Promise<Line> {
  const proxies = await Promise.all(urls.map(openTcpProxy));
  const hosts = proxies.map(({ url }) => new URL(url).host).join(',');
  const [first] = proxies.map(({ url }) => url);
  const each = async (work: (proxy: TcpProxy) => Promise<void>) =>
    void (await Promise.all(proxies.map(work)));
  return {
    url: first!.replace(new URL(first!).host, hosts),
    silence() {
      for (const proxy of proxies) proxy.silence();
    },
    refuse: () => each((proxy) => proxy.refuse()),
    restore: () => each((proxy) => proxy.restore()),
    close: () => each((proxy) => proxy.close()),
  };
}

async function cutAll(url: string, applicationName: string): Promise<void> {
  await ask(
    url,
    `select pg_terminate_backend(pid) from pg_stat_activity where application_name = '${applicationName}'`,
  );
}

export async function ask<Row extends pg.QueryResultRow>(url: string, sql: string): Promise<Row[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query<Row>(sql);
  await client.end();
  return rows;
}
