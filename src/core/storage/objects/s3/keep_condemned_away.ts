import { CONDEMNED_SECONDS } from '../limits.ts';
import type { Bucket } from './bucket.ts';
import type { Condemned } from './condemned.ts';
import { storageUnavailable } from './s3_failure.ts';

/** A write that lasts longer may have been overtaken by somebody who condemned its name after it had begun. */
const WRITE_MS_SAFE = (CONDEMNED_SECONDS * 1000) / 2;

/**
 * Writes under a name that may be condemned: nobody deletes it before it is there, nor afterwards without seeing how young it is.
 * @throws AtelierError storage_unavailable where a slow write was deleted as soon as it was there, and what `write` throws
 */
export async function keepCondemnedAway(
  { bucket, condemned }: { bucket: Bucket; condemned: Condemned },
  key: string,
  write: () => Promise<void>,
): Promise<void> {
  await condemned.spare(key);
  const begunAt = performance.now();
  await write();
  if (performance.now() - begunAt < WRITE_MS_SAFE) return;
  await condemned.spare(key);
  if (!(await bucket.head(key)))
    throw storageUnavailable(new Error(`${key} was deleted while it was written`));
}
