import { createHash, type KeyObject } from 'node:crypto';
import { z } from 'zod';
import type { Config } from '../../../config/config.ts';
import { ASSET_BYTES_MAX, WALLET_STORAGE_BYTES_MAX } from '../../../config/limits.ts';
import type { Queryable } from '../../../core/database/types.ts';
import { AtelierError } from '../../../core/errors/atelier_error.ts';
import { parseBoundedJson } from '../../../core/json/parse_bounded_json.ts';
import { createSigner, type PublicKey } from '../../../core/keys/signer.ts';
import { fetchPublic } from '../../../core/outbound_http/fetch_public.ts';
import type { Reach } from '../../../core/outbound_http/reach.ts';
import { endJob } from '../../../core/queue/end_job.ts';
import type { Reserve } from '../../../core/request_scope/request_scope.ts';
import type { StoredBytes } from '../../../core/storage/blobs/blobs.ts';
import type { SpooledFile, SpoolWriter } from '../../../core/storage/blobs/spool.ts';
import { TRASH_LIFETIME_MS } from '../../assets/limits.ts';
import { quotaExceeded } from '../../assets/quota_exceeded.ts';
import { isQuotaViolation, sumUse } from '../../assets/store.ts';
import type { Wallets } from '../../wallets/types.ts';
import type { FileFacts, Workspaces } from '../../workspaces/types.ts';
import {
  type AccountExportOptions,
  type ArchiveHead,
  checkArchive,
  type ExportDeps,
} from './check_archive.ts';
import {
  ARCHIVE_FORMAT,
  ARCHIVE_TYPE,
  ARCHIVE_VERSION,
  HEAD_BYTES_MAX,
  IMPORT_BYTES_HELD,
  IMPORT_MS_MAX,
  KEYS_BYTES_MAX,
  KEYS_FETCH_TIMEOUT_MS,
  LIVE_JOBS_ENDED_MAX,
  MANIFEST_BYTES_HELD,
  MANIFEST_BYTES_MAX,
  OWNER,
  RECORDS_A_FILE,
  SKIPPED_KEYS_SHOWN,
} from './limits.ts';
import { filesOf, filesOfWorkspaces, HEAD_NAMES, type Manifest } from './manifest.ts';
import { type ArchiveRows, createManifestReader } from './read_manifest.ts';
import { archiveInvalid, readBytes, readTar, type TarFile } from './read_tar.ts';
import {
  insertAssets,
  insertVersions,
  type ReceiptRow,
  selectAssets,
  selectInvoices,
  selectKeyNames,
  selectPosts,
  selectReceipts,
  selectRegistrations,
  trashAllAssets,
} from './store.ts';
import type { AccountExport, Closed, Imported, ImportOptions } from './types.ts';

const BLOCK = 512;

interface TarEntry {
  /** At most 100 plain characters. */
  readonly name: string;
  readonly size: number;
  /** Exactly `size` bytes. */
  readonly bytes: AsyncIterable<Uint8Array> | Iterable<Uint8Array>;
}

/** A tar archive of plain files (POSIX.1-1988, `ustar`), streamed with backpressure, with one chunk of a file in memory. */
export async function* writeTar(entries: AsyncIterable<TarEntry>, mtime: Date): AsyncGenerator<Uint8Array> {
  for await (const { name, size, bytes } of entries) {
    yield headOf(name, size, mtime);
    yield* bytes;
    yield Buffer.alloc((BLOCK - (size % BLOCK)) % BLOCK);
  }
  yield Buffer.alloc(2 * BLOCK);
}

function headOf(name: string, size: number, mtime: Date): Buffer {
  const head = Buffer.alloc(BLOCK);
  const octal = (value: number, digits: number) => `${value.toString(8).padStart(digits, '0')}\0`;
  const fields = [
    [0, name],
    [100, octal(0o644, 7)],
    [108, octal(0, 7)],
    [116, octal(0, 7)],
    [124, octal(size, 11)],
    [136, octal(Math.floor(mtime.getTime() / 1000), 11)],
    // The checksum is computed with blanks in its own field.
    [148, '        '],
    [156, '0'],
    [257, 'ustar\u000000'],
  ] as const;
  for (const [at, text] of fields) head.write(text, at, 'latin1');
  const sum = head.reduce((all, byte) => all + byte, 0);
  head.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148, 'latin1');
  return head;
}

/** A file of JSON lines in an archive. */
interface RecordFile {
  readonly name: string;
  readonly sha256: string;
  readonly bytes: number;
  /** Regenerates the text, so that receipts need not stay in memory. */
  read(): Promise<Buffer>;
}

