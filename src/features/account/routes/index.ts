import type { AnyOperation } from '../../definitions/operation.ts';
import { createWalletKey, listWalletKeys, revokeWalletKey } from './keys.ts';
import { lockWallet, unlockWallet } from './lock.ts';
import { walletChallenge, walletSession } from './prove.ts';
import { registerOverRest } from './register.ts';
import { walletStatement } from './statement.ts';
import { walletOfCaller } from './who.ts';

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
