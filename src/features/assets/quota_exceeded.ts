import { AtelierError } from '../../core/errors/atelier_error.ts';

/** @param sizeBytes size of the refused file, if it is a single one */
export const quotaExceeded = (sizeBytes?: number): AtelierError =>
  new AtelierError(
    'storage_quota_exceeded',
    `The wallet has no space for ${sizeBytes === undefined ? 'the file' : `${sizeBytes} more bytes`}. The limit is 100 MB and 10,000 assets. Delete some with delete_asset and try again.`,
  );
