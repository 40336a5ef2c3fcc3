import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { describeCommand } from './own_command.ts';

const folder = realpathSync(mkdtempSync(join(tmpdir(), 'atelier-command-')));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Installs a program at `root`, with a link to it at `link`. */
function install(root: string, link?: string) {
  const launcher = join(folder, root, 'bin/atelier.mjs');
  mkdirSync(dirname(launcher), { recursive: true });
  writeFileSync(launcher, '');
  if (link) {
    mkdirSync(dirname(join(folder, link)), { recursive: true });
    symlinkSync(launcher, join(folder, link));
  }
  return { root: join(folder, root), isImage: false, environment: {}, hostname: 'host' };
}

test('in a clone the command is npx, with --prefix from another folder', () => {
  const clone = install('clone');
  writeFileSync(join(clone.root, 'package-lock.json'), '{}');
  expect(describeCommand('setup', clone, { folder: clone.root })).toBe('npx atelier setup');
  expect(describeCommand('setup', clone)).toBe(`npx --prefix ${folder}/clone atelier setup`);
});

test('a locally installed release is run with npx', () => {
  const local = install('my place/node_modules/atelier', 'my place/node_modules/.bin/atelier');
  const environment = { PATH: `${folder}/my place/node_modules/.bin` };
  expect(describeCommand('setup', { ...local, environment }, { folder: join(folder, 'my place') })).toBe(
    'npx atelier setup',
  );
  expect(describeCommand('setup', local)).toBe(`npx --prefix '${folder}/my place' atelier setup`);
});

test('a global installation uses its command name, or its file if not on the PATH', () => {
  const all = install('all/lib/node_modules/atelier', 'all/bin/atelier');
  expect(describeCommand('setup', { ...all, environment: { PATH: `${folder}:${folder}/all/bin` } })).toBe(
    'atelier setup',
  );
  expect(describeCommand('setup', all)).toBe(`node ${all.root}/bin/atelier.mjs setup`);
});

test('a different program with the same name on the PATH is not used', () => {
  install('others', 'first/atelier');
  const bundle = install('bundle', 'second/atelier');
  const environment = { PATH: `${folder}/first:${folder}/second` };
  expect(describeCommand('setup', { ...bundle, environment })).toBe(
    `node ${bundle.root}/bin/atelier.mjs setup`,
  );
});

test.each([
  [
    '0a1b2c3d4e5f',
    {},
    'docker exec 0a1b2c3d4e5f atelier setup',
    'docker run --rm --volumes-from 0a1b2c3d4e5f <image> setup',
  ],
  [
    'studio',
    {},
    'docker exec <container> atelier setup',
    'docker run --rm --volumes-from <container> <image> setup',
  ],
  [
    'atelier-0',
    { KUBERNETES_SERVICE_HOST: '10.0.0.1' },
    'kubectl exec atelier-0 -- atelier setup',
    'atelier setup',
  ],
])(
  'in the container %s the command uses the container engine of the host',
  (hostname, environment, running, stopped) => {
    const image = { root: '/opt/atelier', isImage: true, environment, hostname };
    expect(describeCommand('setup', image)).toBe(running);
    expect(describeCommand('setup', image, { isStopped: true })).toBe(stopped);
  },
);
