import type { Database } from '../../database/contract.ts';
import type { ContractWallets } from '../chain/contract.ts';
import type { Ownership } from '../ownership/contract.ts';

/** What the parts of this service share. */
export interface Parts {
  readonly database: Database;
  readonly publicUrl: string;
  readonly contracts?: ContractWallets;
  readonly clock: () => Date;
  readonly record: Ownership['record'];
}
