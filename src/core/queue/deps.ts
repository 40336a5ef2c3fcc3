import type { Queryable, ScriptableDatabase } from '../database/types.ts';
import type { KeptTexts } from '../idempotency/kept_texts.ts';
import type { Blobs } from '../storage/blobs/types.ts';

export interface JobsOptions {
  readonly database: ScriptableDatabase;
  /** Keeps inputs. */
  readonly blobs: Pick<Blobs, 'put' | 'get'>;
  /** Keeps answers. */
  readonly texts: KeptTexts;
  readonly limits: JobLimits;
  /** Gives back what is held under this name, in the transaction that ends its job. */
  release(tx: Queryable, holdId: string): Promise<void>;
  /** A failure as the caller will read it. */
  problemOf(error: unknown, job: { id: string; requestId: string }): Record<string, unknown>;
  /** Told about failures that are ours. */
  report(error: unknown, context: object): void;
  readonly clock?: () => Date;
  /** A process that is silent for so long loses its jobs. Absent: JOB_LEASE_MS. */
  readonly leaseMs?: number;
}

/** What the parts of this service share. */
export interface QueueDeps extends JobsOptions {
  readonly clock: () => Date;
  readonly leaseMs: number;
}

export interface JobLimits {
  /** Jobs this process works on at once, and those of one address. */
  readonly atOnce: number;
  readonly atOnceOfAddress: number;
  /** Live jobs of one caller, of one address with all its callers, and of all. */
  readonly perCaller: number;
  readonly perAddress: number;
  readonly inAll: number;
}
