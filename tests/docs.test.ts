import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { boundsTable } from '../src/catalog/bounds_table.ts';
import { SETTINGS } from '../src/config/settings.ts';
import { ERRORS } from '../src/core/errors/atelier_error.ts';
import { simulatedDesk } from '../src/features/billing/routes/simulated_desk.ts';
import { operations } from '../src/features/operations.ts';
import { operatorHistory } from '../src/features/operator/routes/history.ts';
import { operatorOverview } from '../src/features/operator/routes/overview.ts';
import { tools } from '../src/features/tools.ts';

/** What the pages say exists, exists. */

const ROOT = resolve(import.meta.dirname, '..');
const pages = globSync(['*.md', 'docs/**/*.md', 'tests/**/*.md'], { cwd: ROOT }).map((path) => ({
  path,
  text: readFileSync(join(ROOT, path), 'utf8'),
}));
/** Generated pages hold examples of every kind; they are made from the lists and need no check against them. */
const written = pages.filter(({ path }) => !path.startsWith('docs/reference'));

test('every link to a page or file resolves', () => {
  const broken = pages.flatMap(({ path, text }) =>
    [...text.matchAll(/\]\((?!https?:|#|mailto:)([^)#\s]+)/g)]
      .map(([, target]) => target!)
      .filter((target) => !existsSync(join(ROOT, dirname(path), target)))
      .map((target) => `${path} links to ${target}, which is not there.`),
  );
  expect(broken).toEqual([]);
});

test('every page of the documentation is listed on an index', () => {
  const indexes = ['docs/README.md', 'docs/operating/README.md', 'docs/decisions/README.md'];
  const listed = indexes.flatMap((path) =>
    [...pages.find((page) => page.path === path)!.text.matchAll(/\]\(([^)#\s]+\.md)/g)].map(([, target]) =>
      join(dirname(path), target!),
    ),
  );
  const missing = pages.filter(({ path }) => path.startsWith('docs/') && !listed.includes(path));
  expect(missing.map(({ path }) => path)).toEqual(['docs/README.md']);
});

test('every page opens with a title', () => {
  const untitled = pages.filter(({ text }) => !/^(<!--.*?-->\s*)?# \S/s.test(text));
  expect(untitled.map(({ path }) => path)).toEqual([]);
});

test('every decision record has a title with its number, a status and a date', () => {
  const records = pages.filter(({ path }) => /^docs\/decisions\/\d/.test(path));
  const incomplete = records.filter(
    ({ text }) => !/^# \d+\. .+\n\n- \*\*Status:\*\* \S.*\n- \*\*Date:\*\* \d{4}-\d\d-\d\d\n/.test(text),
  );
  expect(incomplete.map(({ path }) => path)).toEqual([]);
});

const health = { check: async () => ({ database: true, storage: true, room: true }) };
const overview = operatorOverview({
  version: '',
  build: '',
  health,
  refusals: () => [],
  cpu: { heaviest: () => [] },
  engines: { check: async () => ({}) },
});

const history = operatorHistory({
  history: { sample: async () => 0, points: async () => [], alerts: () => [] },
  warnings: () => [],
});

test('every path of the service that a page names is served', () => {
  const served = [
    ...tools.map(({ name }) => `/api/tools/${name}`),
    ...[...operations, ...simulatedDesk, overview, history].map(({ path }) => path),
  ];
  const patterns = served.map((path) => new RegExp(`^${path.replace(/\{\w+\}/g, '[^/]+')}$`));
  const unknown = written
    .filter(({ path }) => path !== 'CHANGELOG.md')
    .flatMap(({ path, text }) =>
      [...text.matchAll(/(?<![\w.])(\/api\/[A-Za-z0-9_\-/.]+[A-Za-z0-9_])/g)]
        .map(([, named]) => named!)
        .filter((named) => !patterns.some((pattern) => pattern.test(named)))
        .map((named) => `${path} names ${named}, which nothing serves.`),
    );
  expect(unknown).toEqual([]);
});

test('every setting in capitals that a page names exists', () => {
  const known = new Set([
    ...Object.keys(SETTINGS),
    'TEST_DATABASE_URL',
    'TEST_STORAGE_URL',
    'TEST_VALKEY_URL',
    'TEST_LARGE_PICTURES',
    'TEST_EARLIER_VERSION',
    'TEST_NODES',
    'RELEASE_KEY',
    'STRIPE_TEST_KEY',
    'CONFORMANCE_URL',
    'FUZZ_RUNS',
    'ATTACK_SECONDS',
    'ISNET_ONNX',
    'ATELIER_URL',
    'ATELIER_WALLET',
    'SIGTERM',
    // Of most programs that download.
    'HTTPS_PROXY',
    'HTTP_PROXY',
    'NO_PROXY',
    // Of glibc and Node.
    'MALLOC_ARENA_MAX',
    'NODE_COMPILE_CACHE',
    'UV_THREADPOOL_SIZE',
  ]);
  const unknown = written.flatMap(({ path, text }) =>
    [...text.matchAll(/`([A-Z][A-Z0-9]+(?:_[A-Z0-9]+)+)(?:=[^`]*)?`/g)]
      .map(([, name]) => name!)
      .filter((name) => !known.has(name))
      .map((name) => `${path} names ${name}, which is no setting.`),
  );
  expect(unknown).toEqual([]);
});

test('every error code is on the generated page', () => {
  const page = readFileSync(join(ROOT, 'docs/reference/errors.md'), 'utf8');
  expect(Object.keys(ERRORS).filter((code) => !page.includes(code))).toEqual([]);
});

test('the page for operators shows the bounds as they are', () => {
  const page = readFileSync(join(ROOT, 'docs/operating/running.md'), 'utf8');
  expect(page).toContain(boundsTable());
});
