import type { Database } from '../../core/database/types.ts';
import { AtelierError } from '../../core/errors/atelier_error.ts';
import type { Processor } from './processor.ts';

export interface PaymentLogger {
  info(details: object, message: string): void;
  warn(details: object, message: string): void;
}

/** Shared dependencies of this service. */
export interface BillingDeps {
  readonly database: Database;
  /** Absent: no card payments. */
  readonly processor: Processor | undefined;
  readonly publicUrl: string;
  readonly clock: () => Date;
  /** Logs each refused payment, and anything an operator should check. Never a secret. */
  readonly logger: PaymentLogger;
}

/** The card processor. @throws AtelierError payments_not_configured */
export function requireProcessor({ processor }: Pick<BillingDeps, 'processor'>): Processor {
  if (processor) return processor;
  throw new AtelierError('payments_not_configured');
}

/** The ledger account for money of this processor. Test money has its own. */
export function cashOf({ name, livemode }: Pick<Processor, 'name' | 'livemode'>): string {
  if (name === 'simulated') return 'cash:simulated';
  return livemode ? 'cash:card' : 'cash:card_test';
}
