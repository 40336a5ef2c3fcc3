import { execFileSync, spawn } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { once } from 'node:events';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { greetedUrl } from '../support/greeted_url.ts';
import { endOfGroup } from '../support/process_group.ts';
import { needs, OLDER_NODE } from '../support/test_requirements.ts';

/** What `npm run build` makes, as somebody has it who never saw this repository: two files, an empty folder and an older Node. */

const ROOT = join(import.meta.dirname, '../..');
/** Ends a build that hangs; beside others on two cores it takes a quarter of an hour. */
const BUILD_MS_MAX = 3_600_000;
const folder = mkdtempSync(join(tmpdir(), 'atelier-installed-'));
const installed = join(folder, 'installed');
const env = {
  ...process.env,
  PATH: `${dirname(OLDER_NODE)}:${process.env.PATH}`,
  PORT: '0',
  DATA_DIR: join(folder, 'data'),
  LOG_LEVEL: 'error',
  LIVE_WORKS: 'false',
  DATABASE_URL: '',
};
const commit = execFileSync('git', ['rev-parse', '--short=12', 'HEAD'], {
  cwd: ROOT,
  encoding: 'utf8',
}).trim();
const run = (program: string, ...words: string[]) =>
  execFileSync(program, words, { cwd: installed, env, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });

beforeAll(() => {
  mkdirSync(installed);
  const key = join(folder, 'key.pem');
  const { privateKey } = generateKeyPairSync('ed25519');
  writeFileSync(key, privateKey.export({ type: 'pkcs8', format: 'pem' }));
  const signed = { ...process.env, RELEASE_KEY: key };
  execFileSync(process.execPath, ['scripts/build_package.ts', folder], { cwd: ROOT, env: signed });
  const files = readdirSync(folder).filter((name) => name.endsWith('.tgz'));
  // No registry is asked for anything.
  run('npm', 'install', '--offline', ...files.map((name) => join(folder, name)));
}, BUILD_MS_MAX);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('the installed package starts, edits an image, serves its pages and stops with npx', async () => {
  const npx = spawn('npx', ['atelier', 'start'], {
    cwd: installed,
    env,
    detached: true,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(npx, 'exit');
  const url = await greetedUrl(npx.stdout);

  const health = await (await fetch(`${url}/health`)).json();
  expect(health).toMatchObject({ status: 'ok', build: expect.stringMatching(commit) });
  expect(run('npx', 'atelier', '--version')).toMatch(commit);

  const picture = join(folder, 'picture.png');
  await sharp({ create: { width: 60, height: 40, channels: 3, background: 'teal' } }).toFile(picture);
  const out = join(folder, 'small.png');
  run(
    'npx',
    'atelier',
    'call',
    'resize_image',
    '--url',
    url,
    '--image',
    picture,
    '--width',
    '30',
    '--height',
    '20',
    '--out',
    out,
  );
  expect(await sharp(out).metadata()).toMatchObject({ width: 30, height: 20 });

  const page = await (await fetch(`${url}/verify`)).text();
  const program = await fetch(`${url}${/\/pages\/[\w-]*verify[\w-]*\.\w+\.js/.exec(page)?.[0]}`);
  expect(program.headers.get('content-type')).toMatch(/^text\/javascript/);

  npx.kill('SIGTERM');
  await ended;
  await endOfGroup(npx.pid!);
});

test('without its bundled Node the package says where to get one', needs('an older Node'), () => {
  const [own, aside] = ['atelier-node', 'aside'].map((name) => join(installed, 'node_modules', name));
  renameSync(own!, aside!);
  try {
    expect(() => run('npx', 'atelier', '--version')).toThrow('npm install node@24');
  } finally {
    renameSync(aside!, own!);
  }
});

test('the package has an SBOM and signed checksums', needs('OpenSSL'), () => {
  const { components } = JSON.parse(
    readFileSync(join(installed, 'node_modules/atelier/sbom.cdx.json'), 'utf8'),
  );
  expect(components.map(({ name }: { name: string }) => name)).toContain('sharp');
  const words = '-verify -rawin -pubin -inkey SHA256SUMS.pem -in SHA256SUMS -sigfile SHA256SUMS.sig'.split(
    ' ',
  );
  execFileSync('openssl', ['pkeyutl', ...words], { cwd: folder });
  execFileSync('sha256sum', ['-c', 'SHA256SUMS'], { cwd: folder });
});

test('every engine loads', () => {
  const list = join(installed, 'node_modules/atelier/src/core/workers/engines.js');
  const load = `import(${JSON.stringify(list)}).then(({ ENGINES }) => Promise.all(Object.values(ENGINES).map((open) => open()))).then((all) => console.log(all.length))`;
  expect(Number(execFileSync(process.execPath, ['-e', load], { encoding: 'utf8' }))).toBeGreaterThan(20);
});
