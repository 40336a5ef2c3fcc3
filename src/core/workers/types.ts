import type { PictureFormat } from '@atelier/imaging/codecs/identify.ts';
import type { ForeignFormat } from '@atelier/imaging/identify/foreign_format.ts';
import type { IntakeNotes } from '@atelier/imaging/intake/intake_notes.ts';
import type { EngineName, Engines } from './engines.ts';

/** Runs engines off the main thread: a bounded queue that is fair among callers, deadline, cancellation, a cap on pixels in flight. */
export interface Pixels {
  /**
   * Runs when its turn comes, at the latest after half its deadline.
   * @throws AtelierError busy (the queue is full, or the turn did not come), timed_out, image_too_large, undecodable_image, unsuitable_image
   */
  run<Name extends EngineName>(
    engine: Name,
    input: Parameters<Engines[Name]>[0],
    control: PixelControl,
  ): Promise<Awaited<ReturnType<Engines[Name]>>>;
  /**
   * Sets pixels aside for work in several parts, once, and gives the parts what they run `within`: they wait for each other
   * where they do not fit together, and no other call can come between them.
   * @throws AtelierError as `run` does, and what the work throws
   */
  reserve<T>(
    input: { readonly bytes: Uint8Array },
    control: PixelControl,
    work: (within: Reservation) => Promise<T>,
  ): Promise<T>;
  /**
   * CPU seconds, of all threads, that a run is predicted to take on this server: from ENGINE_SECONDS, corrected by earlier
   * runs. Reads no more of the input than the header of its image, in microseconds, and throws nothing.
   */
  predict<Name extends EngineName>(
    engine: Name,
    input: Parameters<Engines[Name]>[0],
    control: Pick<PixelControl, 'pixels' | 'estimatedSeconds'>,
  ): number;
  readonly load: { running: number; waiting: number; pixelsInFlight: number };
  /** Runs that wait for a process, by their predicted length, and the CPU seconds they are predicted to take. */
  readonly queue: Readonly<Record<WorkLength, { readonly runs: number; readonly cpuSeconds: number }>>;
  /** Processes that are open. */
  readonly pids: readonly number[];
  /** The one process for networks: whether it has a job, and how long those before an address may take still, as far as they say. */
  readonly networks: { readonly isBusy: boolean; secondsAheadOf(address: string): number };
  close(): Promise<void>;
}

/** `short` below SHORT_WORK_SECONDS of predicted CPU time: a process is always kept for such work. */
export const WORK_LENGTHS = ['short', 'long'] as const;
export type WorkLength = (typeof WORK_LENGTHS)[number];

/** Pixels set aside for one call. */
export interface Reservation {
  readonly pixels: number;
}

export interface PixelControl {
  /**
   * Pixels the job will hold at its peak, input and output together: what the memory budget counts, four bytes each. What the
   * format of the input takes more to decode is added to it.
   */
  readonly pixels: number;
  readonly signal: AbortSignal;
  readonly deadlineMs?: number;
  /** For whom, as far as turns and shares go: the network address and within it the caller. Absent: the service itself. */
  readonly address?: string;
  readonly callerKey?: string;
  /** Share of the caller in the fair queue; default: 1, that of everybody. */
  readonly weight?: number;
  /** Takes its pixels from those set aside. */
  readonly within?: Reservation;
  /** Seconds the run of a network is expected to take on all cores, from its measured speed. Absent: predicted from the table. */
  readonly estimatedSeconds?: number;
  onProgress?(fraction: number, message: string): void;
  /** Called when a process takes the job: until then it waits. */
  onStart?(): void;
  /** Called before the run settles, where its picture was read otherwise than as a whole, as it stands. */
  onIntake?(notes: IntakeNotes): void;
  /** Called once before the run settles, also for a run that was stopped, failed or never started (all zero). */
  onSpent?(spent: Spent): void;
}

/** Seconds a run took: reading files into pixels, writing pixels into files, and the rest. A stopped run counts under `engine`. */
export interface Spent {
  readonly decoding: number;
  readonly engine: number;
  readonly encoding: number;
  /** CPU seconds, user and system, of all threads, those of interrupted attempts included. */
  readonly cpu: number;
}

/** A picture as it was sent, identified by its own header (never by a file name or a claimed type). */
export interface SourceImage {
  readonly bytes: Uint8Array;
  readonly format: PictureFormat | ForeignFormat;
  /** As stored, before EXIF orientation is applied. */
  readonly width: number;
  readonly height: number;
  /** What the client calls the file. */
  readonly fileName?: string;
}
