import { createHash, randomBytes } from 'node:crypto';
import type { Database, Queryable } from '../../core/database/types.ts';
import { type Board, cafeBoard, galleryBoard, registryBoard } from './store.ts';
import type { Community, Entry, Posted, Words } from './types.ts';

export const REPOST_WINDOW_MS = 10 * 60_000;

const BOARDS = [cafeBoard, galleryBoard, registryBoard] as const;

/** `now` and `repostWindowMs` are set only by tests. */
export function createCommunity(
  database: Database,
  { now = () => new Date(), repostWindowMs = REPOST_WINDOW_MS } = {},
): Community {
  const endOfWindow = (at: Date) => new Date(at.getTime() - repostWindowMs);

  async function post<E extends Entry>(board: Board<E>, caller: string, words: Words<E>): Promise<Posted<E>> {
    const wordsSha256 = fingerprint(caller, words);
    const postedAt = now();
    await board.forgetWords(database, wordsSha256, endOfWindow(postedAt));
    for (;;) {
      const entry = { ...words, id: newId(postedAt), postedAt } as E;
      if (await board.insert(database, entry, wordsSha256)) return { entry, repeated: false };
      const first = await board.findByWords(database, wordsSha256);
      if (first) return { entry: first, repeated: true };
      // The id was taken, so the loop draws a new one.
    }
  }

  async function setHidden(tx: Queryable, id: string, at: Date | null): Promise<boolean> {
    const found: boolean[] = [];
    for (const board of BOARDS) found.push(await board.hide(tx, id, at));
    return found.includes(true);
  }

  return {
    postToCafe: (caller, words) => post(cafeBoard, caller, words),
    cafePosts: ({ limit, category }) => cafeBoard.newest(database, limit, category),
    postToGallery: (caller, words) => post(galleryBoard, caller, words),
    artworks: ({ limit }) => galleryBoard.newest(database, limit),
    signRegistry: (caller, words) => post(registryBoard, caller, words),
    async signatures({ limit }) {
      const [signatures, total] = await Promise.all([
        registryBoard.newest(database, limit),
        registryBoard.count(database),
      ]);
      return { signatures, total };
    },
    hide: (id, tx = database) => setHidden(tx, id, now()),
    unhide: (id, tx = database) => setHidden(tx, id, null),
    async sweep(at) {
      let forgotten = 0;
      for (const board of BOARDS) {
        forgotten += await board.forget(database, endOfWindow(at));
      }
      return forgotten;
    },
  };
}

/** SHA-256 of caller and words, independent of the order of the fields. */
function fingerprint(caller: string, words: object): string {
  const sorted = Object.entries(words).sort(([a], [b]) => (a < b ? -1 : 1));
  return createHash('sha256')
    .update(JSON.stringify([caller, sorted]))
    .digest('hex');
}

const newId = (at: Date): string => `${at.toISOString().slice(0, 10)}-${randomBytes(4).toString('hex')}`;
