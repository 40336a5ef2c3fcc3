import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Version of this program. */
export interface Program {
  readonly version: string;
  /** The commit it was packaged from; `source` if it was not packaged. */
  readonly build: string;
  /** Runs in the project's container image. */
  readonly isImage: boolean;
}

/** Folder of package.json. */
export const PROGRAM_FOLDER = fileURLToPath(new URL('../../', import.meta.url)).replace(/[\\/]$/, '');

/** Reads package.json; packaging adds `build` (scripts/build_package.ts, Dockerfile), and the image `image` (Dockerfile). */
export function readProgram(): Program {
  const {
    version,
    build = 'source',
    image,
  } = JSON.parse(readFileSync(join(PROGRAM_FOLDER, 'package.json'), 'utf8')) as {
    readonly version: string;
    readonly build?: string;
    readonly image?: string;
  };
  return { version, build, isImage: image === 'atelier' };
}

/** User-Agent of this program's requests to other servers. */
export const USER_AGENT = `Atelier/${readProgram().version.replace(/\.\d+$/, '')}`;
