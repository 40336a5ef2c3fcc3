import { AtelierError } from '../../../core/errors/atelier_error.ts';

/** Background processing of images that are served. */
export interface ImageQueue {
  /**
   * Queues an image for processing unless it was processed before. Images beyond the queue's limit are
   * dropped until they are served again.
   */
  note(id: string, source: string, bytes: Uint8Array): void;
  /** Resolves when the queue is empty. */
  settle(): Promise<void>;
}

/** Images remembered as processed, which saves a database query per request. */
const REMEMBERED_MAX = 10_000;

/**
 * @param bytesMax total size of queued images
 * @param work may fail; an error about the image itself (422) is not retried
 */
export function createImageQueue(
  bytesMax: number,
  work: (id: string, source: string, bytes: Uint8Array) => Promise<void>,
): ImageQueue {
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
          // An invalid image stays invalid. Other errors, such as a busy server or a closed database, are
          // transient.
          if (!(error instanceof AtelierError && error.status === 422)) seen.delete(key);
        })
        .finally(() => {
          waitingBytes -= bytes.length;
        });
    },
    settle: () => last,
  };
}
