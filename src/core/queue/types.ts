import type { Signals } from '../database/signals.ts';
import type { Queryable, ScriptableDatabase } from '../database/types.ts';
import type { ResponseTexts } from '../idempotency/response_texts.ts';
import type { ClaimedResponse } from '../idempotency/types.ts';
import type { Proof } from '../principal.ts';
import type { Blobs } from '../storage/blobs/blobs.ts';
import type { TraceContext } from '../telemetry/types.ts';
import type { SourceImage } from '../workers/types.ts';

/** Asynchronous calls, answered with 202: stored in the database, so that a restart loses none. */
export interface Jobs {
  /** @throws AtelierError busy if the queue is full, too_many_jobs for this caller or its address */
  requireRoom(caller: Pick<JobCaller, 'countedAs' | 'address'>): Promise<void>;
  /** Creates an unguessable id for a job. */
  newId(): string;
  /** The state that a request right after the acceptance would return. */
  preview(job: NewJob): Promise<JobView>;
  /**
   * Stores and queues the job, and stores its 202 under the Idempotency-Key, all or nothing. The input must be stored first.
   * @throws AtelierError as `requireRoom`
   */
  accept(job: NewJob, kept: ClaimedResponse | undefined): Promise<void>;
  /** Undefined for an unknown, expired or malformed id. */
  find(id: string): Promise<JobView | undefined>;
  /** The input as it was sent, with handles instead of images; undefined for an unknown job and for a long input. */
  paramsOf(id: string): Promise<Record<string, unknown> | undefined>;
  /** Ids of the latest jobs of a wallet, newest first. @param limit at most that many */
  recentOf(wallet: string, limit: number): Promise<readonly string[]>;
  /** The response of a succeeded job: the same bytes as a synchronous call. */
  resultOf(job: JobView): Promise<string>;
  /** Cancels an unfinished job and releases its hold. False if it has ended already; then the data stored for a retry is deleted. */
  cancel(id: string): Promise<boolean>;
  /** Starts claiming jobs, until `close`. Failures are reported and retried. */
  work(working: Working): Promise<void>;
  /** Number of jobs running in this process. */
  running(): number;
  /** Median of recent runs of a tool, of similar size if there are any; null without runs. */
  typicalSeconds(like: { tool: string; megapixels?: number | undefined }): Promise<number | null>;
  /** Queued jobs, by tool. */
  waiting(): Promise<readonly WaitingJobs[]>;
  /** Deletes old jobs, gives up dead ones, voids holds without a job. */
  sweep(now: Date): Promise<number>;
  /** Stops claiming jobs, and requeues the running ones. */
  close(): Promise<void>;
}

/** The principal of a job, as its call was authenticated. */
export interface JobCaller {
  /** Key of the limits: the registered wallet, else the address. */
  readonly countedAs: string;
  readonly wallet?: string | undefined;
  readonly proof?: Proof | undefined;
  readonly address: string;
  readonly requestId: string;
  /** Present if the call is traced. */
  readonly trace?: TraceContext | undefined;
}

export interface NewJob {
  readonly id: string;
  readonly tool: string;
  readonly caller: JobCaller;
  /** As sent, without images. */
  readonly input: Record<string, unknown>;
  /** By field. */
  readonly pictures: Readonly<Record<string, SourceImage>>;
  readonly warnings: readonly string[];
  /** Millicredits in the hold named after the job. */
  readonly held?: number | undefined;
  /** All images together. */
  readonly megapixels?: number | undefined;
  /** The first estimate, in seconds from now to the end. */
  readonly expectedSeconds?: number | undefined;
}

type JobState = 'queued' | 'running' | 'succeeded' | 'failed' | 'canceled';

export interface JobView {
  readonly id: string;
  readonly tool: string;
  readonly wallet: string | null;
  readonly proof: Proof | null;
  readonly state: JobState;
  /** 0 to 1. */
  readonly progress: number;
  readonly message: string;
  /** Millicredits held while it is live; once its response is stored, the amount to be charged; null if free. */
  readonly held: number | null;
  readonly resultSha256: string | null;
  readonly problem: Record<string, unknown> | null;
  readonly createdAt: Date;
  readonly runAt: Date | null;
  readonly finishedAt: Date | null;
  readonly expiresAt: Date;
  /** Queue position, from 1; null unless queued. */
  readonly place: number | null;
  /** Estimated seconds until it ends; null without an estimate, and after it has ended. */
  readonly secondsLeft: number | null;
  /** It takes clearly longer than the first estimate. */
  readonly isLate: boolean;
}

export interface Working {
  readonly run: RunJob;
  /** Only jobs of these tools; absent: all tools. */
  readonly tools?: readonly string[] | undefined;
  /** Tools that this process can only run at lower quality: it leaves their jobs to a worker that runs them better. */
  lacks?(): Promise<readonly string[]>;
  /** Whether an error of a run means that this process lacks something: if another worker may have it, the job is requeued. */
  shouldRequeue?(error: unknown): boolean;
  /** Retry delay in milliseconds after this error of a run; undefined: the job fails. */
  retriesAfterMs?(error: unknown): number | undefined;
}

