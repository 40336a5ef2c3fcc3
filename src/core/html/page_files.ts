import { createHash } from 'node:crypto';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { stripTypes } from './strip_types.ts';

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
} as const;

/** Modules of packages, by the names in imports: in our scripts and in these modules. */
const MODULES: Readonly<Record<string, PageFileName>> = {
  '@noble/secp256k1': 'noble_secp256k1.js',
  '@noble/hashes/sha3.js': 'noble_sha3.js',
  './_u64.js': 'noble_u64.js',
  './utils.js': 'noble_utils.js',
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
  /** Contains a hash of the bytes, so that it can be cached permanently. */
  readonly address: string;
  readonly bytes: string | Uint8Array;
  readonly contentType: string;
  /** Of a script: addresses of the scripts that it imports, and of those that they import, without dynamic imports. */
  readonly imports: readonly string[];
}

const files = new Map<string, PageFile>();

/** A script without types, or any other file unchanged; read once, at the first request. @throws Error where the name is unknown */
export function pageFile(name: PageFileName): PageFile {
  const file = files.get(name) ?? readPageFile(name);
  files.set(name, file);
  return file;
}

/** The file of a URL path; undefined for an unknown path or an outdated hash. */
export const findPageFile = (address: string): PageFile | undefined =>
  [
    ...globSync('*.{ts,css,svg,webp,png,jpg,avif}', { cwd: fileURLToPath(FOLDER) }),
    ...globSync('*.webp', { cwd: fileURLToPath(DOCS_FOLDER) }),
    ...Object.keys(PACKAGED),
  ]
    // A test beside a script has two dots.
    .filter((name) => /^\w+\.\w+$/.test(name))
    .map((name) => pageFile(name as PageFileName))
    .find((file) => file.address === address);

function readPageFile(name: PageFileName): PageFile {
  const [, stem, ending] = /^(\w+)\.(\w+)$/.exec(name) as unknown as [string, string, Ending];
  const bytes = bytesOf(name, ending);
  const hash = createHash('sha256').update(bytes).digest('hex').slice(0, HASH_CHARACTERS);
  return {
    address: `/pages/${stem}.${hash}.${ending === 'ts' ? 'js' : ending}`,
    bytes,
    contentType: TYPES[ending],
    imports: typeof bytes === 'string' ? importsOf(bytes) : [],
  };
}

/** The files that it imports have been read: their hashes are in its text. */
function importsOf(program: string): readonly string[] {
  const direct = [...program.matchAll(IMPORTED_AT_ONCE)].map(([address]) => address);
  const known = new Map([...files.values()].map(({ address, imports }) => [address, imports]));
  return [...new Set(direct.flatMap((address) => [address, ...(known.get(address) ?? [])]))];
}

function bytesOf(name: PageFileName, ending: Ending): string | Uint8Array {
  const packaged = PACKAGED[name as keyof typeof PACKAGED];
  if (packaged) {
    const bytes = readFileSync(fileURLToPath(packaged()));
    return Object.values(MODULES).includes(name) ? scriptOf(bytes.toString()) : bytes;
  }
  const ofDocs = new URL(name, DOCS_FOLDER);
  const bytes = readFileSync(existsSync(ofDocs) ? ofDocs : new URL(name, FOLDER));
  if (ending === 'ts') return scriptOf(stripTypes(bytes.toString()));
  return ending === 'css' ? withAddresses(withoutSpace(bytes.toString()), LOADED) : bytes;
}

const scriptOf = (program: string): string => withAddresses(withoutComments(program), IMPORTED);

/** Static and dynamic imports. */
const IMPORTED = /(?<=(?:from |import |import\()['"])([@./][\w@./-]*)(?=['"])/g;
const IMPORTED_AT_ONCE = /(?<=(?:from |import )['"])\/pages\/[\w.]+(?=['"])/g;
const LOADED = /(?<=url\(")(\w+\.\w+)(?="\))/g;

/** Replaces the names of loaded files by their URLs, so that a file changes with its dependencies. */
const withAddresses = (text: string, names: RegExp): string =>
  text.replace(names, (_, name) => pageFile(MODULES[name] ?? name.replace(/^\.\//, '')).address);

/** Removes indentation and whole-line comments of a script: our scripts contain no multi-line text. */
const withoutComments = (program: string): string =>
  program
    .replace(/^ *\/\*\*[\s\S]*?\*\/ *$/gm, '')
    .replace(/^ *\/\/.*$/gm, '')
    .replace(/\n\s*/g, '\n');

/** Strips comments and indentation from a stylesheet. */
const withoutSpace = (style: string): string =>
  style
    .replace(/\/\*[\s\S]*?\*\//g, '')
    .replace(/\n\s*/g, '\n')
    .replace(/\n+/g, '\n');
