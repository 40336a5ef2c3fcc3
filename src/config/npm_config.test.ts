import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readNpmConfig } from './npm_config.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'atelier-npmrc-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

/** The configuration of a user with this `.npmrc`. */
function npmOf(text: string, environment: Record<string, string> = {}) {
  const file = join(folder, 'npmrc');
  writeFileSync(file, text);
  const files = { npm_config_userconfig: file, npm_config_globalconfig: join(folder, 'none') };
  return readNpmConfig({ ...files, ...environment });
}

test('without configuration, packages come from the default npm registry, without credentials', () => {
  const npm = npmOf('');
  const registry = npm.registryOf('nsfwjs');
  expect(registry).toBe(
    execFileSync('npm', ['config', 'get', 'registry']).toString().trim().replace(/\/$/, ''),
  );
  expect(npm.authorizationFor(`${registry}/nsfwjs`)).toBeUndefined();
  expect(npm).toMatchObject({ isOffline: false, isTlsStrict: true, proxy: {} });
});

test('a scope can have its own registry', () => {
  const npm = npmOf('registry=https://a.test/npm/\n@imgly:registry = "https://b.test/"\n; a comment');
  expect([npm.registryOf('nsfwjs'), npm.registryOf('@imgly/x')]).toEqual([
    'https://a.test/npm',
    'https://b.test',
  ]);
});

test('environment variables override configuration files', () => {
  const npm = npmOf('registry=https://a.test', {
    NPM_CONFIG_REGISTRY: 'https://c.test',
    npm_config_strict_ssl: 'false',
  });
  expect([npm.registryOf('nsfwjs'), npm.isTlsStrict]).toEqual(['https://c.test', false]);
});

test.each([
  [`//a.test/npm/:_authToken=\${TOKEN}`, 'Bearer secret'],
  ['//a.test/:_auth=dXNlcjpwYXNz', 'Basic dXNlcjpwYXNz'],
  ['//a.test/npm/:username=user\n//a.test/npm/:_password=cGFzcw==', 'Basic dXNlcjpwYXNz'],
])('credentials are sent only to URLs under their configured prefix: %s', (lines, expected) => {
  const npm = npmOf(lines, { TOKEN: 'secret' });
  expect(npm.authorizationFor('https://a.test/npm/nsfwjs/-/nsfwjs-4.3.0.tgz')).toBe(expected);
  expect(npm.authorizationFor('https://b.test/npm/nsfwjs')).toBeUndefined();
});

test('a token for one path of a host is not sent to another path', () => {
  const npm = npmOf('//a.test/npm/:_authToken=x');
  expect(npm.authorizationFor('https://a.test/npm-other/nsfwjs')).toBeUndefined();
});

test('npm proxy settings take precedence over environment proxies', () => {
  expect(npmOf('proxy=http://p.test:1\nnoproxy=b.test').proxy).toEqual({
    https: 'http://p.test:1',
    http: 'http://p.test:1',
    no: 'b.test',
  });
  expect(npmOf('', { HTTPS_PROXY: 'http://q.test:2' }).proxy).toEqual({ https: 'http://q.test:2' });
});
