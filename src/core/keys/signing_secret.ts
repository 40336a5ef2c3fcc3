import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { SIGNING_SECRET_CHARACTERS_MIN } from '../../config/limits.ts';
import { keepFile } from '../storage/blobs/keep_file.ts';

/**
 * The configured key for signed links, else the one stored in `dataDir`, generated at the first start.
 * @throws Error that says what to do, where the stored key is too short to be secure
 */
export async function signingSecret(dataDir: string, configured?: string): Promise<string> {
  if (configured !== undefined) return configured;
  const path = join(dataDir, 'signing_secret');
  const kept = await keepFile(path, () => randomBytes(32).toString('hex'));
  if (kept.trim().length >= SIGNING_SECRET_CHARACTERS_MIN) return kept;
  throw new Error(
    `${path} holds fewer than ${SIGNING_SECRET_CHARACTERS_MIN} characters, so anybody could sign links. Restore it from a backup, or delete it: a new key is made then, and the links given out so far end.`,
  );
}
