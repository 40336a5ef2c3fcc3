import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { stripTypes } from './strip_types.ts';

/** The programs and styles of all pages. Everything in it is public. */
const FOLDER = new URL('./browser/', import.meta.url);
const HASH_CHARACTERS = 16;

/** A program (`verify.ts`) or style (`page.css`) of `browser/`. */
export type PageFileName = `${string}.ts` | `${string}.css`;

/** What a browser gets of one of them. */
export interface PageFile {
  /** Carries a hash of `text`, so that what it leads to never changes. */
  readonly address: string;
  readonly text: string;
  readonly contentType: string;
}

const files = new Map<PageFileName, PageFile>();

/** A program without its types, or a style; made once, when it is first asked for. @throws Error where there is none of that name */
export function pageFile(name: PageFileName): PageFile {
  const file = files.get(name) ?? readPageFile(name);
  files.set(name, file);
  return file;
}

/** The file at an address; undefined where nothing is, or something that has changed since. */
export const findPageFile = (address: string): PageFile | undefined =>
  readdirSync(FOLDER)
    .filter((name): name is PageFileName => /\.(ts|css)$/.test(name))
    .map(pageFile)
    .find((file) => file.address === address);

function readPageFile(name: PageFileName): PageFile {
  const [, stem, ending] = /^(\w+)\.(ts|css)$/.exec(name)!;
  const source = readFileSync(new URL(name, FOLDER), 'utf8');
  const text = ending === 'ts' ? withAddresses(stripTypes(source)) : source;
  const hash = createHash('sha256').update(text).digest('hex').slice(0, HASH_CHARACTERS);
  return {
    address: `/pages/${stem}.${hash}.${ending === 'ts' ? 'js' : 'css'}`,
    text,
    contentType: `text/${ending === 'ts' ? 'javascript' : 'css'}; charset=utf-8`,
  };
}

/** Names what a program imports by its address; a program changes with what it imports. */
const withAddresses = (program: string): string =>
  program.replace(/(?<= from ')\.\/(\w+\.ts)(?=')/g, (_, name) => pageFile(name).address);
