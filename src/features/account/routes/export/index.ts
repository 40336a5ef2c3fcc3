import type { AnyOperation } from '../../../definitions/operation.ts';
import { exportWallet, importWallet } from './archive.ts';
import { closeWallet, reopenWallet } from './close.ts';

export const leavingOperations: readonly AnyOperation[] = [
  exportWallet,
  importWallet,
  closeWallet,
  reopenWallet,
];
