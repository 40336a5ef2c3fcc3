import type { Step } from '../../tools/tool.ts';
import type { Caller, Principal } from '../caller.ts';
import type { Remarks } from '../run_tool.ts';

/** What one step will cost. */
export interface StepPrice {
  /** Place of its course, from 0. */
  readonly course: number;
  readonly step: Step;
  readonly credits: number;
  /** Why that is less than its price. */
  readonly note?: string;
}

/** What the steps of one call share while they run. */
export interface StepsRun {
  readonly caller: Caller;
  readonly principal: Principal;
  /** Names the credits held for all steps together. */
  readonly hold: string | undefined;
  /** Credits under it. */
  readonly held: number;
  readonly signal: AbortSignal;
  readonly deadline: AbortSignal;
  /** When the deadline comes, in milliseconds since 1970. */
  readonly endsAt: number;
  /** Nobody waits: where the workshop is full, a step comes again by itself. */
  readonly isJob: boolean;
  readonly remarks: Remarks;
}

/** What has been done of them. */
export interface Progress {
  /** Credits to be taken of what is held. */
  spent: number;
  /** Keys of kept answers that are in `spent`. */
  readonly paidKeys: Set<string>;
  /** A step that changes things broke off: only giving everything back is sure to undo what it may have changed. */
  isUnsure: boolean;
}
