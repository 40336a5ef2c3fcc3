/**
 * `npm run docs`: the documentation as a static website, in `dist/docs` or the given folder. With a server URL as second argument,
 * commands and links to tools use that server: `npm run docs site https://studio.example`.
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
