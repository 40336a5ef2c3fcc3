import { setTimeout as sleep } from 'node:timers/promises';
import { AtelierError } from '../errors/atelier_error.ts';
import { BUSY_RETRY_SECONDS } from '../limits.ts';

interface Waiting {
  readonly signal: AbortSignal;
  onProgress?(fraction: number, message: string): void;
}

/** A call that waits is told to come again when the workshop is full; a job comes again by itself. */
export async function whenThereIsRoom<T>({ signal, onProgress }: Waiting, run: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await run();
    } catch (error) {
      if (!(error instanceof AtelierError && error.code === 'busy') || signal.aborted) throw error;
      onProgress?.(0, 'Waiting for a free place');
      await sleep(BUSY_RETRY_SECONDS * 1000);
    }
  }
}
