import type { ClaimedAnswer } from '../idempotency/types.ts';
import type { Proof } from '../principal.ts';
import type { TraceContext } from '../telemetry/types.ts';
import type { SourceImage } from '../workers/types.ts';

/** Asynchronous calls, answered with 202: stored in the database, so that a restart loses none. */
export interface Jobs {
  /** @throws AtelierError busy where the queue is full, too_many_jobs for this caller or its address */
  requireRoom(caller: Pick<JobCaller, 'countedAs' | 'address'>): Promise<void>;
  /** Creates an unguessable id for a job. */
  newId(): string;
  /** The state that a request right after the acceptance would return. */
  preview(job: NewJob): Promise<JobView>;
  /**
   * Stores and queues the job, and stores its 202 under the Idempotency-Key, all or nothing. The input must be stored before.
   * @throws AtelierError as `requireRoom`
   */
  accept(job: NewJob, kept: ClaimedAnswer | undefined): Promise<void>;
  /** Undefined for an unknown, expired or malformed id. */
  find(id: string): Promise<JobView | undefined>;
  /** The input as it was sent, with handles instead of images; undefined for an unknown job and where it was long. */
  paramsOf(id: string): Promise<Record<string, unknown> | undefined>;
  /** Ids of the latest jobs of a wallet, newest first. @param limit at most that many */
  recentOf(wallet: string, limit: number): Promise<readonly string[]>;
  /** The response of a succeeded job: the same bytes as a synchronous call. */
  resultOf(job: JobView): Promise<string>;
  /** Cancels an unfinished job and releases its hold. False when it has ended already; then what is kept for a retry is deleted. */
  cancel(id: string): Promise<boolean>;
  /** Starts claiming jobs, until `close`. Failures are reported and retried. */
  work(working: Working): Promise<void>;
  /** Number of jobs running in this process. */
  running(): number;
  /** Median of recent runs of a tool, of similar size where there were any; null without runs. */
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
  /** Present where the call is traced. */
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
  /** Of all its pictures together. */
  readonly megapixels?: number | undefined;
  /** The first estimate, from now to its end. */
  readonly expectedSeconds?: number | undefined;
}

export type JobState = 'queued' | 'running' | 'succeeded' | 'failed' | 'canceled';

export interface JobView {
  readonly id: string;
  readonly tool: string;
  readonly wallet: string | null;
  readonly proof: Proof | null;
  readonly state: JobState;
  /** 0 to 1. */
  readonly progress: number;
  readonly message: string;
  /** Millicredits held while it is live; once its response is stored, the amount to be charged; null where free. */
  readonly held: number | null;
  readonly resultSha256: string | null;
  readonly problem: Record<string, unknown> | null;
  readonly createdAt: Date;
  readonly runAt: Date | null;
  readonly finishedAt: Date | null;
  readonly expiresAt: Date;
  /** Queue position, from 1; null unless queued. */
  readonly place: number | null;
  /** Estimated seconds until it ends; null without an estimate, and once it has ended. */
  readonly secondsLeft: number | null;
  /** It takes clearly longer than the first estimate said. */
  readonly isLate: boolean;
}

export interface Working {
  readonly run: RunJob;
  /** Jobs of these tools only; absent: all tools. */
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

export interface JobWork {
  readonly id: string;
  readonly tool: string;
  readonly caller: JobCaller;
  readonly input: Record<string, unknown>;
  readonly pictures: Readonly<Record<string, SourceImage>>;
  readonly warnings: readonly string[];
  /** Once the response is stored: the amount to charge. */
  readonly held: number | undefined;
  /** An operator has retried it: it is free. */
  readonly isWaived: boolean;
  /** Set when an earlier run has stored the response: only settlement is left. */
  readonly answer: string | undefined;
  /** Another worker may run it: throw instead of running at lower quality. */
  readonly mayRequeue: boolean;
  /** Aborts when the job is canceled, claimed by another process, or this server shuts down. */
  readonly signal: AbortSignal;
  onProgress(fraction: number, message: string): void;
  /**
   * Stores the response before the charge. `taken`: the millicredits to charge, where less than the hold.
   * @throws where another run has claimed the job, or it was canceled
   */
  keep(answer: string, terms?: { taken?: number }): Promise<void>;
}
