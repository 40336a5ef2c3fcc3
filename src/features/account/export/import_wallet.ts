import { createHash } from 'node:crypto';
import { WALLET_STORAGE_BYTES_MAX } from '../../../config/limits.ts';
import { AtelierError } from '../../../core/errors/atelier_error.ts';
import { quotaExceeded } from '../../assets/quota_exceeded.ts';
import { isQuotaViolation, sumUse } from '../../assets/store.ts';
import { checkArchive } from './check_archive.ts';
import type { Parts } from './deps.ts';
import { insertArchive } from './insert_archive.ts';
import { HEAD_BYTES_MAX, IMPORT_BYTES_HELD, IMPORT_MS_MAX } from './limits.ts';
import { HEAD_NAMES } from './manifest.ts';
import { archiveInvalid, readTar, releaseBuffer, type TarFile } from './read_tar.ts';
import type { Imported, ImportOptions } from './types.ts';

/**
 * The manifest comes first, so nothing is kept before its signature and its contents are checked; then every file is kept as a
 * blob that nothing names, and swept like any such blob unless all of them come. Rows are written at the end, in one transaction.
 * @see Leaving.importWallet
 */
export async function importWallet(
  parts: Parts,
  wallet: string,
  archive: AsyncIterable<Uint8Array>,
  options: ImportOptions,
): Promise<Imported> {
  const expected = new Map<string, { sha256: string; bytes: number }>();
  const sizeMax = (name: string) => expected.get(name)?.bytes ?? HEAD_BYTES_MAX[name];
  const files = readTar(archive, sizeMax, (name, bytes) => reserveFor(parts, name, bytes));
  try {
    return await importFiles(parts, files, { wallet, expected, ...options });
  } finally {
    await files.return(undefined);
  }
}

type Importing = ImportOptions & { readonly wallet: string; readonly expected: Keeping['expected'] };

async function importFiles(
  parts: Parts,
  files: AsyncGenerator<TarFile>,
  { wallet, expected, replaces, signal }: Importing,
): Promise<Imported> {
  const late = AbortSignal.any([signal, AbortSignal.timeout(IMPORT_MS_MAX)]);
  const head = await readHead(files);
  const checked = await checkArchive(parts, head, { wallet, signal: late }).finally(() =>
    head.forEach(releaseBuffer),
  );
  const { files: listed, rows, ...about } = checked;
  for (const [name, file] of listed) expected.set(name, file);
  const correct = await requireRoom(parts, listed.values());
  try {
    await keepFiles(parts, files, { expected, signal: late });
    const outcome = await parts.database
      .transaction((tx) => insertArchive(tx, { wallet, rows, replaces }))
      .catch((error: unknown) => {
        throw isQuotaViolation(error) ? quotaExceeded() : error;
      });
    const { counts, skippedKeys } = outcome;
    const { server, trustedBy, exportedAt, records } = about;
    return { server, trustedBy, exportedAt, skippedKeys, counts: { ...counts, records } };
  } catch (error) {
    correct?.(0);
    throw error;
  }
}

/** Counts memory before it is taken: of the manifest its text and what is read out of it; of one file at a time as much as the largest has. */
async function reserveFor({ reserve }: Parts, name: string, bytes: number): Promise<void> {
  const [manifest, signature] = HEAD_NAMES;
  if (name === manifest) await reserve(2 * bytes);
  else if (name === signature) await reserve(IMPORT_BYTES_HELD);
}

/** What stands before the files. @throws AtelierError archive_invalid where it is something else */
async function readHead(files: AsyncGenerator<TarFile>): Promise<Buffer[]> {
  const head: Buffer[] = [];
  for (const name of HEAD_NAMES) {
    const { value } = await files.next();
    if (value?.name !== name) throw archiveInvalid(`It has no ${name} where that has to stand.`);
    head.push(value.bytes);
  }
  return head;
}

/**
 * Only a courtesy to the disk and the network; the database decides in the end.
 * @throws AtelierError storage_quota_exceeded, storage_full, too_much_kept
 */
async function requireRoom(
  { database, shares, bytesMax }: Parts,
  files: Iterable<{ readonly bytes: number }>,
): Promise<((keptBytes: number) => void) | undefined> {
  let bytes = 0;
  for (const file of files) bytes += file.bytes;
  // As much again for versions.
  if (bytes > 2 * WALLET_STORAGE_BYTES_MAX) throw quotaExceeded(bytes);
  if ((await sumUse(database)) + bytes > bytesMax)
    throw new AtelierError('storage_full', undefined, { retryAfterSeconds: 600 });
  return shares?.take(bytes);
}

interface Keeping {
  /** By name; each is taken out when it has come. */
  readonly expected: Map<string, { sha256: string; bytes: number }>;
  readonly signal: AbortSignal;
}

/** @throws AtelierError archive_invalid, timed_out */
async function keepFiles(
  { blobs }: Parts,
  files: AsyncGenerator<TarFile>,
  { expected, signal }: Keeping,
): Promise<void> {
  for await (const { name, bytes } of files) {
    if (signal.aborted)
      throw new AtelierError('timed_out', 'The archive came too slowly. Nothing of it was kept.');
    const file = expected.get(name);
    const isSame = file && sha256Of(bytes) === file.sha256;
    if (!isSame) throw archiveInvalid(`${name} is not what its manifest says: it was altered.`);
    expected.delete(name);
    await blobs.put(bytes);
  }
  const [missing] = expected.keys();
  if (missing !== undefined) throw archiveInvalid(`${expected.size} files are missing, such as ${missing}.`);
}

const sha256Of = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');
