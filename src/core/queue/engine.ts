import type { ClaimedAnswer } from '../idempotency/types.ts';
import type { JobCaller, NewJob } from './types.ts';

/**
 * What the queue asks of an engine. `table_engine.ts` is the only one; another can stand in its place if it passes
 * `engine.test.ts`. What clients read of a job (state, place, estimate) is not part of it: that is the row of the job.
 *
 * A job is queued, running, or ended. Each claim is a run with a number of its own, the fencing token: only the latest run of a job that
 * has not ended may change it.
 */
export interface QueueEngine {
  /**
   * Queues a job and stores its 202 under the Idempotency-Key, all or nothing, and wakes those that claim.
   * @throws AtelierError too_many_jobs for its caller or address; busy where its hold is gone; idempotency_in_progress where its call
   * no longer has the key
   */
  accept(job: NewJob, stored: StoredInput, kept: ClaimedAnswer | undefined): Promise<void>;
  /**
   * The next job in turn, for a new run with a lease of its own; undefined where there is none. Two claims never get the same run. A
   * run whose lease has lapsed is a crash of the job.
   */
  claim(wanted: ClaimOptions): Promise<ClaimedRow | undefined>;
  /** Renews the lease of a run. Progress never falls. False where the run no longer owns the job. */
  report(run: Run, shown: { progress: number; message: string }): Promise<boolean>;
  /** Stores which response the job has, once. False where the run no longer owns the job, or it has a response. */
  keep(run: Run, result: { sha256: string; taken: number | undefined }): Promise<boolean>;
  /**
   * Ends a job. One that does not succeed releases its hold and its Idempotency-Key, all or nothing. False where it has ended, or the
   * ending does not apply to it.
   */
  end(id: string, ending: Ending): Promise<boolean>;
  /**
   * Gives a run back, as if it had not begun; a job with a response waits for another run to settle it. Wakes those that claim where it
   * may be claimed at once. Does nothing where the run no longer owns the job.
   */
  requeue(run: Run, terms: { afterMs: number; isPass?: boolean }): Promise<void>;
  /** Calls `wake` when a job may be claimable: at once for those of this process, soon for others. May miss some: poll as well. */
  onWake(wake: () => void): void;
}

/** One run of one job. */
export interface Run {
  readonly id: string;
  readonly attempt: number;
}

export type Ending =
  /** With the response that a run has kept; any run may say so. */
  | { readonly outcome: 'succeeded' }
  /** While it has no response. */
  | { readonly outcome: 'canceled' }
  | {
      readonly outcome: 'failed';
      readonly problem: Record<string, unknown>;
      /** Only while this run owns the job; absent: whichever run does. */
      readonly attempt?: number;
      /** Even if it has a response: its hold has ended, so it cannot be settled. */
      readonly unsettled?: boolean;
    };

/** Criteria for the jobs that a process may claim. */
export interface ClaimOptions {
  /** Undefined: all tools. */
  readonly tools: readonly string[] | undefined;
  /** Tools that another worker runs better. */
  readonly excludedTools: readonly string[];
  /** Addresses that have used their share of this process. */
  readonly fullAddresses: readonly string[];
  /** Jobs that run here already, or failed here. */
  readonly but: readonly string[];
  /** Also jobs whose lease has lapsed. */
  readonly mayTakeOver: boolean;
}

/** Location of an image of a live job. */
export interface KeptPicture {
  readonly field: string;
  readonly sha256: string;
  readonly format: string;
  readonly width: number;
  readonly height: number;
  readonly fileName?: string;
}

/** Where the input of a job is stored. */
export interface StoredInput {
  readonly inputSha256: string;
  readonly pictures: readonly KeptPicture[];
  /** Of all of it together. */
  readonly bytes: number;
}

export interface ClaimedRow extends Run, StoredInput {
  readonly tool: string;
  readonly wallet: string | null;
  readonly proof: JobCaller['proof'] | null;
  readonly address: string;
  readonly requestId: string;
  readonly countedAs: string;
  readonly held: number | null;
  readonly warnings: string[];
  /** Set where an earlier run has kept a response: only settlement is left. */
  readonly resultSha256: string | null;
  readonly crashes: number;
  /** Times it was requeued by a process that lacked something. */
  readonly passes: number;
  readonly expiresAt: Date;
  readonly trace: JobCaller['trace'] | null;
  /** Retried by an operator: it is free. */
  readonly isWaived: boolean;
}
