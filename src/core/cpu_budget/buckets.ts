import { CPU_EVICTION_TRIES } from './limits.ts';

/** Token buckets by key, in CPU seconds. A full bucket is dropped; debt is a negative level. */
export interface Buckets<One extends Bucket> {
  /** Current level of the bucket; its capacity if it is not stored. */
  level(bucket: One): number;
  /** Takes seconds, into debt if necessary; a negative number returns them. */
  take(bucket: One, seconds: number): void;
  /** Every bucket that is not full, with its level now. */
  entries(): { readonly bucket: One; readonly level: number }[];
}

export interface Bucket {
  readonly key: string;
  /** Level of a full bucket, CPU seconds. */
  readonly capacity: number;
  /** CPU seconds per second. */
  readonly refill: number;
}

interface Level<One> {
  bucket: One;
  level: number;
  /** Time of `level`, in monotonic ms. */
  at: number;
}

/** @param now monotonic milliseconds */
export function createBuckets<One extends Bucket>({
  keysMax,
  now,
}: {
  keysMax: number;
  now(): number;
}): Buckets<One> {
  const levels = new Map<string, Level<One>>();

  const levelAt = ({ bucket, level, at }: Level<One>, time: number): number =>
    Math.min(bucket.capacity, level + ((time - at) / 1000) * bucket.refill);

  /** The oldest bucket without debt, so that a flood of new keys does not clear the heaviest users. */
  const evict = (time: number) => {
    for (let tried = 0; tried < CPU_EVICTION_TRIES; tried += 1) {
      const [key, oldest] = levels.entries().next().value!;
      levels.delete(key);
      if (levelAt(oldest, time) > 0) return;
      levels.set(key, oldest);
    }
    levels.delete(levels.keys().next().value!);
  };

  return {
    level(bucket) {
      const known = levels.get(bucket.key);
      return known ? levelAt(known, now()) : bucket.capacity;
    },
    take(bucket, seconds) {
      const time = now();
      const known = levels.get(bucket.key);
      const level = Math.min(bucket.capacity, (known ? levelAt(known, time) : bucket.capacity) - seconds);
      levels.delete(bucket.key);
      if (level >= bucket.capacity) return;
      levels.set(bucket.key, { bucket, level, at: time });
      if (levels.size > keysMax) evict(time);
    },
    entries() {
      const time = now();
      return [...levels.values()]
        .map((known) => ({ bucket: known.bucket, level: levelAt(known, time) }))
        .filter(({ bucket, level }) => level < bucket.capacity);
    },
  };
}
