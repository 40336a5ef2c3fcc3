import type { Signals } from '../database/signals.ts';
import type { Queryable, ScriptableDatabase } from '../database/types.ts';
import type { KeptTexts } from '../idempotency/kept_texts.ts';
import type { Blobs } from '../storage/blobs/types.ts';
import type { QueueEngine } from './engine.ts';

export interface JobsOptions {
  readonly database: ScriptableDatabase;
  /** Wakes other processes when a job can be claimed. Absent: they poll. */
  readonly signals?: Signals | undefined;
  /** Storage of inputs. */
  readonly blobs: Pick<Blobs, 'put' | 'get'>;
  /** Storage of responses. */
  readonly texts: KeptTexts;
  readonly limits: JobLimits;
  /** Whether the hold of this name is open, and keeps it open until the transaction that accepts its job ends. */
  isHeld(tx: Queryable, holdId: string): Promise<boolean>;
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
  readonly engine: QueueEngine;
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
