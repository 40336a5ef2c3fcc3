import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';

/** Proxies for https and http addresses, and the hosts excluded from them. */
export interface Proxies {
  readonly https?: string;
  readonly http?: string;
  readonly no?: string;
}

/** npm configuration of this machine, for registry access. */
export interface NpmConfig {
  /** Folder of npm's cache. */
  readonly cache: string;
  /** Only the cache may be used. */
  readonly isOffline: boolean;
  readonly proxy: Proxies;
  /** Certificate authorities in PEM, replacing those of Node. */
  readonly ca?: string;
  /** False: certificates are not verified (`strict-ssl`). */
  readonly isTlsStrict: boolean;
  /** Base URL of the registry of a package, without a trailing slash. */
  registryOf(packageName: string): string;
  /** Value of the Authorization header for a URL; undefined if npm has no credentials for it. */
  authorizationFor(url: string): string | undefined;
}

type Environment = Readonly<Record<string, string | undefined>>;
type Values = ReadonlyMap<string, string>;

/** npm starts in a second; a busy machine needs more. */
const NPM_MS_MAX = 30_000;

let askedOfNpm: string | undefined;

/**
 * Runs npm once: it takes half a second, and there are a dozen packages.
 * @throws Error if no registry is configured and npm, which has a default, is not installed
 */
function defaultRegistry(): string {
  try {
    askedOfNpm ??= execFileSync('npm', ['config', 'get', 'registry'], {
      timeout: NPM_MS_MAX,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    }).trim();
    return askedOfNpm;
  } catch (cause) {
    throw new Error(
      'npm is not installed here, and no registry is configured. Set npm_config_registry to the address of yours.',
      { cause },
    );
  }
}

/**
 * Reads the npm configuration in the order of its own client: environment (`npm_config_…`), the user's `.npmrc`, the global one.
 * The `.npmrc` of the working directory is ignored: an untrusted folder must not redirect requests. See npmrc in the documentation
 * of npm 11. The default registry comes from npm itself.
 */
export function readNpmConfig(environment: Environment): NpmConfig {
  const fromEnvironment = environmentValues(environment);
  const user = fromEnvironment.get('userconfig') ?? join(homedir(), '.npmrc');
  const files = [user, globalFile(fromEnvironment)].flatMap((path) => readNpmrc(path, environment) ?? []);
  const values: Values = new Map([...files.reverse(), fromEnvironment].flatMap((map) => [...map]));
  const setting = (name: string) => emptyAsAbsent(values.get(name));
  const general = readProxies(environment);
  const proxy = setting('proxy') ?? general.http;
  const https = setting('https-proxy') ?? general.https ?? proxy;
  const no = setting('noproxy') ?? setting('no-proxy') ?? general.no;
  const cafile = setting('cafile');
  const ca = cafile === undefined ? setting('ca')?.replaceAll('\\n', '\n') : readText(cafile);
  return {
    cache: setting('cache') ?? join(homedir(), '.npm'),
    isOffline: setting('offline') === 'true',
    proxy: { ...(https && { https }), ...(proxy && { http: proxy }), ...(no && { no }) },
    ...(ca && { ca }),
    isTlsStrict: setting('strict-ssl') !== 'false',
    registryOf(packageName) {
      const [scope] = packageName.startsWith('@') ? packageName.split('/') : [];
      const registry = (scope && setting(`${scope}:registry`)) ?? setting('registry') ?? defaultRegistry();
      return registry.replace(/\/+$/, '');
    },
    authorizationFor: (url) => authorizationOf(url, setting),
  };
}

/** The proxy variables that most programs support. */
export function readProxies(environment: Environment): Proxies {
  const of = (name: string) => environment[name] || environment[name.toLowerCase()];
  const [https, http, no] = ['HTTPS_PROXY', 'HTTP_PROXY', 'NO_PROXY'].map(of);
  return { ...(https && { https }), ...(http && { http }), ...(no && { no }) };
}

const emptyAsAbsent = (value: string | undefined): string | undefined =>
  value === undefined || value === '' || value === 'null' ? undefined : value;

/** `npm_config_https_proxy` is `https-proxy`; names that begin with a URL are unchanged. */
function environmentValues(environment: Environment): Values {
  const values = new Map<string, string>();
  for (const [name, value] of Object.entries(environment)) {
    const [, key] = /^npm_config_(.+)$/i.exec(name) ?? [];
    if (!key || !value) continue;
    const isAddress = key.startsWith('//') || key.startsWith('@');
    values.set(isAddress ? key : key.toLowerCase().replace(/(?!^)_/g, '-'), value);
  }
  return values;
}

/** The global file belongs to the prefix of the npm installation, which a Node of another prefix can only guess. */
function globalFile(values: Values): string {
  const named = values.get('globalconfig');
  if (named !== undefined) return named;
  const prefixes = [values.get('prefix'), dirname(dirname(process.execPath)), '/usr/local', '/usr'];
  const files = prefixes.flatMap((prefix) => (prefix === undefined ? [] : join(prefix, 'etc/npmrc')));
  return files.find((path) => readText(path) !== undefined) ?? '/etc/npmrc';
}

/**
 * Lines `name = value` of an `.npmrc`, with `${NAME}` of the environment expanded; undefined if the file is
 * missing.
 */
function readNpmrc(path: string, environment: Environment): Values | undefined {
  const text = readText(path);
  if (text === undefined) return undefined;
  const values = new Map<string, string>();
  for (const line of text.split(/\r?\n/)) {
    const [, name, value = ''] = /^\s*([^=;#\s][^=]*?)\s*=\s*(.*?)\s*$/.exec(line) ?? [];
    if (name === undefined) continue;
    const plain = value.replace(/^(["'])(.*)\1$/, '$2');
    const filled = plain.replace(
      /\$\{([^}?]+)(\?)?\}/g,
      (whole, variable: string, optional?: string) =>
        environment[variable] ?? (optional === undefined ? whole : ''),
    );
    values.set(name.replace(/\[\]$/, ''), filled);
  }
  return values;
}

function readText(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}

/** Credentials are stored by URL prefix, `//host/path/:_authToken`; the longest prefix wins. */
function authorizationOf(url: string, setting: (name: string) => string | undefined): string | undefined {
  const { host, pathname } = new URL(url);
  for (
    let path = `//${host}${pathname}`;
    path.length > 2;
    path = path.slice(0, path.lastIndexOf('/', path.length - 2) + 1)
  ) {
    const base = path.endsWith('/') ? path : `${path}/`;
    const token = setting(`${base}:_authToken`);
    if (token !== undefined) return `Bearer ${token}`;
    const pair = setting(`${base}:_auth`);
    if (pair !== undefined) return `Basic ${pair}`;
    const [user, password] = [setting(`${base}:username`), setting(`${base}:_password`)];
    if (user !== undefined && password !== undefined) {
      const plain = `${user}:${Buffer.from(password, 'base64').toString()}`;
      return `Basic ${Buffer.from(plain).toString('base64')}`;
    }
  }
  return undefined;
}
