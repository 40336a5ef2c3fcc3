import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { HostilePicture } from '../fixtures/hostile/hostile_pictures.ts';

const FOLDER = join(import.meta.dirname, '../../../shared/fixtures/badimages');

/**
 * Third-party collections of malformed and hostile files, in a folder beside the repository; empty if it is
 * missing.
 */
export function sharedPictures(): HostilePicture[] {
  if (!existsSync(FOLDER)) return [];
  const index: { file: string; kind: string }[] = JSON.parse(
    readFileSync(join(FOLDER, 'index.json'), 'utf8'),
  );
  return index
    .filter(({ kind }) => !kind.startsWith('request text'))
    .map(({ file, kind }) => ({
      name: file,
      kind: kindOf(file, kind),
      bytes: readFileSync(join(FOLDER, file)),
    }));
}

function kindOf(file: string, kind: string): HostilePicture['kind'] {
  if (file.startsWith('bombs/')) return 'bomb';
  if (/^first \d/.test(kind)) return 'cut';
  const [, word] = /^(valid(?=: must)|corrupt|polyglot)/.exec(kind) ?? [];
  return word === 'valid' ? 'sound' : ((word as HostilePicture['kind'] | undefined) ?? 'odd');
}
