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
} as const;

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
  };
}

function bytesOf(name: PageFileName, ending: Ending): string | Uint8Array {
  const packaged = PACKAGED[name as keyof typeof PACKAGED];
  if (packaged) return readFileSync(fileURLToPath(packaged()));
  const ofDocs = new URL(name, DOCS_FOLDER);
  const bytes = readFileSync(existsSync(ofDocs) ? ofDocs : new URL(name, FOLDER));
  if (ending === 'ts') return withAddresses(withoutComments(stripTypes(bytes.toString())), IMPORTED);
  return ending === 'css' ? withAddresses(withoutSpace(bytes.toString()), LOADED) : bytes;
}

const IMPORTED = /(?<=(?:from|import) ')\.\/(\w+\.ts)(?=')/g;
const LOADED = /(?<=url\(")(\w+\.\w+)(?="\))/g;

/** Replaces the names of loaded files by their URLs, so that a file changes with its dependencies. */
const withAddresses = (text: string, names: RegExp): string =>
  text.replace(names, (_, name) => pageFile(name).address);

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
