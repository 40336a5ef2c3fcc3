import { randomBytes } from 'node:crypto';
import { HASH_DISTANCE_MAX } from '../../../config/limits.ts';
import type { Database } from '../../../core/database/types.ts';
import { createCodeIndex } from './code_index.ts';
import type { CodeHit } from './index_thread.ts';
import * as store from './store.ts';
import type { Hashes, Near, Sharing } from './types.ts';

/** Registrations fetched for one question. */
const MATCHES_MAX = 100;

interface Options {
  /** Where built parts of the index are kept for the next start; absent: nowhere. */
  readonly folder?: string;
  /** There for tests. */
  readonly now?: () => Date;
}

export function createHashes(database: Database, { folder, now = () => new Date() }: Options = {}): Hashes {
  const index = createCodeIndex(database, folder);
  return {
    async register(picture) {
      const { wallet, sha256, hold } = picture;
      const earlier = () => (wallet === undefined ? undefined : store.selectOwn(database, wallet, sha256));
      const known =
        (await earlier()) ?? (await store.insert(database, newId(), picture, now())) ?? (await earlier())!;
      // A call that is run again, because its server died, finds what it has made itself.
      const isNew = 'number' in known || (hold !== undefined && known.hold === hold);
      return { registration: known.registration, isNew };
    },
    async registerWork(picture) {
      await store.insert(database, newId(), picture, now());
    },
    async paidBy(wallet, sha256) {
      const own = await store.selectOwn(database, wallet, sha256);
      return own?.hold === null ? own.registration : undefined;
    },
    ofFile: (sha256) => store.selectOfFile(database, sha256),
    find: (id) => store.selectById(database, id),
    async near(hashes) {
      const hits = await index.near(Buffer.concat(hashes), HASH_DISTANCE_MAX);
      const nearest = byNumber(hits).map(([number, own]) => ({ number, hit: own.reduce(nearerOf) }));
      nearest.sort((one, other) => one.hit.distance - other.hit.distance || one.number - other.number);
      const found = await withRows(database, nearest.slice(0, MATCHES_MAX));
      return found.map(
        ({ registration, hit }): Near => ({
          registration,
          distance: hit.distance,
          turn: hit.needle,
        }),
      );
    },
    async sharing(windows) {
      const hits = await index.sharing(windows, HASH_DISTANCE_MAX);
      const shared = hits.slice(0, MATCHES_MAX).map(({ ref, ...hit }) => ({ number: ref, hit }));
      const found = await withRows(database, shared);
      return found.map(
        ({ registration, hit }): Sharing => ({
          registration,
          shared: hit.needles,
          distance: hit.distance,
        }),
      );
    },
    load: () => index.load(),
    warm: () => index.warm(),
    get isLoading() {
      return index.isLoading;
    },
    close: () => index.close(),
  };
}

const newId = (): string => `hash_${randomBytes(12).toString('hex')}`;

const nearerOf = (one: CodeHit, other: CodeHit): CodeHit => (other.distance < one.distance ? other : one);

const byNumber = (hits: CodeHit[]): [number, CodeHit[]][] => [
  ...Map.groupBy(hits, ({ number }) => number).entries(),
];

/** With their registrations; those undone since are left out. */
async function withRows<T extends { number: number }>(
  database: Database,
  found: T[],
): Promise<(T & Pick<store.Numbered, 'registration'>)[]> {
  const rows = await store.selectNumbers(
    database,
    found.map(({ number }) => number),
  );
  const registrations = new Map(rows.map(({ number, registration }) => [number, registration]));
  return found.flatMap((one) => {
    const registration = registrations.get(one.number);
    return registration ? [{ ...one, registration }] : [];
  });
}
