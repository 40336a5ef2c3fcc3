/**
 * Runs after `npm ci`: takes out of node_modules what this machine can never load. onnxruntime-node brings its library for five kinds of
 * machines, 240 MB of which are for others; without the development dependencies TypeScript is there only because other packages'
 * types name it. Plain JavaScript, as an older Node runs it too. Nothing depends on it.
 */
import { existsSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const modules = fileURLToPath(new URL('../node_modules/', import.meta.url));
// npm may be told to install for another machine.
const system = process.env.npm_config_os || process.platform;
const processor = process.env.npm_config_cpu || process.arch;

const remove = (path) => rmSync(path, { recursive: true, force: true });
const foldersIn = (path) => (existsSync(path) ? readdirSync(path) : []);

const libraries = `${modules}onnxruntime-node/bin/`;
for (const version of foldersIn(libraries)) {
  const systems = `${libraries}${version}/`;
  // A kind of machine the package does not know keeps all: what is missing is then told when a network is asked for.
  if (!existsSync(`${systems}${system}/${processor}`)) continue;
  for (const other of foldersIn(systems)) {
    if (other !== system) remove(`${systems}${other}`);
  }
  for (const other of foldersIn(`${systems}${system}/`)) {
    if (other !== processor) remove(`${systems}${system}/${other}`);
  }
}

/**
 * Fonts for drawing text: of each file there is a WOFF2, an italic and, for East Asia and emoji, the same letters again in a hundred slices.
 * The WOFF files of whole scripts are left.
 */
const DRAWN_FONTS =
  /^(inter|playfair-display|caveat|jetbrains-mono|noto-sans-.*|gowun-dodum|sawarabi-gothic|zcool-xiaowei|noto-color-emoji)$/;
const UNUSED_FONT_FILE = /\.woff2$|-italic\.woff$|-\d{1,3}-\d{3}-normal\.woff$/;
/** Fonts for print files whose own are missing: regular and bold, upright and italic. */
const SUBSTITUTES = /^(arimo|tinos|cousine)$/;
const UNUSED_SUBSTITUTE = /\.woff2$|-(500|600)-\w+\.woff$|-\d{1,3}-\d{3}-\w+\.woff$/;
for (const family of foldersIn(`${modules}@fontsource`)) {
  const unused = SUBSTITUTES.test(family)
    ? UNUSED_SUBSTITUTE
    : DRAWN_FONTS.test(family)
      ? UNUSED_FONT_FILE
      : undefined;
  const files = `${modules}@fontsource/${family}/files/`;
  for (const file of unused ? foldersIn(files) : []) if (unused.test(file)) remove(`${files}${file}`);
}

const UNUSED_BUILDS = [
  'libheif-js/libheif/libheif.js',
  'libheif-js/libheif-wasm/libheif-bundle.js',
  'libheif-js/libheif-wasm/libheif-bundle.mjs',
  '@jsquash/jxl/codec/enc',
  ...['cjs', 'full', 'iife', 'miniprogram', 'writer'].map((build) => `zxing-wasm/dist/${build}`),
];

if (!existsSync(`${modules}vitest`)) removeDevelopment();

/** Installations without development dependencies do not compile against these packages: types and source maps are 100 MB. */
function removeDevelopment() {
  remove(`${modules}typescript`);
  remove(`${modules}@typescript`);
  // Other builds of the same library, and encoders: 12 MB that nothing here loads.
  for (const path of UNUSED_BUILDS) remove(`${modules}${path}`);
  // Native parts for Bare, another runtime.
  for (const name of foldersIn(modules)) if (name.startsWith('bare-')) remove(`${modules}${name}/prebuilds`);
  removeTypes(modules);
}

/** Links lead to the project's own packages, and a name with a dot to what npm and we keep there: neither is looked into. */
function removeTypes(folder) {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory() && !entry.name.startsWith('.')) removeTypes(path);
    else if (entry.isFile() && /\.([cm]?[jt]s|css)\.map$|\.d\.[cm]?ts$/.test(entry.name)) remove(path);
  }
}
