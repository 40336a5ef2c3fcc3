import { constants, type Dirent } from 'node:fs';
import { type FileHandle, lstat, open, opendir, realpath, stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import { basename, isAbsolute, join, relative, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import mime from 'mime';
import { UPLOAD_BYTES_MAX } from '../../../config/limits.ts';
import { FOLDER_ENTRIES_MAX, FOLDER_IMAGES_MAX } from './limits.ts';

/** A path that cannot be read, as a sentence for the model that sent it. */
export class PathRefused extends Error {
  override readonly name = 'PathRefused';
}

/** A file or folder within the roots, by its real path. */
export interface Located {
  readonly path: string;
  readonly kind: 'file' | 'folder';
}

export interface LocalFile {
  readonly path: string;
  readonly bytes: Uint8Array;
  /** Equal for the same path, size and modification time. */
  readonly version: string;
}

/** The folders that may be read. */
export interface Roots {
  /** Real paths. The first one is the base of relative paths. */
  readonly folders: readonly string[];
  /** Excluded folders inside them, such as the data folder of the server with its keys. */
  readonly excluded: readonly string[];
}

/**
 * Converts `file:///a%20b`, `~/a` and `./a` to a path. Undefined for a file URI of another machine, or an
 * invalid one.
 */
export function pathIn(text: string, base: string): string | undefined {
  if (/^file:/i.test(text)) return pathOfUri(text);
  if (/^~(?=$|[\\/])/.test(text)) return join(homedir(), text.slice(1));
  return resolve(base, text);
}

function pathOfUri(text: string): string | undefined {
  try {
    return fileURLToPath(text);
  } catch {
    return undefined;
  }
}

/** Whether the text can only be a path: base64 of a JPEG also begins with "/9j/". */
export const isPlainlyPath = (text: string): boolean =>
  /^(file:|~[\\/]|\.{1,2}[\\/]|[a-z]:[\\/])/i.test(text) ||
  (isAbsolute(text) && /\.[a-z0-9]{2,5}$/i.test(text));

/**
 * Locates the file or folder that a client named. Undefined if it does not exist.
 * @throws PathRefused for a path outside the roots, even by a symbolic link, or for a special file
 */
export async function locate(text: string, roots: Roots): Promise<Located | undefined> {
  for (const base of roots.folders.length > 0 ? roots.folders : [process.cwd()]) {
    const path = pathIn(text, base);
    if (path === undefined || path.includes('\0')) return undefined;
    const found = await realpath(path).catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'EACCES') throw new PathRefused(`This user has no permission to read ${path}.`);
      return undefined;
    });
    if (found === undefined) continue;
    requireInside(found, text, roots);
    const kind = await kindOf(found);
    if (kind === undefined)
      throw new PathRefused(`${text} is neither a file nor a folder (a device, pipe or socket).`);
    return { path: found, kind };
  }
  return undefined;
}

async function kindOf(path: string): Promise<Located['kind'] | undefined> {
  const found = await stat(path).catch(() => undefined);
  if (found?.isDirectory()) return 'folder';
  return found?.isFile() ? 'file' : undefined;
}

/** @throws PathRefused with the folders that may be read */
function requireInside(path: string, sent: string, { folders, excluded }: Roots): void {
  const root = folders.find((folder) => isInside(path, folder));
  if (root === undefined) {
    const allowed = folders.length > 0 ? folders.slice(0, 5).join(', ') : 'no folder';
    throw new PathRefused(
      `${sent} is outside the folders that this server may read (${allowed}). Ask the user to allow its folder with "atelier mcp --root <folder>" or in the roots of their client.`,
    );
  }
  if (excluded.some((folder) => isInside(path, folder)))
    throw new PathRefused(`${sent} is in the data folder of the server, which contains its keys.`);
  if (relative(root, path).split(sep).some(isHidden))
    throw new PathRefused(
      `${sent} is hidden (its path contains a name that starts with a dot). Hidden files are not read. To allow it, pass the hidden folder with --root.`,
    );
}

export const isInside = (path: string, folder: string): boolean => {
  const way = relative(folder, path);
  return way === '' || (way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way));
};

const isHidden = (name: string): boolean => name.startsWith('.');

