import type { IntakeNotes } from '@atelier/imaging/intake/intake_notes.ts';
import type { ErrorCode, ErrorDetails } from '../errors/atelier_error.ts';
import type { EngineName } from './engines.ts';
import type { RunSeconds } from './types.ts';

/** From the pool to a process. One job at a time. */
export interface JobMessage {
  readonly engine: EngineName;
  readonly input: unknown;
}

/** From a process to the pool: `ready` once, then for each job any number of `progress` messages and one other. */
export type AnswerMessage =
  | { readonly kind: 'ready'; readonly cpuSecondsSoFar: number }
  | { readonly kind: 'progress'; readonly fraction: number; readonly message: string }
  | (Ended & Ending);

/** Resource use of a finished run. */
interface Ended {
  readonly memoryBytes: number;
  readonly spent: RunSeconds;
  /** CPU seconds of the process since it started. */
  readonly cpuSecondsSoFar: number;
}

export type Ending =
  | { readonly kind: 'done'; readonly output: unknown; readonly notes?: IntakeNotes | undefined }
  /** Rejected by the engine or its worker. */
  | {
      readonly kind: 'refused';
      readonly code: ErrorCode;
      readonly message: string;
      readonly details: ErrorDetails;
    }
  /** Anything else it threw: a mistake of ours. */
  | { readonly kind: 'failed'; readonly reason: string };
