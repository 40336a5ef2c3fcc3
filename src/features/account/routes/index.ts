import type { AnyOperation } from '../../definitions/operation.ts';
import { createWalletKey, listWalletKeys, revokeWalletKey } from './keys.ts';
import { walletChallenge, walletSession } from './prove.ts';
import { walletStatement } from './statement.ts';
import { lockWallet, registerOverRest, unlockWallet, walletOfCaller } from './wallet.ts';

export const accountOperations: readonly AnyOperation[] = [
  registerOverRest,
  walletChallenge,
  walletSession,
  lockWallet,
  unlockWallet,
  createWalletKey,
  listWalletKeys,
  revokeWalletKey,
  walletStatement,
  walletOfCaller,
];
