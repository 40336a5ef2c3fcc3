import { WORKSPACES_PER_WALLET_MAX } from '../../config/limits.ts';
import { AtelierError } from '../../core/errors/atelier_error.ts';
import { GUEST_BYTES_MAX, OWNER_BYTES_MAX } from './limits.ts';

export const workspaceNotFound = (): AtelierError => new AtelierError('workspace_not_found');

export const itemNotFound = (item: number): AtelierError =>
  new AtelierError(
    'item_not_found',
    `The workspace has no item ${item}. Read the workspace to list its items.`,
  );

export const actNotFound = (act: number): AtelierError =>
  new AtelierError('item_not_found', `The workspace has no act ${act}. Read the workspace to list its acts.`);

export const tooManyBytes = (isOwned: boolean): AtelierError =>
  new AtelierError(
    'storage_quota_exceeded',
    isOwned
      ? `The workspaces of this wallet have reached the limit of ${OWNER_BYTES_MAX / 1024 ** 2} MiB. Delete items and empty the trash, or delete a workspace.`
      : `A workspace without an account is limited to ${GUEST_BYTES_MAX / 1024 ** 2} MiB. Claim it with a wallet, or delete items and empty the trash.`,
  );

export const tooManyOfWallet = (): AtelierError =>
  new AtelierError(
    'workspace_full',
    `The wallet has reached its limit of ${WORKSPACES_PER_WALLET_MAX} workspaces. Delete one: DELETE /api/workspaces/{id}.`,
  );

export const tooManyInAll = (): AtelierError =>
  new AtelierError('storage_full', 'This server has reached its limit of workspaces. Try again later.');
