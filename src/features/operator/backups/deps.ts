import type { Objects } from '../../../core/storage/objects/types.ts';
import type { ProgressOptions } from './types.ts';

/** Storage for backups: a folder or a bucket. */
export interface BackupPlace {
  /** For messages. */
  readonly where: string;
  /** The contents of backups, by blob name. */
  readonly objects: Objects;
  /** The manifests of backups. */
  readonly manifests: Objects;
  /**
   * Prepares the storage and locks it against other processes that add or remove backups.
   * @throws Error naming the holder, or saying what is wrong with the storage
   */
  hold(): Promise<HeldPlace>;
}

export interface HeldPlace {
  /** Aborted once another server may hold the lease. */
  readonly lost?: AbortSignal;
  release(): Promise<void>;
}

/** Progress and cancellation of one backup or restore. */
export interface Steps {
  /** Completed fraction, 0 to 1. */
  progress(fraction: number, message: string): void;
  /** @throws where it was cancelled */
  proceed(): void;
}

/** Steps of a part of the work, from fraction `from` to `to`. */
export const stepsOf = ({ onProgress = () => {}, signal }: ProgressOptions, from = 0, to = 1): Steps => ({
  progress: (fraction, message) => onProgress(from + (to - from) * fraction, message),
  proceed: () => signal?.throwIfAborted(),
});
