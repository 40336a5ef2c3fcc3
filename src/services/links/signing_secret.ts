import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { keptFile } from '../blobs/kept_file.ts';

/** The configured key for signed links, else the one kept in `dataDir`, made at the first start. */
export async function signingSecret(dataDir: string, configured?: string): Promise<string> {
  return configured ?? keptFile(join(dataDir, 'signing_secret'), () => randomBytes(32).toString('hex'));
}
