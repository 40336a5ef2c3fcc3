import { execFileSync } from 'node:child_process';
import { chownSync, globSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from './free_port.ts';

/** Programs of an installed PostgreSQL server, in Debian's location; undefined if there is none. */
export const postgresqlPrograms = (): string | undefined =>
  globSync('/usr/lib/postgresql/*/bin').sort().at(-1);

export interface PostgresqlPair {
  /** Value of DATABASE_URL with both servers. */
  readonly url: string;
  /** One URL per server. */
  readonly urls: readonly [string, string];
  /** Kills the primary, as a power failure would. */
  killPrimary(): void;
  promoteStandby(): void;
  close(): void;
}

/**
 * A primary and a streaming standby, on free ports.
 * @param options `isSynchronous`: a commit waits for the standby
 */
export async function openPostgresqlPair({
  isSynchronous,
}: {
  isSynchronous: boolean;
}): Promise<PostgresqlPair> {
  const programs = postgresqlPrograms()!;
  const folder = mkdtempSync(join(tmpdir(), 'atelier-pair-'));
  // The server refuses to run as root.
  const user = process.getuid?.() === 0 ? 'postgres' : undefined;
  if (user) chownSync(folder, statSync('/var/lib/postgresql').uid, -1);
  const run = (program: string, ...words: string[]) => {
    const command = [join(programs, program), ...words];
    const [first = '', ...rest] = user
      ? ['setpriv', `--reuid=${user}`, `--regid=${user}`, '--clear-groups', ...command]
      : command;
    return execFileSync(first, rest, {
      stdio: ['ignore', 'pipe', 'pipe'],
      cwd: folder,
      env: { ...process.env, HOME: folder },
    });
  };
  const ports = [await freePort(), await freePort()] as const;
  const dataOf = (nth: 0 | 1) => join(folder, String(nth));
  const start = (nth: 0 | 1) => {
    const options = `-p ${ports[nth]} -k ${folder} -c listen_addresses=127.0.0.1 -c max_connections=60 -c wal_keep_size=64MB`;
    run('pg_ctl', '-D', dataOf(nth), '-w', '-l', join(folder, `${nth}.log`), '-o', options, 'start');
  };
  run('initdb', '-D', dataOf(0), '-U', 'atelier', '--auth=trust', '--no-sync', '-E', 'UTF8');
  start(0);
  const primary = ['-h', '127.0.0.1', '-p', String(ports[0]), '-U', 'atelier'];
  run('createdb', ...primary, 'atelier');
  run('pg_basebackup', ...primary, '-D', dataOf(1), '-R', '-c', 'fast', '-X', 'stream');
  start(1);
  const urls = ports.map((port) => `postgres://atelier@127.0.0.1:${port}/atelier`) as [string, string];
  const query = (sql: string) => run('psql', ...primary, '-d', 'atelier', '-Atc', sql);
  if (isSynchronous) {
    query(`alter system set synchronous_standby_names = '*'`);
    query('select pg_reload_conf()');
  }
  const stop = (nth: 0 | 1) => {
    try {
      run('pg_ctl', '-D', dataOf(nth), '-m', 'immediate', '-w', 'stop');
    } catch {} // Not running.
  };
  return {
    url: `postgres://atelier@127.0.0.1:${ports[0]},127.0.0.1:${ports[1]}/atelier`,
    urls,
    killPrimary: () => stop(0),
    promoteStandby: () => void run('pg_ctl', '-D', dataOf(1), '-w', 'promote'),
    close() {
      stop(0);
      stop(1);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
