import type { Authorizations } from '../../../core/chain/types.ts';
import type { Database } from '../../../core/database/types.ts';
import type { X402Settings } from './settings.ts';
import type { Facilitator, OfferReceipts } from './types.ts';

/** Shared dependencies of this service. */
export interface X402Deps {
  readonly settings: X402Settings;
  readonly facilitator: Facilitator;
  readonly database: Database;
  /** Absent without a chain node. */
  readonly authorizations?: Authorizations | undefined;
  /** Whether a payer has a wallet here, which gets the credit-back. */
  readonly wallets: { isRegistered(wallet: string): Promise<boolean> };
  /** Absent without a configured public address. */
  readonly offerReceipts?: OfferReceipts | undefined;
  /** Logs what an operator may have to check. Never a signature. */
  readonly logger: { warn(details: object, message: string): void };
  readonly clock: () => Date;
}