/**
 * The records of a wallet besides its assets. Receipts are append-only, so those until a given time can be read repeatedly;
 * the other records are small and read once.
 */
async function readRecords(database: Queryable, wallet: string, until: Date): Promise<RecordFile[]> {
  const files: RecordFile[] = [];
  const add = (name: string, text: Buffer, read: RecordFile['read']) => {
    if (text.length === 0) return;
    const number = files.filter((file) => file.name.startsWith(`${name}-`)).length + 1;
    const sha256 = createHash('sha256').update(text).digest('hex');
    files.push({
      name: `${name}-${String(number).padStart(4, '0')}.jsonl`,
      sha256,
      bytes: text.length,
      read,
    });
  };
  let after: ReceiptRow | undefined;
  for (;;) {
    const page = { wallet, until, after, limit: RECORDS_A_FILE };
    const rows = await selectReceipts(database, page);
    const read = async () => linesOf((await selectReceipts(database, page)).map(receiptOf));
    add('receipts', linesOf(rows.map(receiptOf)), read);
    after = rows.at(-1);
    if (rows.length < RECORDS_A_FILE) break;
  }
  for (const [name, select] of SMALL) {
    const rows = await select(database, wallet);
    for (let at = 0; at < rows.length; at += RECORDS_A_FILE) {
      const text = linesOf(rows.slice(at, at + RECORDS_A_FILE));
      add(name, text, async () => text);
    }
  }
  return files;
}

const SMALL = [
  ['hashes', selectRegistrations],
  ['posts', selectPosts],
  ['keys', selectKeyNames],
  ['invoices', selectInvoices],
] as const;

const receiptOf = ({ id, receipt }: ReceiptRow) => ({ id, receipt });

const linesOf = (rows: readonly object[]): Buffer =>
  Buffer.from(rows.map((row) => `${JSON.stringify(row)}\n`).join(''));

/** @see AccountExport.exportWallet */
async function exportWallet(parts: ExportDeps, wallet: string): ReturnType<AccountExport['exportWallet']> {
  const { database, signer, publicUrl, clock } = parts;
  const at = clock();
  const records = await readRecords(database, wallet, at);
  const manifest: Manifest = {
    format: ARCHIVE_FORMAT,
    version: ARCHIVE_VERSION,
    wallet,
    server: publicUrl,
    exported_at: at.toISOString(),
    assets: await selectAssets(database, wallet),
    records: records.map(({ name, sha256, bytes }) => ({ name, sha256, bytes })),
    workspaces: await parts.workspaces.archive(wallet),
  };
  const text = Buffer.from(JSON.stringify(manifest));
  if (text.length > MANIFEST_BYTES_MAX) throw tooMuch();
  const sha256 = createHash('sha256').update(text).digest('hex');
  const claims = {
    iss: publicUrl,
    sub: wallet,
    iat: Math.floor(at.getTime() / 1000),
    manifest_sha256: sha256,
  };
  const jwk = { kty: 'OKP', crv: 'Ed25519', x: signer.publicKey.x };
  const head = [text, Buffer.from(signer.sign(ARCHIVE_TYPE, claims, { jwk }))];
  const textOfRecord = new Map(records.map(({ name, read }) => [`records/${name}`, read]));
  async function* entries(): AsyncGenerator<TarEntry> {
    for (const [place, name] of HEAD_NAMES.entries())
      yield { name, size: head[place]!.length, bytes: [head[place]!] };
    const files = new Map([...filesOf(manifest), ...filesOfWorkspaces(manifest.workspaces)]);
    for (const [name, { sha256, bytes: size }] of files) {
      const read = textOfRecord.get(name);
      const blob = read
        ? new Blob([(await read()) as Uint8Array<ArrayBuffer>])
        : await parts.blobs.open(sha256);
      yield { name, size, bytes: checked(blob, { name, sha256 }) };
    }
  }
  return { sha256, chunks: () => writeTar(entries(), at) };
}

/** Fails in the middle of the archive where bytes do not match the manifest. */
async function* checked(
  blob: StoredBytes,
  { name, sha256 }: { name: string; sha256: string },
): AsyncGenerator<Uint8Array> {
  const hash = createHash('sha256');
  for await (const piece of blob.stream() as unknown as AsyncIterable<Uint8Array>) {
    hash.update(piece);
    yield piece;
  }
  if (hash.digest('hex') !== sha256)
    throw blob.reportDamage?.() ?? new Error(`${name} no longer matches the manifest`);
}

