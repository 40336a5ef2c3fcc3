import { AtelierError } from '../../core/errors/atelier_error.ts';

/** @param sizeBytes of the refused file, where it is a single one */
export const quotaExceeded = (sizeBytes?: number): AtelierError =>
  new AtelierError(
    'storage_quota_exceeded',
    `There is no room for ${sizeBytes === undefined ? 'it' : `${sizeBytes} more bytes`}: a wallet keeps 100 MB and 10,000 assets. Delete some with delete_asset and try again.`,
  );
