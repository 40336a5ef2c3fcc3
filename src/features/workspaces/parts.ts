import type { Database } from '../../core/database/types.ts';
import type { Links } from '../../core/links/links.ts';
import type { Jobs } from '../../core/queue/types.ts';
import type { Shares } from '../../core/quotas/quotas.ts';
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
  /** Runs work in a request scope of its own: its memory is released when it ends. */
  inScope<T>(work: () => Promise<T>): Promise<T>;
  /** Daily quota of saved bytes per caller; absent: none. */
  readonly shares?: Shares | undefined;
  /** Of all workspaces together; absent: unlimited. */
  readonly bytesMax?: number | undefined;
  readonly clock?: (() => Date) | undefined;
  readonly pollMs?: number | undefined;
  /** Told of failures that no client sees. */
  report?(error: unknown): void;
}

/** What the files here share: the dependencies, and where changes are announced. */
export interface Parts extends WorkspacesDeps {
  readonly clock: () => Date;
  /**
   * Acquires space for bytes of this caller.
   * @throws AtelierError storage_full, too_much_kept
   */
  takeRoom(bytes: number): Promise<void>;
  /** Called after a change was committed. */
  announce(workspace: string): void;
}

export const pageUrl = ({ links }: Pick<Parts, 'links'>, text: string): string =>
  `${links.publicUrl}/table/${text}`;