export interface WaitingJobs {
  readonly tool: string;
  readonly count: number;
  /** Age of the oldest. */
  readonly oldestSeconds: number;
}

/** Runs one job. An error fails the job, unless the signal has fired or the response is stored. */
export type RunJob = (work: JobWork) => Promise<void>;

export interface JobWork extends Pick<NewJob, 'id' | 'tool' | 'caller' | 'input' | 'pictures' | 'warnings'> {
  /** Once the response is stored: the amount to charge. */
  readonly held: number | undefined;
  /** Retried by an operator, and therefore free. */
  readonly isWaived: boolean;
  /** Set when an earlier run has stored the response: only settlement is left. */
  readonly answer: string | undefined;
  /** Another worker may run it: throw instead of running at lower quality. */
  readonly mayRequeue: boolean;
  /** Aborts when the job is canceled, claimed by another process, or this server shuts down. */
  readonly signal: AbortSignal;
  onProgress(fraction: number, message: string): void;
  /**
   * Stores the response before the charge. `taken`: the millicredits to charge, if less than the hold.
   * @throws if another run has claimed the job, or it was canceled
   */
  keep(answer: string, terms?: { taken?: number }): Promise<void>;
}

export interface JobsOptions {
  readonly database: ScriptableDatabase;
  /** Wakes other processes when a job can be claimed. Absent: they poll. */
  readonly signals?: Signals | undefined;
  /** Storage of inputs. */
  readonly blobs: Pick<Blobs, 'put' | 'get'>;
  /** Storage of responses. */
  readonly texts: ResponseTexts;
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

/**
 * Interface between the queue and its storage engine. `createTableEngine` is the only implementation; another one must pass `engine.test.ts`.
 * The client's view of a job (state, position, estimate) is not part of it; that is the row of the job.
 *
 * A job is queued, running, or ended. Each claim is a numbered run, and the number is a fencing token: only the latest run of a job that
 * has not ended may change it.
 */
export interface QueueEngine {
  /**
   * Queues a job and stores its 202 under the Idempotency-Key, all or nothing, and wakes claimers.
   * @throws AtelierError too_many_jobs for its caller or address; busy if its hold is gone; idempotency_in_progress if its call no longer
   * holds the key
   */
  accept(job: NewJob, stored: StoredInput, kept: ClaimedResponse | undefined): Promise<void>;
  /**
   * Claims the next job for a new run with its own lease; undefined if there is none. Two claims never get the same run. A run whose lease
   * has lapsed counts as a crash of the job.
   */
  claim(wanted: ClaimOptions): Promise<ClaimedRow | undefined>;
  /** Renews the lease of a run. Progress never decreases. False if the run no longer owns the job. */
  report(run: Run, shown: { progress: number; message: string }): Promise<boolean>;
  /** Stores the reference to the response, once. False if the run no longer owns the job, or it has a response. */
  keep(run: Run, result: { sha256: string; taken: number | undefined }): Promise<boolean>;
  /**
   * Ends a job. An unsuccessful end releases its hold and its Idempotency-Key, all or nothing. False if it has ended, or the ending does
   * not apply to it.
   */
  end(id: string, ending: Ending): Promise<boolean>;
  /**
   * Requeues a run as if it had not begun; a job with a response waits for another run to settle it. Wakes claimers if the job may be
   * claimed at once. No effect if the run no longer owns the job.
   */
  requeue(run: Run, terms: { afterMs: number; isPass?: boolean }): Promise<void>;
  /**
   * Calls `wake` when a job may be claimable: at once for those of this process, soon for others. Some calls may be missed: poll as well.
   */
  onWake(wake: () => void): void;
}

/** One run of one job. */
export interface Run {
  readonly id: string;
  readonly attempt: number;
}

export type Ending =
  /** With the response that a run has stored; any run may report it. */
  | { readonly outcome: 'succeeded' }
  /** While it has no response. */
  | { readonly outcome: 'canceled' }
  | {
      readonly outcome: 'failed';
      readonly problem: Record<string, unknown>;
      /** Only while this run owns the job; absent: regardless of the run. */
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
  /** Jobs that already run here, or failed here. */
  readonly but: readonly string[];
  /** Also jobs whose lease has lapsed. */
  readonly mayTakeOver: boolean;
}

/** Location of an image of a live job. */
interface StoredImage {
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
  readonly pictures: readonly StoredImage[];
  /** Total size. */
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
  /** Set if an earlier run has stored a response: only settlement is left. */
  readonly resultSha256: string | null;
  readonly crashes: number;
  /** Times it was requeued by a process that lacked something. */
  readonly passes: number;
  readonly expiresAt: Date;
  readonly trace: JobCaller['trace'] | null;
  /** Retried by an operator, and therefore free. */
  readonly isWaived: boolean;
}
