import { uniqueNames } from '../tools/file_names.ts';

/** File names of one archive: each unique, and none that leads out of the folder it is unpacked to. */
export const archiveNames = (names: readonly string[]): readonly string[] =>
  uniqueNames(names.map((name) => name.replace(/[/\\:\p{Cc}]/gu, '_').replace(/^[.\s]+/, '_') || 'image'));
