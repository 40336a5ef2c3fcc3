import { access, constants, mkdir, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { UsageError } from './usage_error.ts';

/** Destination of a result's file, checked before anything is paid. */
export type ResultDestination =
  | { readonly kind: 'unnamed' }
  | { readonly kind: 'stdout' }
  | { readonly kind: 'file' | 'folder'; readonly path: string };

/** The destination that `--out` names. @throws UsageError if it cannot be written */
export async function resultDestination(out: string | undefined): Promise<ResultDestination> {
  if (out === undefined) return { kind: 'unnamed' };
  if (out === '-') return { kind: 'stdout' };
  const found = await kindOf(out);
  if (found === 'folder') return { kind: 'folder', path: await requireWritable(out, out) };
  const folder = dirname(out);
  if (out.endsWith('/') || (!found && (await kindOf(folder)) !== 'folder'))
    throw new UsageError(
      `There is no folder ${out.endsWith('/') ? out : folder}. Create it first, or choose another path with --out.`,
    );
  return { kind: 'file', path: await requireWritable(out, found ? out : folder) };
}

/** Whether a name denotes a folder for many files rather than one file. */
export const namesFolder = (out: string): boolean => out !== '-' && !/\.\w{2,5}$/.test(out);

/** Creates a folder for many files, with its parents. @throws UsageError if that fails */
export async function makeFolder(out: string): Promise<string> {
  await mkdir(out, { recursive: true }).catch((error: NodeJS.ErrnoException) => {
    throw new UsageError(
      `The folder ${out} cannot be created (${error.code}). Choose another folder with --out.`,
    );
  });
  return out;
}

async function kindOf(path: string): Promise<'folder' | 'file' | undefined> {
  const found = await stat(path).catch(() => undefined);
  return found && (found.isDirectory() ? 'folder' : 'file');
}

/** Returns `out` if `place` is writable. */
async function requireWritable(out: string, place: string): Promise<string> {
  await access(place, constants.W_OK).catch(() => {
    throw new UsageError(`${place} is not writable. Choose another path with --out.`);
  });
  return out;
}
