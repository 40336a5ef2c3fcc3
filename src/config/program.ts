import { readFileSync } from 'node:fs';

/** Version of this program. */
export interface Program {
  readonly version: string;
  /** The commit it was packaged from; `source` where it was not packaged. */
  readonly build: string;
}

/** Reads package.json; packaging adds `build` (scripts/build_package.ts, Dockerfile). */
export function readProgram(): Program {
  const description = new URL('../../package.json', import.meta.url);
  const { version, build = 'source' } = JSON.parse(readFileSync(description, 'utf8')) as Program & {
    readonly build?: string;
  };
  return { version, build };
}
