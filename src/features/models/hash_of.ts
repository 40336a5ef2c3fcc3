import { createHash } from 'node:crypto';

/** The sha256 of a file, in hex. */
export const hashOf = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');
