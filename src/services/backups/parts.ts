import type { ProgressOptions } from './contract.ts';

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
