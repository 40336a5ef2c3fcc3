import type { Disk } from '../../src/services/disk/index.ts';

/** A disk that is never full. */
export const ROOMY_DISK: Disk = { requireRoom: async () => {}, hasRoom: async () => true };