const tooMuch = (): AtelierError =>
  new AtelierError(
    'storage_quota_exceeded',
    `The metadata of the assets exceeds the limit of one archive (${MANIFEST_BYTES_MAX / 1024 / 1024} MiB). Save some assets again with less metadata, then export.`,
  );

/**
 * The manifest comes first: nothing is stored before its signature and contents are verified. Then every file is stored as an
 * unreferenced blob, which the cleanup deletes unless the import succeeds. Rows are written at the end, in one transaction.
 * @see AccountExport.importWallet
 */
async function importWallet(
  parts: ExportDeps,
  wallet: string,
  archive: AsyncIterable<Uint8Array>,
  options: ImportOptions,
): Promise<Imported> {
  const expected = new Map<string, { sha256: string; bytes: number }>();
  const sizeMax = (name: string) => expected.get(name)?.bytes ?? HEAD_BYTES_MAX[name];
  const files = readTar(archive, sizeMax);
  try {
    return await importFiles(parts, files, { wallet, expected, ...options });
  } finally {
    await files.return(undefined);
  }
}

type Importing = ImportOptions & { readonly wallet: string; readonly expected: Keeping['expected'] };

async function importFiles(
  parts: ExportDeps,
  files: AsyncGenerator<TarFile>,
  { wallet, address, expected, replaces, signal }: Importing,
): Promise<Imported> {
  const late = AbortSignal.any([signal, AbortSignal.timeout(IMPORT_MS_MAX)]);
  const {
    files: listed,
    workspaces,
    rows,
    ...about
  } = await withHead(parts, files, address, (head) => checkArchive(parts, head, { wallet, signal: late }));
  const ofWorkspaces = filesOfWorkspaces(workspaces);
  for (const [name, file] of [...listed, ...ofWorkspaces]) expected.set(name, file);
  await parts.reserve(2 * Math.max(0, largest(ofWorkspaces.values()) - ASSET_BYTES_MAX));
  await parts.workspaces.requireRoom(wallet, workspaces);
  const correct = await requireRoom(parts, listed.values());
  try {
    const facts = await keepFiles(parts, files, { expected, ofWorkspaces, signal: late });
    const outcome = await parts.database
      .transaction(async (tx) => ({
        ...(await insertArchive(tx, { wallet, rows, replaces })),
        ...(await parts.workspaces.restore(tx, { wallet, workspaces, facts })),
      }))
      .catch((error: unknown) => {
        throw isQuotaViolation(error) ? quotaExceeded() : error;
      });
    const { counts, skippedKeys, restored, present } = outcome;
    const { server, trustedBy, exportedAt, records } = about;
    const all = { ...counts, records, workspaces: restored, workspaces_unchanged: present };
    return { server, trustedBy, exportedAt, skippedKeys, counts: all };
  } catch (error) {
    correct?.(0);
    throw error;
  }
}

const largest = (files: Iterable<{ readonly bytes: number }>): number =>
  [...files].reduce((most, { bytes }) => Math.max(most, bytes), 0);

/**
 * Reads the entries before the files. The manifest is buffered on disk, so that an untrusted one needs little memory.
 * @throws AtelierError archive_invalid where they differ; busy, storage_full
 */
async function withHead<T>(
  { spool }: ExportDeps,
  files: AsyncGenerator<TarFile>,
  address: string,
  work: (head: ArchiveHead) => Promise<T>,
): Promise<T> {
  const [manifestName, signatureName] = HEAD_NAMES;
  const next = async (name: string): Promise<TarFile> => {
    const { value } = await files.next();
    if (value?.name !== name) throw archiveInvalid(`Its first file must be ${name}.`);
    return value;
  };
  const writer = spool.open(address);
  try {
    const manifest = await spoolPieces((await next(manifestName)).pieces, writer);
    const { pieces, size } = await next(signatureName);
    return await work({ manifest, signature: await readBytes(pieces, size) });
  } finally {
    await writer.remove();
  }
}

async function spoolPieces(pieces: AsyncIterable<Uint8Array>, writer: SpoolWriter): Promise<SpooledFile> {
  let pendingBytes = 0;
  for await (const piece of pieces) {
    pendingBytes += piece.byteLength;
    writer.add(piece);
    if (pendingBytes < MANIFEST_BYTES_HELD) continue;
    await writer.flush();
    pendingBytes = 0;
  }
  return writer.finish();
}

/**
 * Early check, to save disk and network; the quota of the database is authoritative.
 * @throws AtelierError storage_quota_exceeded, storage_full, too_much_kept
 */
