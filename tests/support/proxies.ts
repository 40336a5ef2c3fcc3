import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { freePort } from './free_port.ts';
import type { Requirement } from './test_requirements.ts';

const FILES = resolve(import.meta.dirname, '../../deploy/proxy');
const read = (file: string) => readFileSync(join(FILES, file), 'utf8');

interface Place {
  /** Address of the proxy, without TLS, and of the servers, separated by blanks: `127.0.0.1:8080`. */
  readonly proxy: string;
  readonly service: string;
  /** Separate folder of the proxy. */
  readonly folder: string;
  /** nginx only: it buffers responses, which is its default. */
  readonly isBuffering: boolean;
}

interface Program {
  readonly words: readonly string[];
  readonly env?: Record<string, string>;
}

/**
 * Commands that start each proxy with its file of `deploy/proxy`, of which only addresses and certificates
 * are changed.
 */
const PROXIES = {
  nginx({ proxy, service, folder, isBuffering }) {
    const site = read('nginx.conf')
      .replace(/^ +ssl_.*\n/gm, '')
      .replace(/listen .*;/, `listen ${proxy};`)
      .replace(isBuffering ? 'proxy_buffering off;' : '', '')
      .replace(/^ +server 127\.0\.0\.1:8080(.*;)/m, (_, rest) =>
        service
          .split(' ')
          .map((one) => `server ${one}${rest}`)
          .join('\n'),
      );
    const around = `daemon off; pid ${folder}/pid; user root; error_log stderr; events {}
      http { access_log off; client_body_temp_path ${folder}/bodies; proxy_temp_path ${folder}/answers; ${site} }`;
    return { words: ['-p', folder, '-c', written(folder, 'nginx.conf', around)] };
  },
  Caddy: ({ proxy, service, folder }) => ({
    words: ['run', '--adapter', 'caddyfile', '--config', join(FILES, 'Caddyfile')],
    env: { SITE: `http://${proxy}`, SERVERS: service, HOME: folder, CADDY_ADMIN: `unix/${folder}/admin` },
  }),
  HAProxy({ proxy, service, folder }) {
    const text = read('haproxy.cfg')
      .replace(/bind .*/, `bind ${proxy}`)
      .replaceAll('127.0.0.1:8080', service);
    return { words: ['-db', '-f', written(folder, 'haproxy.cfg', text)] };
  },
} satisfies Partial<Record<Requirement, (place: Place) => Program>>;
export type ProxyName = keyof typeof PROXIES;

/** Starts a proxy in front of a service. @throws Error if it does not listen after ten seconds */
export async function startProxy(
  name: ProxyName,
  serviceUrls: string | readonly string[],
  { isBuffering = false } = {},
): Promise<{ url: string; process: ChildProcess; output(): string }> {
  const proxy = `127.0.0.1:${await freePort()}`;
  const place = {
    proxy,
    service: [serviceUrls]
      .flat()
      .map((url) => new URL(url).host)
      .join(' '),
    folder: mkdtempSync(join(tmpdir(), 'atelier-proxy-')),
    isBuffering,
  };
  const { words, env = {} }: Program = PROXIES[name](place);
  const child = spawn(name.toLowerCase(), words, {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let said = '';
  child.stderr.setEncoding('utf8').on('data', (text) => {
    said += text;
  });
  const url = `http://${proxy}`;
  for (let tries = 0; tries < 100 && child.exitCode === null; tries += 1) {
    const answer = await fetch(`${url}/health`).catch(() => undefined);
    if (answer?.ok) return { url, process: child, output: () => said };
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  child.kill('SIGKILL');
  throw new Error(`${name} did not start: ${said}`);
}

function written(folder: string, name: string, text: string): string {
  writeFileSync(join(folder, name), text);
  return join(folder, name);
}
