import { WORKSPACES_PER_WALLET_MAX } from '../../config/limits.ts';
import { AtelierError } from '../../core/errors/atelier_error.ts';
import { GUEST_BYTES_MAX, OWNER_BYTES_MAX } from './limits.ts';

export const workspaceNotFound = (): AtelierError => new AtelierError('workspace_not_found');

export const itemNotFound = (item: number): AtelierError =>
  new AtelierError('item_not_found', `The workspace has no item ${item}. Read it to see its items.`);

export const actNotFound = (act: number): AtelierError =>
  new AtelierError('item_not_found', `The workspace has no act ${act}. Read it to see its acts.`);

export const tooManyBytes = (isOwned: boolean): AtelierError =>
  new AtelierError(
    'storage_quota_exceeded',
    isOwned
      ? `The workspaces of a wallet keep at most ${OWNER_BYTES_MAX / 1024 ** 2} MiB. Delete items and empty the trash, or delete a workspace.`
      : `A workspace without an account keeps at most ${GUEST_BYTES_MAX / 1024 ** 2} MiB. Claim it with a wallet, or delete items and empty the trash.`,
  );

export const tooManyOfWallet = (): AtelierError =>
  new AtelierError(
    'workspace_full',
    `A wallet has at most ${WORKSPACES_PER_WALLET_MAX} workspaces. Delete one: DELETE /api/workspaces/{id}.`,
  );

export const tooManyInAll = (): AtelierError =>
  new AtelierError('storage_full', 'This server has as many workspaces as it can keep. Try again later.');
