import type { AnyOperation } from '../../definitions/operation.ts';
import { listTrash, listVersions, openVersion, purgeVersion, restoreAsset } from './earlier.ts';

export const assetOperations: readonly AnyOperation[] = [
  listVersions,
  openVersion,
  purgeVersion,
  listTrash,
  restoreAsset,
];
