import type { PictureFormat } from '@atelier/imaging/codecs/identify.ts';
import type { ForeignFormat } from '@atelier/imaging/identify/foreign_format.ts';
import type { IntakeNotes } from '@atelier/imaging/intake/intake_notes.ts';
import type { EngineName, Engines } from './engines.ts';

/** Runs engines off the main thread: a bounded queue that is fair among callers, deadlines, cancellation, a limit on pixels in flight. */
export interface Pixels {
  /**
   * Runs an engine when admitted, at the latest after half its deadline.
   * @throws AtelierError busy (queue full, or not admitted in time), timed_out, image_too_large, undecodable_image, unsuitable_image
   */
  run<Name extends EngineName>(
    engine: Name,
    input: Parameters<Engines[Name]>[0],
    control: PixelControl,
  ): Promise<Awaited<ReturnType<Engines[Name]>>>;
  /**
   * Reserves pixels for work in several parts, and passes the parts the reservation for `within`: they wait for each other if they do not
   * fit together, and no other call can come between them.
   * @throws AtelierError as `run` does, and errors of the work
   */
  reserve<T>(
    input: { readonly bytes: Uint8Array },
    control: PixelControl,
    work: (within: Reservation) => Promise<T>,
  ): Promise<T>;
  /**
   * CPU seconds, on all threads, that a run is predicted to take on this server: from ENGINE_SECONDS, corrected by earlier runs. Reads only
   * the header of the image, within microseconds, and never throws.
   */
  predict<Name extends EngineName>(
    engine: Name,
    input: Parameters<Engines[Name]>[0],
    control: Pick<PixelControl, 'pixels' | 'estimatedSeconds'>,
  ): number;
  readonly load: { running: number; waiting: number; pixelsInFlight: number };
  /** Waiting runs by predicted length, with their predicted CPU seconds. */
  readonly queue: Readonly<Record<WorkLength, { readonly runs: number; readonly cpuSeconds: number }>>;
  /** Ids of the running processes. */
  readonly pids: readonly number[];
  /** The model process: whether it has a job, and the estimated time of the jobs ahead of an address. */
  readonly networks: { readonly isBusy: boolean; secondsAheadOf(address: string): number };
  close(): Promise<void>;
}

/** `short`: below SHORT_WORK_SECONDS of predicted CPU time. One process is always reserved for such work. */
export const WORK_LENGTHS = ['short', 'long'] as const;
export type WorkLength = (typeof WORK_LENGTHS)[number];

/** Pixels reserved for one call. */
export interface Reservation {
  readonly pixels: number;
}

export interface PixelControl {
  /**
   * Pixels that the job holds at its peak, input and output together: the unit of the memory budget, four bytes each. The additional
   * decoding cost of the input format is added.
   */
  readonly pixels: number;
  readonly signal: AbortSignal;
  readonly deadlineMs?: number;
  /** Owner of the work for fair scheduling: network address, and the caller within it. Absent: the service itself. */
  readonly address?: string;
  readonly callerKey?: string;
  /** Share of the caller in the fair queue. Default: 1. */
  readonly weight?: number;
  /** Takes its pixels from this reservation. */
  readonly within?: Reservation;
  /** Expected seconds of a model run on all cores, from its measured speed. Absent: predicted from the table. */
  readonly estimatedSeconds?: number;
  onProgress?(fraction: number, message: string): void;
  /** Called when a process starts the job. */
  onStart?(): void;
  /** Called before the run settles, if its image was not read completely and unchanged. */
  onIntake?(notes: IntakeNotes): void;
  /** Called once before the run settles, also for a run that was stopped, failed or never started (all zero). */
  onSpent?(spent: RunSeconds): void;
}

/** Seconds of a run: reading files into pixels, writing pixels into files, and the rest. A stopped run counts under `engine`. */
export interface RunSeconds {
  readonly decoding: number;
  readonly engine: number;
  readonly encoding: number;
  /** CPU seconds, user and system, of all threads, including interrupted attempts. */
  readonly cpu: number;
}

/** An image as sent, identified by its own header (never by a file name or a declared type). */
export interface SourceImage {
  readonly bytes: Uint8Array;
  readonly format: PictureFormat | ForeignFormat;
  /** As stored, before EXIF orientation is applied. */
  readonly width: number;
  readonly height: number;
  /** The client's name of the file. */
  readonly fileName?: string;
}