async function requireRoom(
  { database, quota, bytesMax }: ExportDeps,
  files: Iterable<{ readonly bytes: number }>,
): Promise<((keptBytes: number) => void) | undefined> {
  let bytes = 0;
  for (const file of files) bytes += file.bytes;
  // Twice the limit: earlier versions have a quota of the same size.
  if (bytes > 2 * WALLET_STORAGE_BYTES_MAX) throw quotaExceeded(bytes);
  if ((await sumUse(database)) + bytes > bytesMax)
    throw new AtelierError('storage_full', undefined, { retryAfterSeconds: 600 });
  return quota?.take(bytes);
}

interface Keeping {
  /** Expected files by name; each entry is removed when its file arrives. */
  readonly expected: Map<string, { sha256: string; bytes: number }>;
  /** Those files that belong to workspaces. */
  readonly ofWorkspaces: ReadonlyMap<string, unknown>;
  readonly signal: AbortSignal;
}

/**
 * Stores the files of an archive.
 * @returns properties of the files of workspaces, by sha256
 * @throws AtelierError archive_invalid, timed_out
 */
async function keepFiles(
  { blobs, workspaces, reserve }: ExportDeps,
  files: AsyncGenerator<TarFile>,
  { expected, ofWorkspaces, signal }: Keeping,
): Promise<ReadonlyMap<string, FileFacts>> {
  const facts = new Map<string, FileFacts>();
  await reserve(IMPORT_BYTES_HELD);
  for await (const { name, size, pieces } of files) {
    const bytes = await readBytes(pieces, size);
    if (signal.aborted)
      throw new AtelierError('timed_out', 'The archive arrived too slowly. Nothing was imported.');
    const file = expected.get(name);
    const isSame = file && sha256Of(bytes) === file.sha256;
    if (!isSame) throw archiveInvalid(`${name} does not match the manifest: the archive was altered.`);
    expected.delete(name);
    await blobs.put(bytes);
    if (ofWorkspaces.has(name)) facts.set(file.sha256, workspaces.factsOf(bytes));
  }
  const [missing] = expected.keys();
  if (missing !== undefined) throw archiveInvalid(`${expected.size} files are missing, such as ${missing}.`);
  return facts;
}

const sha256Of = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

interface Archive {
  readonly wallet: string;
  readonly rows: ArchiveRows;
  readonly replaces: boolean;
}

type AssetCounts = Pick<Imported['counts'], 'assets' | 'unchanged' | 'skipped' | 'versions'>;

/**
 * Writes the assets of an archive in the transaction of the caller, after its bytes have been stored.
 * @throws the database's violation of `asset_storage_quota`
 */
async function insertArchive(
  tx: Queryable,
  { wallet, rows, replaces }: Archive,
): Promise<Pick<Imported, 'skippedKeys'> & { counts: AssetCounts }> {
  const counts = { assets: 0, unchanged: 0, skipped: 0, versions: 0 };
  const skippedKeys: string[] = [];
  for (const assets of rows.assets)
    for (const { key, outcome } of await insertAssets(tx, { wallet, assets, replaces })) {
      counts[outcome] += 1;
      if (outcome === 'skipped' && skippedKeys.length < SKIPPED_KEYS_SHOWN) skippedKeys.push(key);
    }
  for (const versions of rows.versions) counts.versions += await insertVersions(tx, { wallet, versions });
  return { counts, skippedKeys };
}

/**
 * Closes an account in one transaction. A dry run does the same and rolls back, so its result is exact.
 * @see AccountExport.close
 */
async function closeWallet(
  parts: ExportDeps,
  wallet: string,
  { isDry }: { readonly isDry: boolean },
): Promise<Closed> {
  const now = parts.clock();
  let closed: Closed | undefined;
  const closing = parts.database.transaction(async (tx) => {
    closed = await closeAll(parts, tx, { wallet, now });
    if (isDry) throw new DryRun();
  });
  await closing.catch((error: unknown) => {
    if (!(error instanceof DryRun)) throw error;
  });
  return closed!;
}

class DryRun extends Error {}

