import type { Disk } from '../../src/core/storage/blobs/disk.ts';

/** A disk that is never full. */
export const ROOMY_DISK: Disk = {
  requireRoom: async () => {},
  hasRoom: async () => true,
  spareBytes: async () => 2 ** 40,
};
