import type { Database, Queryable } from '../../../core/database/types.ts';
import type { PublicKey, Signer } from '../../../core/keys/signer.ts';
import type { Shares } from '../../../core/quotas/types.ts';
import type { Reserve } from '../../../core/request_scope/types.ts';
import type { Blobs } from '../../../core/storage/blobs/types.ts';
import type { Receipts } from '../../billing/receipts/types.ts';
import type { ManifestReader } from './read_manifest.ts';

export interface LeavingOptions {
  readonly database: Database;
  readonly blobs: Pick<Blobs, 'put' | 'open'>;
  readonly signer: Signer;
  /** Keys that have signed here. */
  readonly receipts: Pick<Receipts, 'keys'>;
  readonly publicUrl: string;
  /** Counts bytes in memory. */
  readonly reserve: Reserve;
  /** Bounds what one caller saves in a day; absent: nothing does. */
  readonly shares?: Pick<Shares, 'take'> | undefined;
  /** The most bytes all wallets together may keep. */
  readonly bytesMax: number;
  /** Kids of servers that are gone, for which the operator answers. */
  readonly trustedKids: readonly string[];
  /** The keys another server publishes. @throws Error where it cannot be asked */
  keysOf(
    server: string,
    signal: AbortSignal,
  ): Promise<readonly (PublicKey & { readonly revoked?: unknown })[]>;
  /** Ends a job that has not ended and gives back what it holds, in that transaction. */
  endJob(tx: Queryable, id: string): Promise<boolean>;
  readonly clock?: () => Date;
}

/** What the files of this room share. */
export interface Parts extends LeavingOptions {
  readonly clock: () => Date;
  readonly readManifest: ManifestReader;
}