async function closeAll(
  { endJob, workspaces }: ExportDeps,
  tx: Queryable,
  { wallet, now }: { wallet: string; now: Date },
): Promise<Closed> {
  const purgeAt = new Date(now.getTime() + TRASH_LIFETIME_MS);
  const count = async (sql: string, ...more: unknown[]): Promise<number> =>
    (await tx.query<{ count: number }>(sql, [wallet, ...more]))[0]!.count;
  const all = (change: string) => `with gone as (${change} returning 1) select count(*) as count from gone`;
  // Locks the wallet first, as every transfer of credits does.
  const [account] = await tx.query<{ balance: number }>(
    `select credit - debit as balance from accounts where id = 'wallet:' || $1 for no key update`,
    [wallet],
  );
  await tx.query(
    `insert into blocked_wallets (wallet, at, who, why) values ($1, $2, $3, 'closed by its owner') on conflict do nothing`,
    [wallet, now, OWNER],
  );
  await tx.query('delete from guest_accounts where wallet = $1', [wallet]);
  await tx.query('delete from invoice_buyers where wallet = $1', [wallet]);
  const jobs = await tx.query<{ id: string }>(
    `select id from jobs where wallet = $1 and state in ('queued', 'running') order by position limit $2`,
    [wallet, LIVE_JOBS_ENDED_MAX],
  );
  for (const { id } of jobs) await endJob(tx, id);
  await tx.query(
    `update jobs set is_dead = false, input_sha256 = null, pictures = '[]', input_bytes = 0 where wallet = $1 and is_dead`,
    [wallet],
  );
  return {
    balance: account?.balance ?? 0,
    counts: {
      keys: await count(
        all('update wallet_keys set revoked_at = $2 where wallet = $1 and revoked_at is null'),
        now,
      ),
      sessions: await count(all('delete from wallet_sessions where wallet = $1')),
      assets: await trashAllAssets(tx, { wallet, purgeAt }),
      webhooks: await count(all('delete from webhook_endpoints where caller = $1')),
      jobs: jobs.length,
      posts: (await count(all(hide('cafe_posts')), now)) + (await count(all(hide('gallery_artworks')), now)),
      recipes: await count(all('delete from recipes where wallet = $1')),
      workspaces: await workspaces.forget(tx, wallet),
    },
    purgeAt,
  };
}

const hide = (board: string): string =>
  `update ${board} set hidden_at = $2 where lower(wallet) = $1 and hidden_at is null`;

const keySet = z.object({
  keys: z.array(z.object({ kid: z.string(), x: z.string(), revoked: z.unknown().optional() })).max(1000),
});

/**
 * The signing keys of another server, with revoked ones marked.
 * @param server its URL, as an archive names it: untrusted
 * @throws Error on failure, timeout or an oversized response
 */
export async function publishedKeys(
  reach: Reach,
  server: string,
  signal: AbortSignal,
): Promise<readonly (PublicKey & { readonly revoked?: unknown })[]> {
  const { bytes } = await fetchPublic(reach, `${server.replace(/\/$/, '')}/.well-known/jwks.json`, {
    field: 'archive',
    maxBytes: KEYS_BYTES_MAX,
    timeoutMs: KEYS_FETCH_TIMEOUT_MS,
    redirectsMax: 0,
    signal,
  });
  return keySet.parse(parseBoundedJson(bytes)).keys;
}

type Kept = Pick<AccountExportOptions, 'database' | 'blobs' | 'spool' | 'receipts' | 'publicUrl' | 'quota'>;

interface Opened extends Kept {
  readonly wallets: Pick<Wallets, 'release'>;
  readonly workspaces: Workspaces;
  /** Signs archives; Ed25519. */
  readonly key: KeyObject;
  readonly reach: Reach & { readonly reserve: Reserve };
}

export function openAccountExport(config: Config, { wallets, workspaces, key, reach, ...parts }: Opened) {
  const { database, blobs, spool, receipts, publicUrl, quota } = parts;
  const release = async (tx: Queryable, id: string) => {
    await wallets.release({ id }, tx);
  };
  return createAccountExport({
    database,
    blobs,
    spool,
    receipts,
    publicUrl,
    quota,
    reserve: reach.reserve,
    signer: createSigner(key),
    bytesMax: config.ASSETS_BYTES_MAX,
    trustedKids: config.IMPORT_KEYS,
    workspaces,
    endJob: (tx, id) =>
      endJob({ database: { transaction: (work) => work(tx) }, release, clock: () => new Date() }, id),
    keysOf: (server, signal) => publishedKeys(reach, server, signal),
  });
}

export function createAccountExport(options: AccountExportOptions): AccountExport {
  const parts: ExportDeps = { clock: () => new Date(), readManifest: createManifestReader(), ...options };
  return {
    exportWallet: (wallet) => exportWallet(parts, wallet),
    importWallet: (wallet, archive, how) => importWallet(parts, wallet, archive, how),
    close: (wallet, how) => closeWallet(parts, wallet, how),
    async reopen(wallet) {
      const rows = await parts.database.query(
        'delete from blocked_wallets where wallet = $1 and who = $2 returning wallet',
        [wallet, OWNER],
      );
      return rows.length > 0;
    },
  };
}
