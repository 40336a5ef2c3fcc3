import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { needs, OLDER_NODE } from '../../../tests/support/test_requirements.ts';

const ROOT = resolve(import.meta.dirname, '../../..');
const LAUNCHER = join(ROOT, 'bin/atelier.mjs');
const folder = mkdtempSync(join(tmpdir(), 'atelier-launcher-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const run = (node: string, ...words: string[]) => spawnSync(node, [LAUNCHER, ...words], { encoding: 'utf8' });

test('the launcher passes arguments through and returns the exit code', () => {
  expect(run(process.execPath, 'config').stdout).toContain('PORT');
  expect(run(process.execPath, 'nonsense').status).toBe(2);
});

test('the cached bundle is used until a source file changes', () => {
  const place = join(realpathSync(folder), 'bundled');
  const source = join(place, 'src/interfaces/cli/main.ts');
  const bundle = join(place, 'node_modules/.cache/atelier/bundle');
  for (const made of [join(place, 'src/interfaces/cli'), bundle]) mkdirSync(made, { recursive: true });
  cpSync(join(ROOT, 'bin'), join(place, 'bin'), { recursive: true });
  writeFileSync(source, `console.log('sources')`);
  writeFileSync(join(bundle, 'main.mjs'), `console.log('bundle')`);
  const { mtimeMs, size } = statSync(source);
  const inputs = { 'src/interfaces/cli/main.ts': `${mtimeMs} ${size}` };
  writeFileSync(join(bundle, 'inputs.json'), JSON.stringify({ root: place, inputs }));
  const said = () =>
    spawnSync(process.execPath, [join(place, 'bin/atelier.mjs')], { encoding: 'utf8' }).stdout;
  expect(said()).toBe('bundle\n');
  writeFileSync(source, `console.log('changed sources')`);
  expect(said()).toBe('changed sources\n');
});

test('an installation with a missing package names that package', () => {
  const place = join(folder, 'partly');
  cpSync(join(ROOT, 'bin'), join(place, 'bin'), { recursive: true });
  writeFileSync(join(place, 'package.json'), JSON.stringify({ dependencies: { 'left-out': '1.0.0' } }));
  const { status, stderr } = spawnSync(process.execPath, [join(place, 'bin/atelier.mjs')], {
    encoding: 'utf8',
  });
  expect([status, stderr]).toEqual([
    1,
    'The installation of Atelier is incomplete: left-out missing. Run "npm ci" in its folder.\n',
  ]);
});

test('under an older Node.js, the launcher uses the installed newer one', needs('an older Node'), () => {
  expect(run(OLDER_NODE, '--version').stdout).toMatch(/Node (2[4-9]|[3-9]\d)/);
  expect(run(OLDER_NODE, 'nonsense').status).toBe(2);
});

test(
  'Ctrl-C sent only to the older Node.js process also stops the server',
  needs('an older Node'),
  async () => {
    const place = standIn();
    mkdirSync(join(place, 'node_modules'), { recursive: true });
    symlinkSync(join(ROOT, 'node_modules/node'), join(place, 'node_modules/node'));
    const launcher = spawn(OLDER_NODE, [join(place, 'bin/atelier.mjs'), 'start'], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    for await (const chunk of launcher.stdout) if (String(chunk).includes('up ')) break;
    launcher.kill('SIGINT');
    expect(await once(launcher, 'exit')).toEqual([130, null]);
  },
);

test('npm start without a suitable Node.js names the required version', needs('an older Node'), () => {
  const bare = join(folder, 'bare');
  copyLauncher(bare);
  const { status, stderr } = spawnSync('npm', ['start', '--silent'], {
    cwd: bare,
    env: { ...process.env, PATH: '/usr/bin:/bin' },
    encoding: 'utf8',
  });
  expect(status).toBe(1);
  expect(stderr).toMatch(/Atelier needs Node 24 or later; this is v/);
});

/** The launcher and the scripts of npm, without the packages of the project. */
function copyLauncher(place: string): void {
  cpSync(join(ROOT, 'bin'), join(place, 'bin'), { recursive: true });
  const { type, scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
  writeFileSync(join(place, 'package.json'), JSON.stringify({ type, scripts }));
}

/** A program in place of the server: it prints its process id, and stops on a signal. */
function standIn(): string {
  const place = join(folder, 'stand-in');
  copyLauncher(place);
  mkdirSync(join(place, 'src/interfaces/cli'), { recursive: true });
  writeFileSync(
    join(place, 'src/interfaces/cli/main.ts'),
    `import { writeFileSync } from 'node:fs';
     const busy = setInterval(() => {}, 1000);
     process.on('SIGTERM', () => { writeFileSync('ended', 'well'); clearInterval(busy); });
     console.log('up', process.pid, 'arenas', process.env.MALLOC_ARENA_MAX);`,
  );
  return place;
}

test.each(['SIGTERM', 'SIGKILL'] as const)('%s sent to npm start also stops the server', async (signal) => {
  const place = standIn();
  rmSync(join(place, 'ended'), { force: true });
  const npm = spawn('npm', ['start'], {
    cwd: place,
    env: { ...process.env, PATH: `${join(process.execPath, '..')}:${process.env.PATH}` },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  for await (const chunk of npm.stdout) if (String(chunk).includes('up ')) break;
  npm.kill(signal);
  await once(npm, 'exit');
  // The file exists briefly before its content is written.
  const ended = () => existsSync(join(place, 'ended')) && readFileSync(join(place, 'ended'), 'utf8');
  await expect.poll(ended).toBe('well');
});

test.runIf(process.platform === 'linux').each([
  [undefined, '1'],
  ['3', '3'],
])('a server started with MALLOC_ARENA_MAX %s runs with %s in the same process', async (given, expected) => {
  const { MALLOC_ARENA_MAX: _, ...env } = process.env;
  const server = spawn(process.execPath, [join(standIn(), 'bin/atelier.mjs'), 'start'], {
    env: { ...env, ...(given && { MALLOC_ARENA_MAX: given }) },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [said] = await once(server.stdout, 'data');
  expect(String(said)).toBe(`up ${server.pid} arenas ${expected}\n`);
  server.kill('SIGKILL');
});

test('npm prints no warning about the project configuration', () => {
  const { stderr } = spawnSync('npm', ['config', 'list'], { cwd: ROOT, encoding: 'utf8' });
  expect(stderr).not.toContain('Unknown project config');
});
