import { posix } from 'node:path';
import { stripTypes } from '../../src/core/html/bundle_scripts.ts';

/** Names of the project's own files, as in imports, threads and processes. */
const OWN_FILE = /(['"])(\.{1,2}\/[\w./-]+\.ts|@atelier\/[\w./-]+\.ts)\1/g;

/**
 * Compiles a source to JavaScript, with every line in its place. Imports of the project's own files,
 * including workspace packages, become paths, so that no lookup is needed.
 * @param path of the source from the root, as `src/main.ts`
 * @throws Error that names an imported file missing in `sources`
 */
export function javascriptOf(text: string, path: string, sources: ReadonlySet<string>): string {
  return (path.endsWith('.ts') ? stripTypes(text) : text).replace(OWN_FILE, (_, quote, name: string) => {
    const target = name.startsWith('@')
      ? name.replace(/^@atelier\/(\w+)\//, 'packages/$1/src/')
      : posix.join(posix.dirname(path), name);
    if (!sources.has(target))
      throw new Error(`${path} names ${name}, which is none of the package's sources.`);
    const place = posix.relative(posix.dirname(path), javascriptName(target));
    return `${quote}${place.startsWith('.') ? place : `./${place}`}${quote}`;
  });
}

/** `src/main.ts` becomes `src/main.js`; other files keep their names. */
export const javascriptName = (path: string): string => path.replace(/\.ts$/, '.js');
