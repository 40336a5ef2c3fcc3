import { randomUUID } from 'node:crypto';
import { livesHere, type ProcessIdentity, thisProcess } from '../../../core/database/process_identity.ts';
import type { Objects } from '../../../core/storage/objects/types.ts';
import type { HeldPlace } from './deps.ts';
import { alreadyBackingUp } from './hold_backup.ts';
import { BUCKET_LOCK_RENEW_MS, BUCKET_LOCK_SILENCE_MS } from './limits.ts';

const FOLDER = 'lock';
const LOCK = `${FOLDER}/owner`;

/**
 * Makes this process the only one that adds to the backups in a bucket. What holds it says so every now and then; one that has been silent for a
 * while, or that died on this machine, is taken over.
 * @throws Error naming who holds it
 */
export async function holdBucket(root: Objects, where: string): Promise<HeldPlace> {
  const own = Buffer.from(JSON.stringify({ ...thisProcess(), id: randomUUID() }));
  while (!(await root.add(LOCK, own))) {
    const owner = await ownerOf(root);
    if (!owner) continue;
    if (isAtIt(owner)) throw alreadyBackingUp(where, `Process ${owner.pid} on ${owner.host.split(' ')[0]}`);
    await root.remove(LOCK);
  }
  return keep(root, own);
}

function keep(root: Objects, own: Buffer): HeldPlace {
  const lost = new AbortController();
  let saidAt = performance.now();
  const isOwn = async () => own.equals((await root.read(LOCK)) ?? Buffer.alloc(0));
  const lose = (why: string) => lost.abort(new Error(`${why} Back up again.`));
  const renew = async () => {
    if (!(await isOwn())) return lose('Another backup has begun in the bucket.');
    await root.replace(LOCK, own);
    saidAt = performance.now();
  };
  const timer = setInterval(() => {
    renew().catch(() => {
      if (performance.now() - saidAt > BUCKET_LOCK_SILENCE_MS) lose('The bucket was away for too long.');
    });
  }, BUCKET_LOCK_RENEW_MS).unref();
  return {
    lost: lost.signal,
    async letGo() {
      clearInterval(timer);
      // Where that fails it is taken over after a while.
      if (await isOwn().catch(() => false)) await root.remove(LOCK).catch(() => {});
    },
  };
}

interface Owner extends ProcessIdentity {
  readonly saidAt: Date;
}

/** Undefined where it has just let go. */
async function ownerOf(root: Objects): Promise<Owner | undefined> {
  const bytes = await root.read(LOCK);
  const [found] = await Array.fromAsync(root.list(FOLDER));
  if (!bytes || !found) return undefined;
  return { ...(JSON.parse(Buffer.from(bytes).toString()) as ProcessIdentity), saidAt: found.modifiedAt };
}

const isAtIt = (owner: Owner): boolean =>
  livesHere(owner) ?? Date.now() - owner.saidAt.getTime() < BUCKET_LOCK_SILENCE_MS;
