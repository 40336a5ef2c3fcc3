import type { Database } from '../../database/index.ts';
import { AtelierError } from '../../errors.ts';
import type { Processor } from './processor.ts';

/** What the parts of this service share. */
export interface Parts {
  readonly database: Database;
  /** Absent: no cards. */
  readonly processor: Processor | undefined;
  readonly publicUrl: string;
  readonly clock: () => Date;
  /** Told what an operator should know and no caller can do anything about. */
  readonly log: { warn(details: object, message: string): void };
}

/** @throws AtelierError payments_not_configured */
export function requireProcessor({ processor }: Pick<Parts, 'processor'>): Processor {
  if (processor) return processor;
  throw new AtelierError('payments_not_configured', undefined, { retryAfterSeconds: 86_400 });
}

/** The account of the ledger where money of this processor comes from. Test money has its own. */
export function cashOf({ name, livemode }: Pick<Processor, 'name' | 'livemode'>): string {
  if (name === 'simulated') return 'cash:simulated';
  return livemode ? 'cash:card' : 'cash:card_test';
}
