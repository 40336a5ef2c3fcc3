import type { Authorizations } from '../../../core/chain/types.ts';
import type { Database } from '../../../core/database/types.ts';
import type { X402Settings } from './settings.ts';
import type { Facilitator } from './types.ts';

/** What the parts of this service share. */
export interface X402Deps {
  readonly settings: X402Settings;
  readonly facilitator: Facilitator;
  readonly database: Database;
  /** Absent where no node of a chain can be asked. */
  readonly authorizations?: Pick<Authorizations, 'fateOf'> | undefined;
  /** Tells whether a payer has a wallet here, which gets the credit-back. */
  readonly wallets: { isRegistered(wallet: string): Promise<boolean> };
  /** Told what an operator may have to look at. Never a signature. */
  readonly logger: { warn(details: object, message: string): void };
  readonly clock: () => Date;
}
