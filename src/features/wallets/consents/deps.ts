import type { ContractWallets } from '../../../core/chain/types.ts';
import type { Database } from '../../../core/database/types.ts';
import type { Ownership } from '../ownership/types.ts';

/** What the parts of this service share. */
export interface Parts {
  readonly database: Database;
  readonly publicUrl: string;
  readonly contracts?: ContractWallets;
  readonly clock: () => Date;
  readonly record: Ownership['record'];
}
