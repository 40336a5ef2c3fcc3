import type { Database } from '../../core/database/types.ts';
import { AtelierError } from '../../core/errors/atelier_error.ts';
import type { Processor } from './processor.ts';

export interface PaymentLogger {
  info(details: object, message: string): void;
  warn(details: object, message: string): void;
}

/** What the parts of this service share. */
export interface BillingDeps {
  readonly database: Database;
  /** Absent: no cards. */
  readonly processor: Processor | undefined;
  readonly publicUrl: string;
  readonly clock: () => Date;
  /** One line for each payment that was refused, and for what an operator should look at. Never a secret. */
  readonly logger: PaymentLogger;
}

/** @throws AtelierError payments_not_configured */
export function requireProcessor({ processor }: Pick<BillingDeps, 'processor'>): Processor {
  if (processor) return processor;
  throw new AtelierError('payments_not_configured');
}

/** The account of the ledger where money of this processor comes from. Test money has its own. */
export function cashOf({ name, livemode }: Pick<Processor, 'name' | 'livemode'>): string {
  if (name === 'simulated') return 'cash:simulated';
  return livemode ? 'cash:card' : 'cash:card_test';
}
