import { DELETING_MS_MAX } from '../limits.ts';
import type { Bucket } from './bucket.ts';
import type { Condemned } from './condemned.ts';

/**
 * Condemns an object, and deletes it where that was done long ago and it is as old as ever. Every write that began before has ended by then, and one
 * that begins now waits. False where nothing was deleted. @throws AtelierError storage_unavailable
 */
export async function removeCondemned(
  { bucket, condemned }: { bucket: Bucket; condemned: Condemned },
  key: string,
  olderThan: Date,
): Promise<boolean> {
  if (!(await condemned.claim(key))) return false;
  const end = performance.now() + DELETING_MS_MAX;
  const once = () => ({ onceWithinMs: Math.max(1, Math.floor(end - performance.now())) });
  const found = await bucket.head(key, once());
  const isOld = found !== undefined && found.modifiedAt < olderThan;
  // Not forgotten where it fails: whether the store has deleted it is not known, and it is claimed again.
  if (isOld) await bucket.remove(key, once());
  await condemned.forget(key);
  return isOld;
}
