import { glob, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Body } from '@atelier/client/transport.ts';
import mime from 'mime';
import { HANDLE } from './files.ts';
import { flagOf, type ToolDescription, takesFile } from './input_schema.ts';
import { UsageError } from './usage_error.ts';

/** Maximum number of files of one command: beyond it the pattern is probably a mistake. */
const FILES_MAX = 10_000;

export interface ManyFiles {
  /** The field that receives one file per call. */
  readonly field: string;
  /** Sorted by name, 2 before 10. */
  readonly files: readonly string[];
}

/**
 * The files that a folder or a pattern such as photos/*.jpg denotes; undefined if every file field names one
 * file.
 * @throws UsageError if there are none or too many, or two fields name several files
 */
export async function manyFiles(input: Body, { fields }: ToolDescription): Promise<ManyFiles | undefined> {
  const found: ManyFiles[] = [];
  for (const [field, value] of Object.entries(input)) {
    if (!takesFile(fields[field] ?? {}) || typeof value !== 'string' || HANDLE.test(value)) continue;
    const files = await filesOf(value);
    if (files) found.push({ field, files: checked(files, `${flagOf(field)} ${value}`) });
  }
  if (found.length > 1)
    throw new UsageError(
      `${found.map(({ field }) => flagOf(field)).join(' and ')} each name several files. Only one of them can.`,
    );
  return found[0];
}

/** A file may have * in its name, so an existing file takes precedence. */
async function filesOf(text: string): Promise<string[] | undefined> {
  const here = await stat(text).catch(() => undefined);
  if (here?.isDirectory()) {
    const entries = await readdir(text, { withFileTypes: true });
    return entries
      .filter((entry) => entry.isFile() && isImage(entry.name))
      .map(({ name }) => join(text, name));
  }
  if (here || !/[*?[{]/.test(text)) return undefined;
  const paths = await Array.fromAsync(glob(text));
  const found = await Promise.all(paths.map((path) => stat(path)));
  return paths.filter((_, index) => found[index]!.isFile());
}

const isImage = (name: string): boolean =>
  !name.startsWith('.') && mime.getType(name)?.startsWith('image/') === true;

function checked(files: readonly string[], typed: string): string[] {
  if (files.length === 0)
    throw new UsageError(`${typed} matches no file. Use a folder with images, or another pattern.`);
  if (files.length > FILES_MAX)
    throw new UsageError(
      `${typed} matches ${files.length} files. The limit is ${FILES_MAX}. Use a smaller folder.`,
    );
  return files.toSorted((one, other) => one.localeCompare(other, 'en', { numeric: true }));
}
