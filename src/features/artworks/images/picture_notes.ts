import { AtelierError } from '../../../core/errors/atelier_error.ts';

/** Work on pictures of works in the background. */
export interface PictureNotes {
  /** Has it done, unless it was; one at a time. What cannot wait is left for the next time the picture passes. */
  note(id: string, source: string, bytes: Uint8Array): void;
  /** When what was noted is done. */
  settle(): Promise<void>;
}

/** Pictures remembered as done, so that the database is not asked at every look at one. */
const REMEMBERED_MAX = 10_000;

/** @param bytesMax of pictures that wait together @param work may fail: what is wrong with the picture (422) is not tried again */
export function createPictureNotes(
  bytesMax: number,
  work: (id: string, source: string, bytes: Uint8Array) => Promise<void>,
): PictureNotes {
  const seen = new Set<string>();
  let waitingBytes = 0;
  let last: Promise<void> = Promise.resolve();
  return {
    note(id, source, bytes) {
      const key = `${id} ${source}`;
      if (seen.has(key) || waitingBytes + bytes.length > bytesMax) return;
      if (seen.size >= REMEMBERED_MAX) seen.clear();
      seen.add(key);
      waitingBytes += bytes.length;
      last = last
        .then(() => work(id, source, bytes))
        .catch((error: unknown) => {
          // A picture that cannot be worked on cannot be tomorrow; a full workshop, a closed database will pass.
          if (!(error instanceof AtelierError && error.status === 422)) seen.delete(key);
        })
        .finally(() => {
          waitingBytes -= bytes.length;
        });
    },
    settle: () => last,
  };
}
