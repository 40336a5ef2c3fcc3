import { createHash } from 'node:crypto';
import { z } from 'zod';
import type { BackupPlace } from './deps.ts';
import { MANIFEST_BYTES_MAX } from './limits.ts';

/** Increment when older versions cannot read the format. */
const FORMAT = 1;

const sha256 = z.string().regex(/^[0-9a-f]{64}$/);
const count = z.int().min(0);
const numbers = z.array(z.strictObject({ column: z.string(), last: z.int(), used: z.boolean() }));

const table = z.strictObject({
  name: z.string(),
  columns: z.array(z.string()),
  numbers,
  rows: count,
  /** Sum of the hashes of all rows. */
  sum: z.string().regex(/^\d+$/),
  /** Objects with the rows, in order. */
  parts: z.array(sha256),
});

const blobs = z.strictObject({
  count,
  bytes: count,
  /** Objects with names and sizes, one per first two digits. */
  lists: z.array(sha256),
  damaged: z.array(sha256),
});

const manifest = z.strictObject({
  format: z.literal(FORMAT),
  made_at: z.iso.datetime(),
  /** Version of the program that made it. */
  version: z.string(),
  migrations: z.array(z.strictObject({ name: z.string(), sha256 })),
  tables: z.array(table),
  /** Absent in database snapshots. */
  blobs: blobs.optional(),
  /** Key files of DATA_DIR, by name. */
  files: z.array(z.strictObject({ name: z.string(), sha256 })),
});

/** The contents of a backup. Every object is named by its sha256, so the checksum of the manifest covers them all. */
export type Manifest = z.output<typeof manifest>;
export type DumpedTable = Manifest['tables'][number];

const NAME = /^\d{4}-\d{2}-\d{2}T\d{2}-\d{2}-\d{2}-\d{3}Z$/;
const ENDING = '.json';
/** Object name of a manifest. */
export const manifestName = (name: string): string => `${name}${ENDING}`;
const checksumOf = (text: string): string => createHash('sha256').update(text).digest('hex');

/** Name of a backup made now: alphabetical order is chronological order. */
export const nameAt = (now: Date): string => now.toISOString().replaceAll(/[:.]/g, '-');

/** Publishes the backup atomically. */
export async function writeManifest({ manifests }: Manifests, name: string, value: Manifest): Promise<void> {
  const text = JSON.stringify(manifest.parse(value));
  await manifests.replace(manifestName(name), Buffer.from(`${checksumOf(text)}\n${text}\n`));
}

type Manifests = Pick<BackupPlace, 'manifests'>;

/** Backup names, oldest first. */
export async function listBackups({ manifests }: Manifests): Promise<string[]> {
  const files = (await Array.fromAsync(manifests.list())).map(({ name }) => name);
  const names = files.filter((file) => file.endsWith(ENDING)).map((file) => file.slice(0, -ENDING.length));
  return names.filter((name) => NAME.test(name)).sort();
}

/**
 * Reads a manifest.
 * @param at its name; default: the newest
 * @throws Error where there is none, it was altered, or a newer version made it
 */
export async function readManifest(
  { manifests, where }: Pick<BackupPlace, 'manifests' | 'where'>,
  at?: string,
): Promise<{ name: string; manifest: Manifest }> {
  const names = await listBackups({ manifests });
  const name = at ?? names.at(-1);
  if (name === undefined)
    throw new Error(`There is no backup in ${where}. Use the folder or URL of "atelier backup".`);
  if (!names.includes(name))
    throw new Error(`There is no backup ${name} in ${where}. Available: ${names.join(', ') || 'none'}.`);
  const path = `${where}/backups/${manifestName(name)}`;
  if (((await manifests.sizeOf(manifestName(name))) ?? 0) > MANIFEST_BYTES_MAX) throw altered(path);
  const bytes = (await manifests.read(manifestName(name))) ?? Buffer.alloc(0);
  const [checksum, text = ''] = Buffer.from(bytes).toString('utf8').split('\n');
  if (checksumOf(text) !== checksum) throw altered(path);
  return { name, manifest: parse(text, path) };
}

function parse(text: string, path: string): Manifest {
  const value: unknown = JSON.parse(text);
  const { format } = z.looseObject({ format: z.int() }).parse(value);
  if (format > FORMAT) throw new Error(`${path} was made by a newer version. Restore it with that version.`);
  const read = manifest.safeParse(value);
  if (!read.success) throw altered(path);
  return read.data;
}

const altered = (path: string): Error =>
  new Error(
    `${path} was altered or damaged. Choose another backup with --at, or restore this file from another copy.`,
  );
