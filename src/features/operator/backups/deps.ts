import type { Objects } from '../../../core/storage/objects/types.ts';
import type { ProgressOptions } from './types.ts';

/** Where backups lie: a folder, or a bucket. */
export interface BackupPlace {
  /** For messages. */
  readonly where: string;
  /** What backups consist of, by blob names. */
  readonly objects: Objects;
  /** What says of what each consists. */
  readonly manifests: Objects;
  /**
   * Readies it, and makes this process the only one that adds to it or removes from it.
   * @throws Error naming who does so already, or saying what is wrong with the place
   */
  hold(): Promise<HeldPlace>;
}

export interface HeldPlace {
  /** Aborted where somebody else may be at it by now. */
  readonly lost?: AbortSignal;
  letGo(): Promise<void>;
}

/** What the steps of one backup or restore say and hear. */
export interface Steps {
  /** Part of the whole, 0 to 1, that is done. */
  progress(fraction: number, message: string): void;
  /** @throws where it was stopped */
  proceed(): void;
}

/** Steps that are one part of the whole: from `from` to `to`. */
export const stepsOf = ({ onProgress = () => {}, signal }: ProgressOptions, from = 0, to = 1): Steps => ({
  progress: (fraction, message) => onProgress(from + (to - from) * fraction, message),
  proceed: () => signal?.throwIfAborted(),
});
