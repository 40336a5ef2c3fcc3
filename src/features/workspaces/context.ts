import type { Database } from '../../core/database/types.ts';
import type { Links } from '../../core/links/links.ts';
import type { Jobs } from '../../core/queue/types.ts';
import type { StorageQuota } from '../../core/quotas/quotas.ts';
import type { Blobs } from '../../core/storage/blobs/blobs.ts';
import type { Results } from '../assets/results/results.ts';
import type { Ownership } from '../wallets/ownership/types.ts';

/** Dependencies of this feature. */
export interface WorkspacesDeps {
  readonly database: Database;
  readonly blobs: Pick<Blobs, 'put' | 'get' | 'open'>;
  readonly results: Pick<Results, 'open' | 'nameOf'>;
  readonly links: Links;
  readonly ownership: Pick<Ownership, 'lockedAt' | 'record'>;
  readonly jobs: Pick<Jobs, 'find' | 'resultOf'>;
  /** Runs work in a separate request scope, whose memory is released at its end. */
  inScope<T>(work: () => Promise<T>): Promise<T>;
  /** Daily quota of saved bytes per caller; absent: none. */
  readonly quota?: StorageQuota | undefined;
  /** Limit for all workspaces of the server; absent: unlimited. */
  readonly bytesMax?: number | undefined;
  readonly clock?: (() => Date) | undefined;
  readonly pollMs?: number | undefined;
  /** Reports failures that no client sees. */
  report?(error: unknown): void;
}

/** Context of the functions of this feature: dependencies and change notification. */
export interface WorkspaceContext extends WorkspacesDeps {
  readonly clock: () => Date;
  /**
   * Acquires storage quota of the client.
   * @throws AtelierError storage_full, too_much_kept
   */
  takeRoom(bytes: number): Promise<void>;
  /** Called after a change was committed. */
  announce(workspace: string): void;
}

export const pageUrl = ({ links }: Pick<WorkspaceContext, 'links'>, text: string): string =>
  `${links.publicUrl}/table/${text}`;
