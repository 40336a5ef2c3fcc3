import type { KeptAnswer } from '../idempotency/types.ts';
import type { Proof } from '../principal.ts';
import type { TraceContext } from '../telemetry/types.ts';
import type { SourceImage } from '../workers/types.ts';

/** Calls that were answered 202 and are worked on afterwards: kept in the database, so that no restart loses one. */
export interface Jobs {
  /** @throws AtelierError busy where no more jobs are taken, too_many_jobs for this caller or its address */
  requireRoom(caller: Pick<JobCaller, 'countedAs' | 'address'>): Promise<void>;
  /** An unguessable name for a job that will be accepted. */
  newId(): string;
  /** What somebody who asks right after the acceptance would see. */
  preview(job: NewJob): Promise<JobView>;
  /**
   * Writes the job down, puts it into the queue and keeps its 202 under the Idempotency-Key, all or nothing; the input is on
   * the disk before. @throws AtelierError as `requireRoom`
   */
  accept(job: NewJob, kept: KeptAnswer | undefined): Promise<void>;
  /** Undefined for an id that is unknown, forgotten or no id at all. */
  find(id: string): Promise<JobView | undefined>;
  /** The answer of a job that has succeeded: the bytes a call that waits would have got. */
  resultOf(job: JobView): Promise<string>;
  /** Ends a job that has not ended, and gives back what it holds. False when it was too late. */
  cancel(id: string): Promise<boolean>;
  /** From now on this process takes jobs, until it closes. What fails is reported and tried again. */
  work(working: Working): Promise<void>;
  /** Jobs this process works on. */
  running(): number;
  /** Jobs that nobody works on yet, by tool. */
  waiting(): Promise<readonly WaitingJobs[]>;
  /** Forgets old jobs, gives up dead ones, voids what no job holds. */
  sweep(now: Date): Promise<number>;
  /** Takes no more jobs, and gives back what runs here. */
  close(): Promise<void>;
}

/** Who a job acts for, as the call that made it was identified. */
export interface JobCaller {
  /** Who is counted: the registered wallet, else the address. */
  readonly countedAs: string;
  readonly wallet?: string | undefined;
  readonly proof?: Proof | undefined;
  readonly address: string;
  readonly requestId: string;
  /** Where the call is traced. */
  readonly trace?: TraceContext | undefined;
}

export interface NewJob {
  readonly id: string;
  readonly tool: string;
  readonly caller: JobCaller;
  /** As it was sent, without its pictures. */
  readonly input: Record<string, unknown>;
  /** By field. */
  readonly pictures: Readonly<Record<string, SourceImage>>;
  readonly warnings: readonly string[];
  /** Millicredits under the hold that has the name of the job. */
  readonly held?: number | undefined;
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
  /** Millicredits held while it lives, or taken by its success, from when its answer is kept; null where it is free. */
  readonly held: number | null;
  readonly resultSha256: string | null;
  readonly problem: Record<string, unknown> | null;
  readonly createdAt: Date;
  readonly runAt: Date | null;
  readonly finishedAt: Date | null;
  readonly expiresAt: Date;
  /** 1 is the next to run; null unless it is queued. */
  readonly place: number | null;
  /** Seconds until it has probably ended; null where there is nothing to tell it from, and once it has. */
  readonly secondsLeft: number | null;
}

export interface Working {
  readonly run: RunJob;
  /** Jobs of these tools only; absent: of all. */
  readonly tools?: readonly string[] | undefined;
  /** Tools this process could do only worse than meant: where another does better, it leaves their jobs to that one. */
  lacks?(): Promise<readonly string[]>;
  /** Whether what a run has thrown says that this process lacks something: where another may have it, the job goes back. */
  passesOn?(error: unknown): boolean;
  /** Milliseconds after which a job whose run has thrown this is tried again; undefined: it fails. */
  retriesAfterMs?(error: unknown): number | undefined;
}

export interface WaitingJobs {
  readonly tool: string;
  readonly count: number;
  /** Since the one that has waited longest was accepted. */
  readonly oldestSeconds: number;
}

/** Runs one job. What it throws fails the job, unless the signal has fired or the answer was kept. */
export type RunJob = (work: JobWork) => Promise<void>;

export interface JobWork {
  readonly id: string;
  readonly tool: string;
  readonly caller: JobCaller;
  readonly input: Record<string, unknown>;
  readonly pictures: Readonly<Record<string, SourceImage>>;
  readonly warnings: readonly string[];
  /** Once the answer is kept: what is to be taken. */
  readonly held: number | undefined;
  /** Set when an earlier run got as far as its answer: what is left is to settle it. */
  readonly answer: string | undefined;
  /** Another process could do it, should this one lack something: a run that would be less than meant had better throw. */
  readonly mayPassOn: boolean;
  /** Aborts when the job is canceled, has moved to another process, or this server stops. */
  readonly signal: AbortSignal;
  onProgress(fraction: number, message: string): void;
  /**
   * Keeps the answer, before the money moves. `taken`: the millicredits that will be taken, where that is less than is held.
   * @throws where another run has taken the job over, or it was canceled
   */
  keep(answer: string, terms?: { taken?: number }): Promise<void>;
}
