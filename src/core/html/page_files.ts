import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { bundleScripts, plainScript } from './bundle_scripts.ts';

/** Scripts, styles and images of all pages. All of it is public. */
const FOLDER = new URL('./browser/', import.meta.url);
/** Images of the documentation. */
const DOCS_FOLDER = new URL('../../../docs/pictures/', import.meta.url);
const HASH_CHARACTERS = 16;

/** Fonts and scripts of packages, by the names that pages and styles use. */
const PACKAGED = {
  'familjen_latin.woff2': () =>
    import.meta.resolve(
      '@fontsource-variable/familjen-grotesk/files/familjen-grotesk-latin-wght-normal.woff2',
    ),
  'familjen_latin_ext.woff2': () =>
    import.meta.resolve(
      '@fontsource-variable/familjen-grotesk/files/familjen-grotesk-latin-ext-wght-normal.woff2',
    ),
  'openseadragon.js': () => import.meta.resolve('openseadragon/build/openseadragon/openseadragon.min.js'),
  'noble_secp256k1.js': () => import.meta.resolve('@noble/secp256k1'),
  'noble_sha3.js': () => import.meta.resolve('@noble/hashes/sha3.js'),
  'noble_u64.js': () => new URL('_u64.js', import.meta.resolve('@noble/hashes/sha3.js')).href,
  'noble_utils.js': () => import.meta.resolve('@noble/hashes/utils.js'),
  'minisearch.js': () => import.meta.resolve('minisearch'),
  'stemmer.js': () => import.meta.resolve('stemmer'),
} as const;

/** Modules of packages, by the names in imports: in our scripts and in these modules. */
const MODULES: Readonly<Record<string, keyof typeof PACKAGED>> = {
  '@noble/secp256k1': 'noble_secp256k1.js',
  '@noble/hashes/sha3.js': 'noble_sha3.js',
  './_u64.js': 'noble_u64.js',
  './utils.js': 'noble_utils.js',
  minisearch: 'minisearch.js',
  stemmer: 'stemmer.js',
};

const TYPES = {
  ts: 'text/javascript; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  svg: 'image/svg+xml',
  webp: 'image/webp',
  png: 'image/png',
  jpg: 'image/jpeg',
  avif: 'image/avif',
  woff2: 'font/woff2',
} as const;
type Ending = keyof typeof TYPES;

/**
 * A script (`verify.ts`), style (`page.css`) or image (`mark.svg`) of `browser/` or of the documentation, or a file of a package.
 */
export type PageFileName = `${string}.${Ending}`;

/** A file as served to browsers. */
export interface PageFile {
  /** Contains the names of its sources and a hash of the bytes, so that it can be cached permanently. */
  readonly address: string;
  readonly bytes: string | Uint8Array;
  readonly contentType: string;
}

const files = new Map<string, PageFile>();

/**
 * One file unchanged, or several scripts or styles bundled: a page loads one of each. Created once, at the
 * first request.
 * @throws Error if a name is unknown
 */
export function pageFile(...names: readonly [PageFileName, ...PageFileName[]]): PageFile {
  const key = names.join();
  const file = files.get(key) ?? makePageFile(names);
  files.set(key, file);
  return file;
}

const ADDRESS = /^\/pages\/(\w+(?:-\w+)*)\.[0-9a-f]+\.(\w+)$/;
/** Maximum number of files per bundle: a request chooses which files are bundled. */
const NAMES_MAX = 16;

/** The file of a URL path; undefined for an unknown path or an outdated hash. */
export function findPageFile(address: string): PageFile | undefined {
  const [, stems, ending] = ADDRESS.exec(address) ?? [];
  if (!stems) return undefined;
  const names = stems.split('-').map((stem) => nameOf(stem, ending!));
  if (names.length > NAMES_MAX || !names.every(isKnown)) return undefined;
  const file = files.get(names.join()) ?? makePageFile(names as [PageFileName, ...PageFileName[]]);
  return file.address === address ? file : undefined;
}

/** Scripts are served as JavaScript. */
function nameOf(stem: string, ending: string): string {
  const script = `${stem}.ts`;
  return ending === 'js' && isKnown(script) ? script : `${stem}.${ending}`;
}

/** The name of a test beside a script has two dots. */
const isKnown = (name: string): boolean =>
  Object.hasOwn(PACKAGED, name) ||
  (/^\w+\.(ts|css|svg|webp|png|jpg|avif)$/.test(name) && existsSync(placeOf(name)));

function makePageFile(names: readonly [PageFileName, ...PageFileName[]]): PageFile {
  const [, ending] = names[0].split('.') as [string, Ending];
  const bytes = bytesOf(names, ending);
  const hash = createHash('sha256').update(bytes).digest('hex').slice(0, HASH_CHARACTERS);
  const stems = names.map((name) => name.replace(/\.\w+$/, '')).join('-');
  return {
    address: `/pages/${stems}.${hash}.${ending === 'ts' ? 'js' : ending}`,
    bytes,
    contentType: TYPES[ending],
  };
}

function bytesOf(names: readonly [PageFileName, ...PageFileName[]], ending: Ending): string | Uint8Array {
  if (ending === 'ts') return bundleScripts(names, OUR_MODULES);
  if (ending === 'css') return names.map((name) => withAddresses(withoutSpace(textOf(name)))).join('');
  return readFileSync(placeOf(names[0]));
}

const placeOf = (name: string): string | URL => {
  const packaged = PACKAGED[name as keyof typeof PACKAGED];
  if (packaged) return fileURLToPath(packaged());
  const ofDocs = new URL(name, DOCS_FOLDER);
  return existsSync(ofDocs) ? ofDocs : new URL(name, FOLDER);
};

const textOf = (name: string): string => readFileSync(placeOf(name), 'utf8');

const scripts = new Map<string, string>();

/**
 * A script without types, cached: requests choose which scripts are bundled, and stripping types takes
 * milliseconds each.
 */
function scriptOf(name: string): string {
  const script = scripts.get(name) ?? plainScript(name, textOf(name));
  scripts.set(name, script);
  return script;
}

const OUR_MODULES = {
  read: scriptOf,
  nameOf: (specifier: string) => MODULES[specifier] ?? specifier.replace(/^\.\//, ''),
  addressOf: (name: string) => pageFile(name as PageFileName).address,
};

const LOADED = /(?<=url\(")(\w+\.\w+)(?="\))/g;

/** Replaces the names of loaded files by their URLs, so that a style changes with its dependencies. */
const withAddresses = (style: string): string =>
  style.replace(LOADED, (name) => pageFile(name as PageFileName).address);

/** Strips comments and indentation from a stylesheet. */
const withoutSpace = (style: string): string =>
  style
    .replace(/\/\*[\s\S]*?\*\//g, '')
    .replace(/\n\s*/g, '\n')
    .replace(/\n+/g, '\n');
