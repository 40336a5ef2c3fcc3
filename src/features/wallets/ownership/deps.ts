import type { ContractWallets } from '../../../core/chain/types.ts';
import type { Database } from '../../../core/database/types.ts';

/** What the parts of this service share. */
export interface OwnershipDeps {
  readonly database: Database;
  /** Where callers reach this server; proofs for any other place are refused. */
  readonly publicUrl: string;
  /** Absent where no node of a chain can be asked: only wallets with a private key can prove themselves then. */
  readonly contracts?: ContractWallets;
  readonly clock: () => Date;
}
