import { readFileSync } from 'node:fs';

/** Which program this is. */
export interface Program {
  readonly version: string;
  /** The commit it was packed from; `source` where it was not packed. */
  readonly build: string;
}

/** As its package says: what packs it adds `build` there (scripts/build_package.ts, Dockerfile). */
export function readProgram(): Program {
  const description = new URL('../../package.json', import.meta.url);
  const { version, build = 'source' } = JSON.parse(readFileSync(description, 'utf8')) as Program & {
    readonly build?: string;
  };
  return { version, build };
}
