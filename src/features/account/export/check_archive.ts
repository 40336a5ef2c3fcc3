import { checkJws } from '@atelier/imaging/provenance/soulmark/check_signature.ts';
import type { Database, Queryable } from '../../../core/database/types.ts';
import { AtelierError } from '../../../core/errors/atelier_error.ts';
import type { PublicKey, Signer } from '../../../core/keys/signer.ts';
import type { StorageQuota } from '../../../core/quotas/quotas.ts';
import type { Reserve } from '../../../core/request_scope/request_scope.ts';
import type { Blobs } from '../../../core/storage/blobs/blobs.ts';
import type { Spool, SpooledFile } from '../../../core/storage/blobs/spool.ts';
import type { Receipts } from '../../billing/receipts/types.ts';
import type { Workspaces } from '../../workspaces/types.ts';
import { ARCHIVE_TYPE } from './limits.ts';
import { claimsSchema } from './manifest.ts';
import { readAs } from './manifest_batches.ts';
import type { ArchiveContents, ManifestReader } from './read_manifest.ts';
import { archiveInvalid } from './read_tar.ts';
import { selectVersionRoom } from './store.ts';
import type { Imported } from './types.ts';

interface CheckedArchive extends ArchiveContents {
  readonly server: string;
  readonly trustedBy: Imported['trustedBy'];
}

/** The entries before the files of an archive. */
export interface ArchiveHead {
  readonly manifest: SpooledFile;
  readonly signature: Buffer;
}

/**
 * Verifies the head of an archive, cheapest check first: signature, wallet, trust in the key, digest of the manifest, and only then
 * the manifest itself. Only manifests signed by a trusted key are parsed.
 * @throws AtelierError archive_invalid, wallet_mismatch
 */
export async function checkArchive(
  parts: ExportDeps,
  { manifest, signature }: ArchiveHead,
  { wallet, signal }: { wallet: string; signal: AbortSignal },
): Promise<CheckedArchive> {
  const signed = checkJws(signature.toString().trim(), ARCHIVE_TYPE);
  if (!signed) throw archiveInvalid('Its signature is invalid.');
  const claims = readAs(claimsSchema, signed.claims, 'The signature');
  if (claims.sub !== wallet)
    throw new AtelierError(
      'wallet_mismatch',
      `The archive belongs to ${claims.sub}, but this session to ${wallet}. Import it with a session of its own wallet.`,
    );
  const server = claims.iss;
  const trustedBy = await whoAnswersFor(parts, signed.kid, { server, signal });
  if (claims.manifest_sha256 !== manifest.sha256)
    throw archiveInvalid('Its signature does not match the manifest: the archive was altered.');
  const room = await selectVersionRoom(parts.database, wallet);
  // Bytes, text and parsed form.
  await parts.reserve(3 * manifest.sizeBytes);
  const contents = await parts.readManifest({ ...manifest, wallet, server, room }, signal);
  return { ...contents, server, trustedBy };
}

/** Determines why the signing key is trusted. @throws AtelierError archive_invalid */
async function whoAnswersFor(
  { receipts, trustedKids, keysOf }: ExportDeps,
  kid: string,
  { server, signal }: { server: string; signal: AbortSignal },
): Promise<Imported['trustedBy']> {
  const own = (await receipts.keys()).find((key) => key.kid === kid);
  if (own?.revoked?.reason === 'compromised')
    throw archiveInvalid(`The key ${kid} that signed it is compromised.`);
  if (own) return 'this_server';
  if (trustedKids.includes(kid)) return 'operator';
  const published = await keysOf(server, signal).catch((cause: unknown) => {
    throw archiveInvalid(
      `The keys of ${server} could not be fetched (${cause instanceof AtelierError ? cause.code : 'no response'}). Try again when it is reachable. If it no longer exists, the operator of this server can trust the key ${kid} with IMPORT_KEYS.`,
    );
  });
  const found = published.find((key) => key.kid === kid);
  if (!found) throw archiveInvalid(`${server} does not publish the key ${kid} that signed it.`);
  if (found.revoked !== undefined)
    throw archiveInvalid(`${server} has revoked the key ${kid} that signed it.`);
  return 'its_server';
}

export interface AccountExportOptions {
  readonly database: Database;
  readonly blobs: Pick<Blobs, 'put' | 'open'>;
  /** Disk buffer for received manifests: any owner of a wallet may send large ones. */
  readonly spool: Pick<Spool, 'open'>;
  readonly signer: Signer;
  /** Keys with which this service has signed. */
  readonly receipts: Pick<Receipts, 'keys'>;
  readonly publicUrl: string;
  /** Memory budget. */
  readonly reserve: Reserve;
  /** Daily quota of saved bytes per caller; absent: none. */
  readonly quota?: Pick<StorageQuota, 'take'> | undefined;
  /** Maximum bytes of all wallets together. */
  readonly bytesMax: number;
  /** Key ids of retired servers that the operator trusts. */
  readonly trustedKids: readonly string[];
  /** Published keys of another server. @throws Error where it is unreachable */
  keysOf(
    server: string,
    signal: AbortSignal,
  ): Promise<readonly (PublicKey & { readonly revoked?: unknown })[]>;
  /** Ends an unfinished job and releases its hold, in this transaction. */
  endJob(tx: Queryable, id: string): Promise<boolean>;
  readonly workspaces: Pick<Workspaces, 'archive' | 'requireRoom' | 'factsOf' | 'restore' | 'forget'>;
  readonly clock?: () => Date;
}

/** Shared dependencies of this feature. */
export interface ExportDeps extends AccountExportOptions {
  readonly clock: () => Date;
  readonly readManifest: ManifestReader;
}
