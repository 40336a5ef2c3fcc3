/**
 * `npm run docs`: the documentation as a static website, in `dist/docs` or the folder that is named. With the address of a server as the second word,
 * commands and links to tools name that server: `npm run docs site https://studio.example`.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { staticDocs } from '../src/interfaces/web/docs/static_docs.ts';

const out = resolve(process.argv[2] ?? join(import.meta.dirname, '../dist/docs'));
const files = staticDocs(process.argv[3]);
for (const [path, bytes] of files) {
  mkdirSync(dirname(join(out, path)), { recursive: true });
  writeFileSync(join(out, path), bytes);
}
console.log(`${files.size} files in ${out}. Open ${join(out, 'index.html')}.`);
