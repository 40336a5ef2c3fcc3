import type { Database } from '../../core/database/types.ts';
import type { Reach } from '../../core/outbound_http/reach.ts';
import type { Delivery } from './types.ts';

/** What the parts of this service share. */
export interface Parts {
  readonly database: Database;
  /** How far a delivery may go. */
  readonly reach: Reach;
  /** Where callers reach this server, without a slash at the end. */
  readonly publicUrl: string;
  /** Deliveries under way at once; with 0 this server delivers nothing. */
  readonly atOnce: number;
  readonly clock: () => Date;
  /** 0 to 1. */
  readonly random: () => number;
  /** Told what became of each attempt. */
  onAttempt?(outcome: Delivery['state']): void;
  /** Told about failures that are ours. */
  report(error: unknown): void;
}
