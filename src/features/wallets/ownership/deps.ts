import type { ContractWallets } from '../../../core/chain/chain.ts';
import type { Database } from '../../../core/database/types.ts';

/** Shared dependencies of this service. */
export interface OwnershipDeps {
  readonly database: Database;
  /** Public base URL of this server; proofs for another one are refused. */
  readonly publicUrl: string;
  /** Absent without a chain node: then only wallets with a private key can be verified. */
  readonly contracts?: ContractWallets;
  readonly clock: () => Date;
}
