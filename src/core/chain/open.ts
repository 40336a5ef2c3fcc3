import type { Config } from '../../config/config.ts';
import { createAuthorizations } from './authorizations.ts';
import { createContractWallets } from './contract_wallets.ts';
import type { Authorizations, ContractWallets } from './types.ts';

/** What a node of a chain is asked; nothing where the settings name none. */
export const openChain = ({
  EVM_RPC_URL: rpcUrl,
}: Config): { contracts?: ContractWallets; authorizations?: Authorizations } =>
  rpcUrl === undefined
    ? {}
    : { contracts: createContractWallets({ rpcUrl }), authorizations: createAuthorizations({ rpcUrl }) };
