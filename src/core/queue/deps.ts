import type { Queryable, ScriptableDatabase } from '../database/types.ts';
import type { KeptTexts } from '../idempotency/kept_texts.ts';
import type { Blobs } from '../storage/blobs/types.ts';

export interface JobsOptions {
  readonly database: ScriptableDatabase;
  /** Storage of inputs. */
  readonly blobs: Pick<Blobs, 'put' | 'get'>;
  /** Storage of responses. */
  readonly texts: KeptTexts;
  readonly limits: JobLimits;
  /** Releases the hold of this name, in the transaction that ends its job. */
  release(tx: Queryable, holdId: string): Promise<void>;
  /** Converts an error to the form that the client reads. */
  problemOf(error: unknown, job: { id: string; requestId: string }): Record<string, unknown>;
  /** Reports internal failures. */
  report(error: unknown, context: object): void;
  readonly clock?: () => Date;
  /** Lease of a job: a process that does not renew it loses the job. Default: JOB_LEASE_MS. */
  readonly leaseMs?: number;
}

/** Shared dependencies of this service. */
export interface QueueDeps extends JobsOptions {
  readonly clock: () => Date;
  readonly leaseMs: number;
}

export interface JobLimits {
  /** Concurrent jobs of this process, and those of one address. */
  readonly atOnce: number;
  readonly atOnceOfAddress: number;
  /** Live jobs per caller, per address with all its callers, and in total. */
  readonly perCaller: number;
  readonly perAddress: number;
  readonly inAll: number;
}
