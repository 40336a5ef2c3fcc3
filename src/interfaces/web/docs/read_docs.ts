import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** The documentation of this repository, which is sent along with its programs. */
const FOLDER = new URL('../../../../docs/', import.meta.url);

/** One page of it. */
export interface Doc {
  /** `concepts/credits` */
  readonly name: string;
  /** `concepts`; empty for what lies in no folder. */
  readonly folder: string;
  /** Its first heading. */
  readonly title: string;
  readonly markdown: string;
}

let docs: ReadonlyMap<string, Doc> | undefined;

/** Every page by name, read once: what is here cannot change while the server runs. */
export function readDocs(): ReadonlyMap<string, Doc> {
  docs ??= new Map(
    globSync('**/*.md', { cwd: fileURLToPath(FOLDER) })
      .sort()
      .map((path) => {
        const name = path.replace(/\.md$/, '');
        const markdown = readFileSync(new URL(path, FOLDER), 'utf8');
        const title = /^# (.+)$/m.exec(markdown)?.[1] ?? name;
        const folder = name.includes('/') ? name.slice(0, name.indexOf('/')) : '';
        return [name, { name, folder, title, markdown }];
      }),
  );
  return docs;
}
