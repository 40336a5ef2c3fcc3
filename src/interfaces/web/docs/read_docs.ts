import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** Documentation folder of the repository, part of the release. */
const FOLDER = new URL('../../../../docs/', import.meta.url);

/** A documentation page. */
export interface Doc {
  /** `concepts/credits` */
  readonly name: string;
  /** `concepts`; empty at the top level. */
  readonly folder: string;
  /** Its first heading. */
  readonly title: string;
  readonly markdown: string;
}

let docs: ReadonlyMap<string, Doc> | undefined;

/** Every page by name, read once. */
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
