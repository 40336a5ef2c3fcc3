import { spawnSync } from 'node:child_process';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, expect, test } from 'vitest';

const folder = mkdtempSync(join(tmpdir(), 'atelier-prune-'));
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const LINUX = 'node_modules/onnxruntime-node/bin/napi-v6/linux/x64/libonnxruntime.so.1';
const ARM = 'node_modules/onnxruntime-node/bin/napi-v6/linux/arm64/libonnxruntime.so.1';
const MAC = 'node_modules/onnxruntime-node/bin/napi-v6/darwin/arm64/libonnxruntime.1.dylib';
const TYPES = [
  'node_modules/hono/index.d.ts',
  'node_modules/hono/index.js.map',
  'node_modules/typescript/lib.js',
];
const KEPT = 'node_modules/.cache/cluster/types.d.ts';
const CODE = [
  'node_modules/hono/index.js',
  'node_modules/hono/pg_filenode.map',
  'packages/imaging/src/types.d.ts',
  KEPT,
];

/** Which of these files are left after the script ran in an installation that has them. */
function leftOf(files: string[], machine: { os: string; cpu: string }): string[] {
  for (const file of [...files, 'scripts/none']) {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    writeFileSync(join(folder, file), '');
  }
  const script = join(folder, 'scripts/prune_libraries.mjs');
  copyFileSync(join(import.meta.dirname, '../scripts/prune_libraries.mjs'), script);
  if (existsSync(join(folder, 'packages'))) symlinkSync('../packages', join(folder, 'node_modules/@atelier'));
  const env = { npm_config_os: machine.os, npm_config_cpu: machine.cpu };
  expect(spawnSync(process.execPath, [script], { env, encoding: 'utf8' }).stderr).toBe('');
  return files.filter((file) => existsSync(join(folder, file)));
}

test('only the libraries of this kind of machine stay', () => {
  expect(leftOf([LINUX, ARM, MAC], { os: 'linux', cpu: 'x64' })).toEqual([LINUX]);
});

test('a platform without a library keeps the existing files', () => {
  expect(leftOf([LINUX, MAC], { os: 'freebsd', cpu: 'x64' })).toEqual([LINUX, MAC]);
});

test('types and source maps are removed with the development dependencies, never the target of a link', () => {
  expect(leftOf([...TYPES, ...CODE], { os: 'linux', cpu: 'x64' })).toEqual(CODE);
});

test('with the development dependencies types stay', () => {
  const all = [...TYPES, ...CODE, 'node_modules/vitest/package.json'];
  expect(leftOf(all, { os: 'linux', cpu: 'x64' })).toEqual(all);
});

test('of substitute fonts regular and bold stay, upright and italic', () => {
  const file = (name: string) => `node_modules/@fontsource/tinos/files/tinos-latin-${name}`;
  const used = ['400-normal.woff', '400-italic.woff', '700-italic.woff'].map(file);
  const unused = ['400-normal.woff2', '500-normal.woff', '600-italic.woff'].map(file);
  expect(leftOf([...used, ...unused], { os: 'linux', cpu: 'x64' })).toEqual(used);
});

test('of decoders the WebAssembly that is loaded stays, and other builds and encoders go', () => {
  const used = [
    'node_modules/libheif-js/libheif-wasm/libheif.js',
    'node_modules/libheif-js/libheif-wasm/libheif.wasm',
    'node_modules/@jsquash/jxl/codec/dec/jxl_dec.wasm',
  ];
  const unused = [
    'node_modules/libheif-js/libheif/libheif.js',
    'node_modules/libheif-js/libheif-wasm/libheif-bundle.mjs',
    'node_modules/@jsquash/jxl/codec/enc/jxl_enc.wasm',
  ];
  expect(leftOf([...used, ...unused], { os: 'linux', cpu: 'x64' })).toEqual(used);
});
