import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { chromium } from './chromium.ts';
import { postgresqlPrograms } from './postgresql_pair.ts';

declare module 'vitest' {
  interface TaskMeta {
    /** The missing requirement of a skipped test. */
    requirement?: Requirement;
  }
}

const ROOT = join(import.meta.dirname, '../..');
export const OLDER_NODE = '/usr/bin/node';

const answerOf = (program: string, option: string) => spawnSync(program, [option], { encoding: 'utf8' });
const runs = (program: string, option: string) => answerOf(program, option).status === 0;
const majorOf = (node: string) => Number(/^v(\d+)/.exec(answerOf(node, '-v').stdout ?? '')?.[1] ?? Infinity);

/**
 * Programs and settings that some tests require, and whether they are available. `.ci/run` provides
 * most of them.
 */
const REQUIREMENTS = {
  PostgreSQL: () => Boolean(process.env.TEST_DATABASE_URL),
  'PostgreSQL programs': () => postgresqlPrograms() !== undefined,
  Swift: () => Boolean(process.env.TEST_STORAGE_URL),
  ExifTool: () => runs('exiftool', '-ver'),
  pdftoppm: () => runs('pdftoppm', '-v'),
  Ghostscript: () => runs('gs', '--version'),
  qpdf: () => runs('qpdf', '--version'),
  Exiv2: () => runs('exiv2', '-V'),
  arlocal: () => existsSync(join(ROOT, '.ci/arlocal/node_modules/arlocal')),
  OpenSSL: () => runs('openssl', 'version'),
  promtool: () => runs('promtool', '--version'),
  curl: () => runs('curl', '--version'),
  python3: () => runs('python3', '--version'),
  pip: () => spawnSync('python3', ['-m', 'pip', '--version']).status === 0,
  'a test key of Stripe': () => Boolean(process.env.STRIPE_TEST_KEY),
  'an older Node': () => majorOf(OLDER_NODE) < 24,
  Chromium: () => chromium() !== undefined,
  nginx: () => runs('nginx', '-v'),
  Caddy: () => runs('caddy', 'version'),
  HAProxy: () => runs('haproxy', '-v'),
  'the right to mount': () => spawnSync('unshare', ['--mount', 'true']).status === 0,
  'an earlier version': () => Boolean(process.env.TEST_EARLIER_VERSION),
  Linux: () => existsSync('/proc/self'),
  '../shared': () => existsSync(join(ROOT, '../shared')),
};
export type Requirement = keyof typeof REQUIREMENTS;

/**
 * Options of a test or a group: skipped if the requirement is missing, and counted in the last
 * line of the run.
 */
export function needs(requirement: Requirement): { skip?: boolean; meta?: { requirement: Requirement } } {
  return REQUIREMENTS[requirement]() ? {} : { skip: true, meta: { requirement } };
}