/**
 * Reads a located file without blocking: if it was replaced by a pipe meanwhile, it is refused.
 * @throws PathRefused if it is too large, empty, or was replaced by another file
 */
export async function readLocated(path: string, roots: Roots): Promise<LocalFile> {
  const flags = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);
  const handle = await open(path, flags).catch((error: NodeJS.ErrnoException) => {
    throw new PathRefused(`${path} cannot be read (${error.code}).`);
  });
  try {
    const found = await handle.stat();
    // A parent folder may have been replaced by a link between the two checks.
    const again = await realpath(path).catch(() => undefined);
    const same = again === undefined ? undefined : await lstat(again).catch(() => undefined);
    if (again === undefined || same?.ino !== found.ino || same.dev !== found.dev)
      throw new PathRefused(`${path} was replaced while it was read. Send the call again.`);
    requireInside(again, path, roots);
    if (!found.isFile()) throw new PathRefused(`${path} is not a file.`);
    if (found.size === 0) throw new PathRefused(`${path} is empty.`);
    if (found.size > UPLOAD_BYTES_MAX) throw tooLarge(path, found.size);
    const version = `${path} ${found.size} ${found.mtimeMs} ${found.ino}`;
    return { path, bytes: await readBounded(handle, path), version };
  } finally {
    await handle.close();
  }
}

/** Stops reading a file that keeps growing. */
async function readBounded(handle: FileHandle, path: string): Promise<Uint8Array> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of handle.createReadStream({ autoClose: false, end: UPLOAD_BYTES_MAX })) {
    chunks.push(chunk as Buffer);
    size += (chunk as Buffer).length;
  }
  if (size > UPLOAD_BYTES_MAX) throw tooLarge(path, size);
  return Buffer.concat(chunks);
}

const tooLarge = (path: string, bytes: number): PathRefused =>
  new PathRefused(
    `${path} has ${(bytes / 1_048_576).toFixed(1)} MB. The limit is ${UPLOAD_BYTES_MAX / 1_048_576} MB.`,
  );

/**
 * Paths of the images directly in a folder, sorted by name (2 before 10). Hidden files, links and files
 * without the extension of an image are left out.
 * @throws PathRefused if there are none, or too many
 */
export async function imagesIn(folder: string): Promise<string[]> {
  const names: string[] = [];
  let entries = 0;
  const listing = await opendir(folder).catch((error: NodeJS.ErrnoException) => {
    throw new PathRefused(`${folder} cannot be read (${error.code}).`);
  });
  // Leaving the loop closes the folder.
  for await (const entry of listing) {
    entries += 1;
    if (entries > FOLDER_ENTRIES_MAX)
      throw new PathRefused(
        `${folder} has more than ${FOLDER_ENTRIES_MAX.toLocaleString('en')} entries. Use a smaller folder, or single files.`,
      );
    if (isImage(entry)) names.push(entry.name);
  }
  if (names.length === 0) throw new PathRefused(`${folder} has no images. Use a file, or another folder.`);
  if (names.length > FOLDER_IMAGES_MAX)
    throw new PathRefused(
      `${folder} has ${names.length.toLocaleString('en')} images. The limit for one call is ${FOLDER_IMAGES_MAX}. Use single files, or a smaller folder.`,
    );
  return names.sort((a, b) => a.localeCompare(b, 'en', { numeric: true })).map((name) => join(folder, name));
}

const isImage = (entry: Dirent): boolean =>
  entry.isFile() && !isHidden(entry.name) && mime.getType(entry.name)?.startsWith('image/') === true;

/** Roots from paths and file URIs; anything that is not a folder is left out. */
export async function foldersOf(named: readonly string[], base: string): Promise<string[]> {
  const found = await Promise.all(
    named.map(async (text) => {
      const path = pathIn(text, base);
      return path === undefined ? undefined : realpath(path).catch(() => undefined);
    }),
  );
  return [...new Set(found.filter((path) => path !== undefined))];
}

/** "photo.v2" of "/a/photo.v2.jpg" */
export const stemOf = (path: string): string => basename(path).replace(/\.[a-z0-9]{1,5}$/i, '') || 'image';
